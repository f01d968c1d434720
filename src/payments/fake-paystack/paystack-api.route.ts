import { and, desc, eq, gte } from "drizzle-orm";
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import type { HttpEnv } from "#platform/http/http.server.ts";
import { buildDispute, buildRefund, buildTransaction, toJson } from "./objects.server.ts";
import {
  fakePaystackDisputes,
  fakePaystackRefunds,
  fakePaystackTransactions,
} from "./tables.server.ts";
import { createRefund, findTransaction } from "./transactions.server.ts";
import {
  buildCreatedTransfer,
  buildRecipient,
  buildTransfer,
  ensureRecipient,
  listFakeTransfers,
  readDigits,
  readFakeBalance,
  sendFakeTransfer,
} from "./transfers.server.ts";

const initialiseSchema = v.object({
  email: v.pipe(v.string(), v.email()),
  amount: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)),
  currency: v.literal("ZAR"),
  reference: v.pipe(v.string(), v.regex(/^[A-Za-z0-9.=-]+$/)),
  callback_url: v.pipe(v.string(), v.url()),
  channels: v.optional(v.tuple([v.literal("card")])),
  metadata: v.object({
    cancel_action: v.pipe(v.string(), v.url()),
    custom_fields: v.array(v.object({ value: v.string() })),
  }),
});

const refundSchema = v.object({
  transaction: v.string(),
  amount: v.number(),
  currency: v.literal("ZAR"),
  merchant_note: v.string(),
});

const validateSchema = v.object({
  bank_code: v.pipe(v.string(), v.regex(/^\d{6}$/)),
  country_code: v.literal("ZA"),
  account_number: v.pipe(v.string(), v.regex(/^\d{5,16}$/)),
  account_name: v.pipe(v.string(), v.nonEmpty()),
  account_type: v.picklist(["personal", "business"]),
  document_type: v.picklist(["identityNumber", "passportNumber", "businessRegistrationNumber"]),
  document_number: v.pipe(v.string(), v.nonEmpty()),
});

const recipientSchema = v.object({
  type: v.literal("basa"),
  name: v.pipe(v.string(), v.nonEmpty()),
  account_number: v.pipe(v.string(), v.nonEmpty()),
  bank_code: v.pipe(v.string(), v.nonEmpty()),
  currency: v.literal("ZAR"),
});

const transferSchema = v.object({
  source: v.literal("balance"),
  amount: v.pipe(v.number(), v.integer(), v.minValue(1)),
  currency: v.literal("ZAR"),
  recipient: v.string(),
  reference: v.pipe(v.string(), v.regex(/^[a-z0-9_-]{16,50}$/)),
  reason: v.string(),
});

const TRANSFER_REFUSALS = {
  duplicate: ["Duplicate Transfer Reference", "duplicate_reference"],
  "no-such-recipient": ["Recipient specified is invalid", "invalid_params"],
  "insufficient-balance": [
    "Your balance is not enough to fulfil this request",
    "insufficient_balance",
  ],
} as const;

/** The subset of Paystack's API that the gateway and the payouts call. */
export function createPaystackApi(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${env().paystack.secretKey}`)
      return refuse(c, 401, "Invalid key", "invalid_Key");
    await next();
  });

  app.post("/transaction/initialize", async (c) => {
    const parsed = v.safeParse(initialiseSchema, await readBody(c));
    if (!parsed.success) return refuse(c, 400, parsed.issues[0].message, "invalid_params");
    const { reference, email, amount, currency, callback_url, channels, metadata } = parsed.output;
    const [created] = await database()
      .insert(fakePaystackTransactions)
      .values({
        reference,
        customerEmail: email,
        title: metadata.custom_fields[0]?.value ?? "",
        amountCents: amount,
        currency,
        callbackUrl: callback_url,
        cancelUrl: metadata.cancel_action,
        isCardOnly: channels !== undefined,
        createdAt: now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!created) return refuse(c, 400, "Duplicate Transaction Reference", "duplicate_reference");
    return respond(c, {
      authorization_url: `${env().appUrl}/demo/checkout/${reference}`,
      access_code: created.id,
      reference,
    });
  });

  app.get("/transaction/verify/:reference", async (c) => {
    const transaction = await findTransaction(c.req.param("reference"));
    if (!transaction)
      return refuse(c, 400, "Transaction reference not found", "transaction_not_found");
    return respond(c, buildTransaction(transaction));
  });

  app.get("/transaction", async (c) => {
    const { limit, offset } = readPage(c);
    const { status, from } = c.req.query();
    const rows = await database()
      .select()
      .from(fakePaystackTransactions)
      .where(
        and(
          eq(fakePaystackTransactions.status, status as "success"),
          gte(fakePaystackTransactions.createdAt, new Date(from ?? 0)),
        ),
      )
      .orderBy(desc(fakePaystackTransactions.createdAt), desc(fakePaystackTransactions.id))
      .limit(limit)
      .offset(offset);
    return respond(c, rows.map(buildTransaction));
  });

  app.get("/refund", async (c) => {
    const { limit, offset } = readPage(c);
    const rows = await database()
      .select({ refund: fakePaystackRefunds, transaction: fakePaystackTransactions })
      .from(fakePaystackRefunds)
      .innerJoin(
        fakePaystackTransactions,
        eq(fakePaystackTransactions.reference, fakePaystackRefunds.reference),
      )
      .where(and(isOfTransaction(c), gte(fakePaystackRefunds.createdAt, readFrom(c))))
      .orderBy(desc(fakePaystackRefunds.createdAt), desc(fakePaystackRefunds.id))
      .limit(limit)
      .offset(offset);
    return respond(
      c,
      rows.map(({ refund, transaction }) => buildRefund(refund, transaction)),
    );
  });

  app.post("/refund", async (c) => {
    const parsed = v.safeParse(refundSchema, await readBody(c));
    if (!parsed.success) return refuse(c, 400, parsed.issues[0].message, "invalid_params");
    const { transaction: id, amount, merchant_note } = parsed.output;
    const [found] = await database()
      .select({ reference: fakePaystackTransactions.reference })
      .from(fakePaystackTransactions)
      .where(eq(fakePaystackTransactions.id, id));
    const created =
      found &&
      (await createRefund(found.reference, { amountCents: amount, merchantNote: merchant_note }));
    if (!created)
      return refuse(c, 400, "Refund amount cannot be more than what remains", "invalid_params");
    const { refund, transaction } = created;
    return respond(c, {
      ...buildRefund(refund, transaction),
      transaction: buildTransaction(transaction),
    });
  });

  app.get("/dispute", async (c) => {
    const { limit, offset } = readPage(c);
    const rows = await database()
      .select({ dispute: fakePaystackDisputes, transaction: fakePaystackTransactions })
      .from(fakePaystackDisputes)
      .innerJoin(
        fakePaystackTransactions,
        eq(fakePaystackTransactions.reference, fakePaystackDisputes.reference),
      )
      .where(and(isOfTransaction(c), gte(fakePaystackDisputes.createdAt, readFrom(c))))
      .orderBy(desc(fakePaystackDisputes.createdAt), desc(fakePaystackDisputes.id))
      .limit(limit)
      .offset(offset);
    return respond(
      c,
      rows.map(({ dispute, transaction }) => buildDispute(dispute, transaction)),
    );
  });

  app.post("/bank/validate", async (c) => {
    const parsed = v.safeParse(validateSchema, await readBody(c));
    if (!parsed.success) return refuse(c, 400, parsed.issues[0].message, "invalid_params");
    const digits = readDigits(parsed.output.account_number);
    if (digits === "0008") return c.json({ status: false, message: "Bank not responding" }, 503);
    return respond(c, {
      verified: digits !== "0006",
      verificationMessage: "Account is verified",
      accountAcceptsDebits: true,
      accountAcceptsCredits: digits !== "0007",
      accountOpenForMoreThanThreeMonths: true,
      accountHolderMatch: digits !== "0006",
      accountOpen: true,
    });
  });

  app.get("/balance", async (c) =>
    respond(c, [{ currency: "ZAR", balance: await readFakeBalance() }]),
  );

  app.post("/transferrecipient", async (c) => {
    const parsed = v.safeParse(recipientSchema, await readBody(c));
    if (!parsed.success) return refuse(c, 400, parsed.issues[0].message, "invalid_params");
    const { name, account_number: accountNumber, bank_code: bankCode } = parsed.output;
    return respond(
      c,
      buildRecipient(await ensureRecipient({ name, accountNumber, bankCode })),
      201,
    );
  });

  app.post("/transfer", async (c) => {
    const parsed = v.safeParse(transferSchema, await readBody(c));
    if (!parsed.success) return refuse(c, 400, parsed.issues[0].message, "invalid_params");
    const { reference, recipient: recipientCode, amount: amountCents, reason } = parsed.output;
    const result = await sendFakeTransfer({ reference, recipientCode, amountCents, reason });
    if (!result.ok) {
      const [message, code] = TRANSFER_REFUSALS[result.refusal];
      return refuse(c, 400, message, code);
    }
    if (!result.isAnswered) return c.text("Gateway Timeout", 504);
    return respond(c, buildCreatedTransfer(result.transfer, result.recipient));
  });

  app.get("/transfer/verify/:reference", async (c) => {
    const [found] = await listFakeTransfers({ reference: c.req.param("reference") });
    if (!found) return refuse(c, 404, "Transfer not found", "transfer_not_found");
    return respond(c, buildTransfer(found.transfer, found.recipient));
  });

  app.get("/transfer", async (c) => {
    const { limit, offset } = readPage(c);
    const listed = await listFakeTransfers({ status: c.req.query("status"), from: readFrom(c) });
    const found = listed.slice(offset, offset + limit);
    return respond(
      c,
      found.map(({ transfer, recipient }) => buildTransfer(transfer, recipient)),
    );
  });

  app.all("*", (c) => refuse(c, 404, "The fake provider does not implement this call.", ""));
  return app;
}

const readBody = async (c: Context<HttpEnv>): Promise<unknown> =>
  await c.req.json().catch(() => null);

const readFrom = (c: Context<HttpEnv>) => new Date(c.req.query("from") ?? 0);

function isOfTransaction(c: Context<HttpEnv>) {
  const id = c.req.query("transaction");
  return id ? eq(fakePaystackTransactions.id, id) : undefined;
}

function readPage(c: Context<HttpEnv>): { limit: number; offset: number } {
  const limit = Math.min(100, Number(c.req.query("perPage") ?? 50));
  return { limit, offset: limit * (Number(c.req.query("page") ?? 1) - 1) };
}

function respond(c: Context<HttpEnv>, data: unknown, status: 200 | 201 = 200): Response {
  const body = toJson({ status: true, message: "Successful", data });
  return c.body(body, status, { "Content-Type": "application/json" });
}

function refuse(
  c: Context<HttpEnv>,
  status: 400 | 401 | 404,
  message: string,
  code: string,
): Response {
  return c.json({ status: false, message, type: "validation_error", code }, status);
}
