import { randomInt } from "node:crypto";
import { and, desc, eq, gte, inArray, notInArray, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, transaction as runTransaction } from "#platform/database.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { emitEvent } from "./events.server.ts";
import { fakePaystackRecipients, fakePaystackTransfers } from "./tables.server.ts";

type FakeTransfer = typeof fakePaystackTransfers.$inferSelect;
type FakeRecipient = typeof fakePaystackRecipients.$inferSelect;
type TransferStatus = FakeTransfer["status"];

/** What an account number that ends in these digits makes the fake do. Any other number is paid immediately. */
export const TEST_ACCOUNTS = {
  "0001": { outcome: "pending, then paid" },
  "0002": { outcome: "no answer, then paid" },
  "0003": { outcome: "pending, then failed" },
  "0004": { outcome: "paid, then sent back by the bank" },
  "0005": { outcome: "waits for a one-time code" },
  "0006": { outcome: "belongs to another holder" },
  "0007": { outcome: "accepts no payments" },
  "0008": { outcome: "the bank does not answer the check" },
  "0009": { outcome: "the balance is too low" },
} as const;
type Digits = keyof typeof TEST_ACCOUNTS;

const FIRST_STATUS: Partial<Record<string, TransferStatus>> = {
  "0001": "pending",
  "0002": "pending",
  "0003": "pending",
  "0005": "otp",
} satisfies Partial<Record<Digits, TransferStatus>>;

const LAST_STATUS: Partial<Record<string, TransferStatus>> = {
  "0001": "success",
  "0002": "success",
  "0003": "failed",
  "0004": "reversed",
} satisfies Partial<Record<Digits, TransferStatus>>;

const SETTLES_AFTER_MS = 20_000;
const OPENING_BALANCE_CENTS = 100_000_00;
const INTEGRATION = 100_001;

export const readDigits = (accountNumber: string) => accountNumber.slice(-4);

/** Returns the balance that is left. Failed and returned transfers take nothing from it. */
export async function readFakeBalance(): Promise<number> {
  const [row] = await database()
    .select({ cents: sql<number>`coalesce(sum(${fakePaystackTransfers.amountCents}), 0)::integer` })
    .from(fakePaystackTransfers)
    .where(notInArray(fakePaystackTransfers.status, ["failed", "reversed"]));
  return OPENING_BALANCE_CENTS - (row?.cents ?? 0);
}

/** Returns the recipient of an account, created if it is new. */
export async function ensureRecipient(
  account: Pick<FakeRecipient, "name" | "accountNumber" | "bankCode">,
): Promise<FakeRecipient> {
  const isAccount = and(
    eq(fakePaystackRecipients.accountNumber, account.accountNumber),
    eq(fakePaystackRecipients.bankCode, account.bankCode),
  );
  await database()
    .insert(fakePaystackRecipients)
    .values({ ...account, code: `RCP_${randomInt(2 ** 47).toString(36)}`, createdAt: now() })
    .onConflictDoNothing();
  const [recipient] = await database().select().from(fakePaystackRecipients).where(isAccount);
  if (!recipient) throw new Error("the recipient was not stored");
  return recipient;
}

export type SendResult =
  | { ok: true; transfer: FakeTransfer; recipient: FakeRecipient; isAnswered: boolean }
  | { ok: false; refusal: "duplicate" | "no-such-recipient" | "insufficient-balance" };

/** Carries out a transfer once per reference. The recipient's account decides what becomes of it. */
export async function sendFakeTransfer(
  values: Pick<FakeTransfer, "reference" | "recipientCode" | "amountCents" | "reason">,
): Promise<SendResult> {
  const [recipient] = await database()
    .select()
    .from(fakePaystackRecipients)
    .where(eq(fakePaystackRecipients.code, values.recipientCode));
  if (!recipient) return { ok: false, refusal: "no-such-recipient" };
  const digits = readDigits(recipient.accountNumber);
  if (digits === "0009" || (await readFakeBalance()) < values.amountCents)
    return { ok: false, refusal: "insufficient-balance" };
  return await runTransaction(async (tx): Promise<SendResult> => {
    const status = FIRST_STATUS[digits] ?? "success";
    const [transfer] = await tx
      .insert(fakePaystackTransfers)
      .values({ ...values, status, createdAt: now() })
      .onConflictDoNothing()
      .returning();
    if (!transfer) return { ok: false, refusal: "duplicate" };
    if (status === "success")
      await emitEvent(tx, transfer.reference, {
        type: "transfer.success",
        data: buildTransfer(transfer, recipient),
      });
    const last = LAST_STATUS[digits];
    if (last)
      await enqueue(
        tx,
        settleFakeTransfer,
        { reference: transfer.reference, status: last },
        { startAfter: new Date(now().getTime() + SETTLES_AFTER_MS) },
      );
    return { ok: true, transfer, recipient, isAnswered: digits !== "0002" };
  });
}

/** Gives a transfer its last status, and emits the event. */
export const settleFakeTransfer: Job<{ reference: string; status: TransferStatus }> = {
  name: "settle-fake-transfer",
  async run({ reference, status }) {
    await runTransaction(async (tx) => {
      const [transfer] = await tx
        .update(fakePaystackTransfers)
        .set({ status })
        .where(eq(fakePaystackTransfers.reference, reference))
        .returning();
      if (!transfer) return;
      const [recipient] = await tx
        .select()
        .from(fakePaystackRecipients)
        .where(eq(fakePaystackRecipients.code, transfer.recipientCode));
      if (!recipient) return;
      await emitEvent(tx, reference, {
        type: `transfer.${status}`,
        data: buildTransfer(transfer, recipient),
      });
    });
  },
};

/** Returns the transfers with a status that were created since an instant, newest first, or the one with a reference. */
export async function listFakeTransfers(filter: {
  reference?: string;
  status?: string;
  from?: Date;
}): Promise<{ transfer: FakeTransfer; recipient: FakeRecipient }[]> {
  const rows = await database()
    .select()
    .from(fakePaystackTransfers)
    .innerJoin(
      fakePaystackRecipients,
      eq(fakePaystackRecipients.code, fakePaystackTransfers.recipientCode),
    )
    .where(
      and(
        filter.reference ? eq(fakePaystackTransfers.reference, filter.reference) : undefined,
        filter.status
          ? inArray(fakePaystackTransfers.status, [filter.status as TransferStatus])
          : undefined,
        filter.from ? gte(fakePaystackTransfers.createdAt, filter.from) : undefined,
      ),
    )
    .orderBy(desc(fakePaystackTransfers.createdAt));
  return rows.map((row) => ({
    transfer: row.fake_paystack_transfers,
    recipient: row.fake_paystack_recipients,
  }));
}

/** A recipient with every field that Paystack's OpenAPI file requires. */
export function buildRecipient(recipient: FakeRecipient): Record<string, unknown> {
  const createdAt = recipient.createdAt.toISOString();
  return {
    id: Number.parseInt(recipient.code.slice(4), 36),
    recipient_code: recipient.code,
    type: "basa",
    name: recipient.name,
    active: true,
    currency: "ZAR",
    description: "",
    email: "",
    domain: "test",
    integration: INTEGRATION,
    metadata: null,
    is_deleted: false,
    isDeleted: false,
    createdAt,
    updatedAt: createdAt,
    details: {
      authorization_code: null,
      account_number: recipient.accountNumber,
      account_name: recipient.name,
      bank_code: recipient.bankCode,
      bank_name: "Bank",
    },
  };
}

/** A transfer as it is read, with every field that Paystack's OpenAPI file requires. */
export function buildTransfer(
  transfer: FakeTransfer,
  recipient: FakeRecipient,
): Record<string, unknown> {
  const createdAt = transfer.createdAt.toISOString();
  return {
    id: BigInt(transfer.id),
    domain: "test",
    integration: INTEGRATION,
    status: transfer.status,
    reference: transfer.reference,
    amount: transfer.amountCents,
    currency: "ZAR",
    reason: transfer.reason,
    source: "balance",
    source_details: null,
    failures: null,
    titan_code: null,
    transfer_code: `TRF_${transfer.id}`,
    transferred_at: transfer.status === "success" ? createdAt : null,
    gateway_response: null,
    session: { provider: null, id: null },
    createdAt,
    updatedAt: createdAt,
    recipient: buildRecipient(recipient),
  };
}

/** The answer to a new transfer: its recipient is only an id. */
export function buildCreatedTransfer(
  transfer: FakeTransfer,
  recipient: FakeRecipient,
): Record<string, unknown> {
  const { session: _, gateway_response: __, ...fields } = buildTransfer(transfer, recipient);
  return {
    ...fields,
    recipient: buildRecipient(recipient).id,
    request: 1,
    transfersessionid: [],
    transfertrials: [],
  };
}
