import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import {
  get,
  isDuplicateReference,
  list,
  PAGE_SIZE,
  PaystackRefusal,
  parseAnswer,
  parseJson,
  post,
} from "#platform/paystack-api.server.ts";
import {
  type CheckoutDetails,
  type CheckoutParams,
  type CreatedCheckout,
  combineDisputeStatuses,
  type DisputeDetails,
  type DisputeStatus,
  GatewayError,
  type GatewayEvent,
  type PaymentDetails,
  type PaymentGateway,
  type RefundParams,
  type RefundResult,
  type RejectedWebhook,
  TRANSFER_REVERSED,
} from "../gateway.ts";
import { buildPayer } from "../payer.ts";
import type { PaymentState } from "../payment-state.ts";
import {
  checkoutSchema,
  type Dispute,
  disputeSchema,
  type Refund,
  refundSchema,
  type Transaction,
  transactionSchema,
  transferSchema,
  webhookSchema,
} from "./objects.ts";
import { isLiveKey } from "./settings.ts";

// A checkout and its payment have one id: our reference of the attempt, `<order id>.<attempt>`.

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Paystack's payment pages do not expire, so an unpaid one counts as expired after this time. */
const CHECKOUT_LIFETIME_MS = HOUR_MS;
/** How much earlier than its last change each kind of object may have been created; lists filter by creation. */
const LIST_OVERLAP_MS = {
  transaction: DAY_MS,
  refund: 14 * DAY_MS,
  dispute: 60 * DAY_MS,
  transfer: 60 * DAY_MS,
};

/** Paystack as a payment provider; the demo's fake Paystack is called in the same way. */
export const paystackGateway: PaymentGateway = {
  provider: "paystack",
  capabilities: { identifiesCards: true, refunds: true, disputes: true },
  describe: () => ({
    name: "Paystack",
    // One page of the South African company.
    privacyUrl: "https://paystack.com/za/terms",
    cookiesUrl: "https://paystack.com/za/terms",
    checkoutOrigins: env().paystack.isFake ? [] : ["https://checkout.paystack.com"],
    sessionIdPattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\./,
    // The dashboard's pages have Paystack's own ids. Its search finds our reference.
    buildDashboardUrl: () => null,
    signatureAdvice:
      "Compare PAYSTACK_SECRET_KEY with the account's secret key. After a new key was made, set the old one as PAYSTACK_SECRET_KEY_PREVIOUS for three days.",
  }),
  isConfigured: () => env().paystack.isConfigured,
  isLiveMode,
  createCheckout,
  findCheckout,
  readCheckout,
  readPayment,
  verifyWebhook,
  listEvents,
  refund,
};

function isLiveMode(): boolean {
  return isLiveKey(env().paystack.secretKey);
}

function buildReference({ orderId, attempt }: { orderId: string; attempt: number }): string {
  return `${orderId}.${attempt}`;
}

/** Returns the order id of one of our references; null for payments that other software of the account made. */
function findOrderId(reference: unknown): string | null {
  const [, orderId = ""] = /^([0-9a-f-]{36})\.\d{1,3}$/.exec(String(reference ?? "")) ?? [];
  return isId(orderId) ? orderId : null;
}

/**
 * Returns a page without an address when this attempt has one already: Paystack refuses a reference that was used and
 * never returns its address again.
 */
async function createCheckout(params: CheckoutParams): Promise<CreatedCheckout> {
  const reference = buildReference(params);
  const initialise = () =>
    post("/transaction/initialize", {
      email: params.email,
      amount: String(params.amountCents),
      currency: "ZAR",
      reference,
      callback_url: params.buildSuccessUrl(reference),
      // Otherwise Paystack offers what the account has: card, EFT, Capitec Pay, QR.
      ...(params.isCardOnly ? { channels: ["card"] } : {}),
      metadata: {
        cancel_action: params.cancelUrl,
        // Shown beside the payment in the dashboard.
        custom_fields: [
          { display_name: "Coin pack", variable_name: "coin_pack", value: params.title },
        ],
      },
    });
  try {
    // The same reference makes a second attempt after a lost answer harmless.
    const data = await initialise().catch((error: unknown) => {
      if (error instanceof GatewayError && error.problem === "unknown-outcome") return initialise();
      throw error;
    });
    const { authorization_url: url } = parseAnswer(checkoutSchema, data, "unknown-outcome");
    return { sessionId: reference, url };
  } catch (error) {
    if (!isDuplicateReference(error)) throw error;
    return { sessionId: reference, url: null, hasLostUrl: true };
  }
}

async function findCheckout(attempt: {
  orderId: string;
  attempt: number;
}): Promise<CreatedCheckout | null> {
  const transaction = await findTransaction(buildReference(attempt));
  return transaction && { sessionId: transaction.reference, url: null };
}

async function readCheckout(sessionId: string): Promise<CheckoutDetails | null> {
  const transaction = await findTransaction(sessionId);
  return transaction && toCheckoutDetails(transaction);
}

async function findTransaction(reference: string): Promise<Transaction | null> {
  try {
    const data = await get(`/transaction/verify/${encodeURIComponent(reference)}`);
    const transaction = parseAnswer(transactionSchema, data, "refused");
    return transaction.reference === reference ? transaction : null;
  } catch (error) {
    if (error instanceof PaystackRefusal && isNotFound(error)) return null;
    throw error;
  }
}

function isNotFound({ status, code, message, problem }: PaystackRefusal): boolean {
  if (problem !== "refused") return false;
  return status === 404 || code === "transaction_not_found" || /reference not found/i.test(message);
}

function toCheckoutDetails(transaction: Transaction): CheckoutDetails {
  const { reference, channel, authorization } = transaction;
  const status = toPaymentState(transaction);
  const card = channel === "card" ? authorization : null;
  return {
    provider: "paystack",
    sessionId: reference,
    orderId: findOrderId(reference),
    status,
    amountCents: readRequestedCents(transaction),
    currency: transaction.currency,
    isLive: isLiveDomain(transaction.domain),
    paymentId: status === "paid" || status === "delayed" ? reference : null,
    cardFingerprint: card?.signature || null,
    cardWallet: null,
    payer: buildPayer(card, card?.account_name),
  };
}

/** What we asked for, if at least that was paid. The customer may have paid the fees on top. */
function readRequestedCents({ amount, requested_amount: requested }: Transaction): number {
  return requested == null || amount < requested ? amount : requested;
}

const PAID = ["success", "reversed", "reversal_pending", "reversal-pending"];
const ON_ITS_WAY = ["pending", "processing", "queued"];

/**
 * A payment that went back was paid first: its coins are credited and then taken. After a declined card the customer may
 * try another one on the same page, so that only the failure of another payment method ends a checkout.
 */
function toPaymentState(transaction: Transaction): PaymentState {
  const { status, channel } = transaction;
  if (PAID.includes(status)) return "paid";
  const isByCard = channel == null || channel === "card";
  if (!isByCard && ON_ITS_WAY.includes(status)) return "delayed";
  if (!isByCard && status === "failed") return "failed";
  const createdAt = readCreatedAt(transaction);
  const age = createdAt ? now().getTime() - createdAt.getTime() : 0;
  return age >= CHECKOUT_LIFETIME_MS ? "expired" : "unpaid";
}

const readCreatedAt = ({ created_at, createdAt }: Transaction) => created_at ?? createdAt;

/** Keys are of one mode, so an object that does not say is of the mode of the key. */
function isLiveDomain(domain: string | null | undefined): boolean {
  return domain ? domain === "live" : isLiveMode();
}

async function readPayment(paymentId: string): Promise<PaymentDetails | null> {
  const transaction = await findTransaction(paymentId);
  if (!transaction) return null;
  const [refunds, disputes] = await Promise.all([
    listRefunds(transaction),
    listDisputes(transaction),
  ]);
  const chargedCents = readRequestedCents(transaction);
  const lost = disputes.filter((dispute) => toDisputeStatus(dispute) === "lost");
  const lostCents = Math.min(
    chargedCents,
    lost.reduce((sum, dispute) => sum + (dispute.refund_amount ?? chargedCents), 0),
  );
  // The refund by which a lost dispute is paid is in both lists.
  const counted = refunds.filter(
    ({ status, dispute }) => status !== "failed" && !(lost.length > 0 && dispute),
  );
  const listedCents = counted.reduce((sum, { amount }) => sum + amount, 0);
  const refundedCents =
    transaction.status === "reversed"
      ? chargedCents - lostCents
      : Math.min(chargedCents, listedCents);
  return {
    provider: "paystack",
    paymentId: transaction.reference,
    chargedCents,
    currency: transaction.currency,
    refundedCents,
    lostCents,
    disputeStatus: combineDisputeStatuses(disputes.map(toDisputeStatus)),
    disputes: disputes.map((dispute) =>
      toDisputeDetails(dispute, { chargedCents, ...transaction }),
    ),
    stuckRefundIds: refunds
      .filter(({ status }) => status === "needs-attention")
      .map((stuckRefund) => stuckRefund.id),
  };
}

/** A pending refund counts, because its money has left: otherwise its coins could be spent meanwhile. */
async function listRefunds({ id, reference }: Transaction): Promise<Refund[]> {
  const items = await list("/refund", { transaction: id });
  return items
    .map((item) => parseAnswer(refundSchema, item, "refused"))
    .filter((item) => item.transaction === id || item.transaction_reference === reference);
}

async function listDisputes({ id }: Transaction): Promise<Dispute[]> {
  const items = await list("/dispute", { transaction: id });
  return items
    .map((item) => parseAnswer(disputeSchema, item, "refused"))
    .filter((item) => item.transaction.id === id);
}

function toDisputeStatus({ status, resolution }: Dispute): DisputeStatus {
  if (status === "archived") return "won";
  if (status !== "resolved") return "open";
  return resolution === "declined" ? "won" : "lost";
}

function toDisputeDetails(
  dispute: Dispute,
  payment: { chargedCents: number; currency: string },
): DisputeDetails {
  return {
    disputeId: dispute.id,
    status: toDisputeStatus(dispute),
    amountCents: dispute.refund_amount ?? payment.chargedCents,
    currency: dispute.currency ?? payment.currency,
    dueAt: dispute.status === "awaiting-bank-feedback" ? null : dispute.dueAt,
  };
}

/**
 * Paystack has no idempotency keys. Ours is in the note of the refund, and the refunds of the payment are listed before
 * one is requested and after its answer was lost.
 */
async function refund({
  paymentId,
  amountCents,
  reason,
  idempotencyKey,
}: RefundParams): Promise<RefundResult> {
  const transaction = await beforeRefund(() => findTransaction(paymentId));
  if (!transaction)
    throw new GatewayError(`the provider does not know payment ${paymentId}`, {
      problem: "refused",
    });
  const findOwn = async () =>
    (await listRefunds(transaction)).find((item) => item.merchant_note?.startsWith(idempotencyKey));
  const earlier = await beforeRefund(findOwn);
  if (earlier) return toRefundResult(earlier);
  try {
    const data = await post("/refund", {
      transaction: transaction.id,
      amount: amountCents,
      currency: transaction.currency.toUpperCase(),
      merchant_note: `${idempotencyKey} ${reason}`,
    });
    return toRefundResult(parseAnswer(refundSchema, data, "unknown-outcome"));
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem !== "unknown-outcome") throw error;
    const made = await findOwn().catch(() => undefined);
    if (!made) throw error;
    return toRefundResult(made);
  }
}

/** While the refunds cannot be read, it is not known whether an earlier call has made this one. */
async function beforeRefund<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem === "refused") throw error;
    throw new GatewayError(error.message, { problem: "unknown-outcome", cause: error });
  }
}

function toRefundResult({ id, status }: Refund): RefundResult {
  if (status === "processed") return { refundId: id, status: "done" };
  return { refundId: id, status: status === "failed" ? "failed" : "pending" };
}

/**
 * Paystack has no list of events, so this lists the objects that can have changed. The event of an object has its state
 * in its id, so that each state is handled once.
 */
async function listEvents(
  since: Date,
  { includesTransfers } = { includesTransfers: false },
): Promise<{ events: GatewayEvent[]; unreadableIds: string[] }> {
  const unreadableIds: string[] = [];
  const readSince = async <T extends v.GenericSchema>(
    path: string,
    kind: keyof typeof LIST_OVERLAP_MS,
    schema: T,
    query: Record<string, string> = {},
  ): Promise<v.InferOutput<T>[]> => {
    const from = new Date(since.getTime() - LIST_OVERLAP_MS[kind]).toISOString();
    const items = await list(path, { ...query, from });
    return items.flatMap((item) => {
      const parsed = v.safeParse(schema, item);
      if (parsed.success) return [parsed.output];
      unreadableIds.push(`${kind}:${String((item as { id?: unknown } | null)?.id)}`);
      return [];
    });
  };
  const paid = await readSince("/transaction", "transaction", transactionSchema, {
    status: "success",
  });
  const reversed = await readSince("/transaction", "transaction", transactionSchema, {
    status: "reversed",
  });
  const refunds = await readSince("/refund", "refund", refundSchema);
  const disputes = await readSince("/dispute", "dispute", disputeSchema);
  // Others are followed until they have ended. One that ended well can still come back. Payments do not wait for this
  // list, which other rights of the key or another outage can concern. Its next run covers the same 60 days.
  const returned = includesTransfers
    ? await readSince("/transfer", "transfer", transferSchema, {
        status: "reversed",
        // The name that this list is described with. The others take perPage.
        per_page: String(PAGE_SIZE),
      }).catch((error: unknown) => {
        if (!(error instanceof GatewayError)) throw error;
        logFailure("warn", { error }, "returned transfers cannot be listed");
        if (error.problem === "refused") unreadableIds.push("transfer:list");
        return [];
      })
    : [];
  const isRecent = (transaction: Transaction) => {
    const at = transaction.paid_at ?? readCreatedAt(transaction);
    return at === null || at >= since;
  };
  const events = [
    ...[...paid.filter(isRecent), ...reversed].map((transaction) =>
      buildEvent(buildChargeId(transaction.reference), "charge.success", {
        domain: transaction.domain,
        subject: toCheckoutSubject(transaction.reference),
      }),
    ),
    ...reversed.map((transaction) =>
      buildEvent(`reversal:${transaction.reference}`, "charge.reversed", {
        domain: transaction.domain,
        subject: toPaymentSubject(transaction.reference),
      }),
    ),
    ...refunds.map((item) =>
      buildEvent(`refund:${item.id}:${item.status}`, `refund.${item.status}`, {
        domain: item.domain,
        subject: toPaymentSubject(item.transaction_reference),
      }),
    ),
    ...disputes.map((dispute) =>
      buildEvent(buildDisputeId(dispute), "charge.dispute", {
        domain: dispute.domain,
        subject: toPaymentSubject(dispute.transaction.reference),
      }),
    ),
    ...returned.map(({ reference, domain }) =>
      buildEvent(`transfer:${reference}:${TRANSFER_REVERSED}`, TRANSFER_REVERSED, {
        domain,
        subject: toTransferSubject(reference),
      }),
    ),
  ];
  return { events: events.filter(({ subject }) => subject !== null), unreadableIds };
}

const buildChargeId = (reference: string) => `charge:${reference}`;

const buildDisputeId = (dispute: { id?: unknown; status?: unknown; resolution?: unknown }) =>
  `dispute:${dispute.id}:${dispute.status}:${dispute.resolution ?? ""}`;

function buildEvent(
  id: string,
  type: string,
  { domain, subject }: { domain: string | null | undefined; subject: GatewayEvent["subject"] },
): GatewayEvent {
  return { provider: "paystack", id, type, isLive: isLiveDomain(domain), subject };
}

function toCheckoutSubject(reference: unknown): GatewayEvent["subject"] {
  return findOrderId(reference) ? { kind: "checkout", sessionId: String(reference) } : null;
}

function toPaymentSubject(reference: unknown): GatewayEvent["subject"] {
  return findOrderId(reference) ? { kind: "payment", paymentId: String(reference) } : null;
}

/** Transfers that other software of the account makes have other references. */
function toTransferSubject(reference: unknown): GatewayEvent["subject"] {
  return typeof reference === "string" && isId(reference) ? { kind: "transfer", reference } : null;
}

/** The signature is the HMAC-SHA512 of the body with the secret key, in hex. */
const SIGNATURE_FORMAT = /^[0-9a-f]{128}$/;

function verifyWebhook(
  rawBody: string,
  headers: Headers,
): { ok: true; event: GatewayEvent } | RejectedWebhook {
  const signature = headers.get("x-paystack-signature") ?? "";
  const reject = (problem: RejectedWebhook["problem"]): RejectedWebhook => ({
    ok: false,
    problem,
    eventId: null,
    looksGenuine: SIGNATURE_FORMAT.test(signature) && /"event"\s*:\s*"[a-z.]+"/.test(rawBody),
  });
  const { secretKey, previousSecretKey } = env().paystack;
  const keys = previousSecretKey ? [secretKey, previousSecretKey] : [secretKey];
  if (!keys.some((key) => isSignedWith(key, rawBody, signature))) return reject("signature");
  const event = readWebhook(rawBody);
  return event ? { ok: true, event } : reject("unreadable");
}

function isSignedWith(key: string, rawBody: string, signature: string): boolean {
  const expected = Buffer.from(signWebhook(rawBody, key));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** Returns the signature of a body, also for the fake provider and tests. */
export function signWebhook(rawBody: string, key = env().paystack.secretKey): string {
  return createHmac("sha512", key).update(rawBody).digest("hex");
}

/** Returns null when the body is not a valid event. An event without an id of its own is identified by its body. */
function readWebhook(rawBody: string): GatewayEvent | null {
  let body: unknown;
  try {
    body = parseJson(rawBody);
  } catch {
    return null;
  }
  const parsed = v.safeParse(webhookSchema, body);
  if (!parsed.success) return null;
  const { event, data } = parsed.output;
  const bodyHash = createHash("sha256").update(rawBody).digest("hex");
  if (event === "charge.success")
    return buildEvent(
      findOrderId(data.reference) ? buildChargeId(String(data.reference)) : bodyHash,
      event,
      { domain: data.domain, subject: toCheckoutSubject(data.reference) },
    );
  if (event.startsWith("transfer."))
    return buildEvent(`transfer:${data.reference}:${event}`, event, {
      domain: data.domain,
      subject: toTransferSubject(data.reference),
    });
  const { reference } = v.is(v.object({ reference: v.unknown() }), data.transaction)
    ? data.transaction
    : { reference: data.transaction_reference };
  if (event.startsWith("charge.dispute."))
    return buildEvent(buildDisputeId(data), event, {
      domain: data.domain,
      subject: toPaymentSubject(reference),
    });
  const subject = event.startsWith("refund.") ? toPaymentSubject(reference) : null;
  return buildEvent(bodyHash, event, { domain: data.domain, subject });
}
