import Stripe from "stripe";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { buildLocalUrl } from "#platform/local-url.server.ts";
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
} from "../gateway.ts";
import { buildPayer } from "../payer.ts";
import type { PaymentState } from "../payment-state.ts";
import { isLiveKey } from "./settings.ts";

const SIGNATURE_TOLERANCE_SECONDS = 300;
/** The header of a signature. Anyone can post an unsigned body, which is no reason for an alert. */
const SIGNATURE_FORMAT = /^t=\d+,v1=[0-9a-f]{64}/;
const TIMEOUT_MS = 10_000;
const MAX_RETRIES = 1;

/** Event types that concern a purchase. */
const SESSION_EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
] as const;
const PAYMENT_EVENTS = [
  "charge.refunded",
  "charge.refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "charge.dispute.closed",
] as const;

let client: Stripe | null = null;

function getClient(): Stripe {
  client ??= new Stripe(env().stripe.secretKey, {
    ...readApiOptions(),
    // Resolves `fetch` on each call, so that tests can replace it. Refuses redirects, so that the key is
    // never sent to another host.
    httpClient: Stripe.createFetchHttpClient((url, init) =>
      fetch(url, { ...init, redirect: "error" }),
    ),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
  return client;
}

/** Returns the SDK's host: Stripe, the configured base URL, or this process for the fake. */
function readApiOptions() {
  const { apiBase, isFake } = env().stripe;
  const baseUrl = apiBase ?? (isFake ? buildLocalUrl() : null);
  if (!baseUrl) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    host: hostname,
    port: port || (protocol === "https:" ? 443 : 80),
    protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
  };
}

/** Stripe as a payment provider; the demo's fake Stripe is called in the same way. */
export const stripeGateway: PaymentGateway = {
  provider: "stripe",
  capabilities: { identifiesCards: true, refunds: true, disputes: true },
  describe: () => ({
    name: "Stripe",
    privacyUrl: "https://stripe.com/privacy",
    cookiesUrl: "https://stripe.com/cookies-policy/legal",
    checkoutOrigins: env().stripe.isFake ? [] : ["https://checkout.stripe.com"],
    sessionIdPattern: /^cs_/,
    buildDashboardUrl: (paymentId) =>
      env().stripe.isFake
        ? null
        : `https://dashboard.stripe.com/${isLiveMode() ? "" : "test/"}payments/${encodeURIComponent(paymentId)}`,
    signatureAdvice:
      "Compare STRIPE_WEBHOOK_SECRET with the webhook's signing secret, and check this machine's clock.",
  }),
  isConfigured: () => env().stripe.isConfigured,
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
  return isLiveKey(env().stripe.secretKey);
}

async function createCheckout(params: CheckoutParams): Promise<CreatedCheckout> {
  const session = await write(() =>
    getClient().checkout.sessions.create(
      {
        mode: "payment",
        // Charged in rand only: otherwise refunds and disputes would use the buyer's currency.
        adaptive_pricing: { enabled: false },
        client_reference_id: params.orderId,
        customer_email: params.email,
        // Otherwise Stripe offers what the account has.
        ...(params.isCardOnly ? { payment_method_types: ["card"] } : {}),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: "zar",
              unit_amount: params.amountCents,
              product_data: { name: params.title, description: params.description },
            },
          },
        ],
        metadata: { order: params.orderId, attempt: params.attempt },
        payment_intent_data: { metadata: { order: params.orderId } },
        // The braces are Stripe's placeholder.
        success_url: params.buildSuccessUrl("{CHECKOUT_SESSION_ID}"),
        cancel_url: params.cancelUrl,
        expires_at: Math.floor(params.expiresAt.getTime() / 1000),
      },
      {
        idempotencyKey: `order-${params.orderId}${params.attempt === 1 ? "" : `-${params.attempt}`}`,
      },
    ),
  );
  return { sessionId: session.id, url: session.url };
}

/** Tolerates a difference between our clock and Stripe's. */
const CLOCK_DIFFERENCE_SECONDS = 300;

/** Stripe cannot search by our reference, so this reads the sessions since the attempt. */
async function findCheckout({
  orderId,
  attempt,
  startedAt,
}: {
  orderId: string;
  attempt: number;
  startedAt: Date;
}): Promise<CreatedCheckout | null> {
  const since = Math.floor(startedAt.getTime() / 1000) - CLOCK_DIFFERENCE_SECONDS;
  return await read(async () => {
    const sessions = getClient().checkout.sessions.list({ created: { gte: since }, limit: 100 });
    for await (const session of sessions)
      if (session.client_reference_id === orderId && session.metadata?.attempt === String(attempt))
        return { sessionId: session.id, url: session.url };
    return null;
  });
}

async function readCheckout(sessionId: string): Promise<CheckoutDetails | null> {
  const session = await readOrNull(() =>
    getClient().checkout.sessions.retrieve(sessionId, { expand: ["payment_intent.latest_charge"] }),
  );
  return session && toCheckoutDetails(session);
}

async function readPayment(paymentId: string): Promise<PaymentDetails | null> {
  const intent = await readOrNull(() =>
    getClient().paymentIntents.retrieve(paymentId, { expand: ["latest_charge"] }),
  );
  if (!intent) return null;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const refunds = charge?.amount_refunded ? await listRefunds(intent.id) : [];
  const disputes = charge?.disputed ? await listDisputes(intent.id) : [];
  const { amount, currency } = charge ?? intent;
  // A disputed amount in another currency than the charge counts as the whole charge.
  const convertAmount = (dispute: Stripe.Dispute) =>
    dispute.currency === currency ? dispute.amount : amount;
  const lostDisputes = disputes.filter((dispute) => toDisputeStatus(dispute.status) === "lost");
  return {
    provider: "stripe",
    paymentId: intent.id,
    chargedCents: amount,
    currency: disputes.find((dispute) => dispute.currency !== currency)?.currency ?? currency,
    refundedCents: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    lostCents: lostDisputes.reduce((sum, dispute) => sum + convertAmount(dispute), 0),
    disputeStatus: combineDisputeStatuses(
      disputes.map((dispute) => toDisputeStatus(dispute.status)),
    ),
    disputes: disputes.map(toDisputeDetails),
    stuckRefundIds: refunds
      .filter((refund) => refund.status === "requires_action")
      .map((refund) => refund.id),
  };
}

function toDisputeDetails(dispute: Stripe.Dispute): DisputeDetails {
  const dueBy = dispute.evidence_details?.due_by;
  return {
    disputeId: dispute.id,
    status: toDisputeStatus(dispute.status),
    amountCents: dispute.amount,
    currency: dispute.currency,
    // While the bank examines the answer, the deadline stays.
    dueAt: dueBy && dispute.status.endsWith("needs_response") ? new Date(dueBy * 1000) : null,
  };
}

/** Stripe's own reasons are a closed list, so ours is stored as metadata. */
async function refund(params: RefundParams): Promise<RefundResult> {
  const { id, status } = await write(() =>
    getClient().refunds.create(
      {
        payment_intent: params.paymentId,
        amount: params.amountCents,
        metadata: { reason: params.reason },
      },
      { idempotencyKey: `refund-${params.idempotencyKey}` },
    ),
  );
  if (status === "succeeded") return { refundId: id, status: "done" };
  const hasFailed = status === "failed" || status === "canceled";
  return { refundId: id, status: hasFailed ? "failed" : "pending" };
}

/** Returns the valid refunds; the total of the charge can include refunds that failed later. */
async function listRefunds(paymentId: string): Promise<Stripe.Refund[]> {
  const refunds = await read(() =>
    getClient()
      .refunds.list({ payment_intent: paymentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
  return refunds.filter((refund) => refund.status !== "failed" && refund.status !== "canceled");
}

async function listDisputes(paymentId: string): Promise<Stripe.Dispute[]> {
  return await read(() =>
    getClient()
      .disputes.list({ payment_intent: paymentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
}

async function listEvents(
  since: Date,
): Promise<{ events: GatewayEvent[]; unreadableIds: string[] }> {
  const events: GatewayEvent[] = [];
  const unreadableIds: string[] = [];
  await read(async () => {
    const pages = getClient().events.list({
      types: [...SESSION_EVENTS, ...PAYMENT_EVENTS],
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: 100,
    });
    for await (const event of pages) {
      const gatewayEvent = readEvent(event);
      if (gatewayEvent) events.push(gatewayEvent);
      else unreadableIds.push(String(event.id));
    }
  });
  return { events: events.reverse(), unreadableIds };
}

/**
 * Rejects signatures more than five minutes old or in the future; the SDK alone would accept future ones.
 */
function verifyWebhook(
  rawBody: string,
  headers: Headers,
): { ok: true; event: GatewayEvent } | RejectedWebhook {
  const signature = headers.get("stripe-signature") ?? "";
  const eventId = findEventId(rawBody);
  const reject = (problem: RejectedWebhook["problem"]): RejectedWebhook => ({
    ok: false,
    problem,
    eventId,
    looksGenuine: eventId !== null && SIGNATURE_FORMAT.test(signature),
  });
  const nowMs = now().getTime();
  const signedAt = [...signature.matchAll(/(?:^|,)\s*t=(-?\d+)/g)].map(([, text]) => Number(text));
  if (signedAt.length !== 1) return reject("signature");
  if (Math.abs(nowMs / 1000 - (signedAt[0] ?? 0)) > SIGNATURE_TOLERANCE_SECONDS)
    return reject("signature");
  try {
    const { webhookSecret } = env().stripe;
    const stripeEvent = getClient().webhooks.constructEvent(
      rawBody,
      signature,
      webhookSecret,
      SIGNATURE_TOLERANCE_SECONDS,
      undefined,
      nowMs,
    );
    const event = readEvent(stripeEvent);
    return event ? { ok: true, event } : reject("unreadable");
  } catch (error) {
    const isSignatureInvalid = error instanceof Stripe.errors.StripeSignatureVerificationError;
    return reject(isSignatureInvalid ? "signature" : "unreadable");
  }
}

function findEventId(rawBody: string): string | null {
  return /"id"\s*:\s*"(evt_[A-Za-z0-9_-]{1,100})"/.exec(rawBody)?.[1] ?? null;
}

/** Returns the signature header for a body, for the fake provider and tests. */
export function signWebhook(rawBody: string): string {
  return getClient().webhooks.generateTestHeaderString({
    payload: rawBody,
    secret: env().stripe.webhookSecret,
    timestamp: Math.floor(now().getTime() / 1000),
  });
}

/** Returns null when the object is not a valid event. */
function readEvent(event: Stripe.Event): GatewayEvent | null {
  if (typeof event?.id !== "string" || typeof event.type !== "string") return null;
  const subject = readSubject(event);
  if (subject === undefined) return null;
  return {
    provider: "stripe",
    id: event.id,
    type: event.type,
    isLive: event.livemode === true,
    subject,
  };
}

/** Returns undefined when the event should have a subject but its object is not readable. */
function readSubject(event: Stripe.Event): GatewayEvent["subject"] | undefined {
  const object = event.data?.object as { id?: unknown; payment_intent?: unknown } | undefined;
  if (isOneOf(SESSION_EVENTS, event.type))
    return typeof object?.id === "string" ? { kind: "checkout", sessionId: object.id } : undefined;
  if (!isOneOf(PAYMENT_EVENTS, event.type)) return null;
  if (!object) return undefined;
  const paymentId = toId(object.payment_intent as string | { id: string } | null | undefined);
  // A charge without a payment intent was not made by us.
  return paymentId === null ? null : { kind: "payment", paymentId };
}

function isOneOf(types: readonly string[], type: string): boolean {
  return types.includes(type);
}

function toCheckoutDetails(session: Stripe.Checkout.Session): CheckoutDetails {
  const intent = session.payment_intent;
  const charge = typeof intent === "object" ? intent?.latest_charge : null;
  const card = typeof charge === "object" ? charge?.payment_method_details?.card : null;
  return {
    provider: "stripe",
    sessionId: session.id,
    orderId: session.client_reference_id,
    status: toPaymentState(session),
    amountCents: session.amount_total,
    currency: session.currency,
    isLive: session.livemode,
    paymentId: toId(intent),
    cardFingerprint: card?.fingerprint ?? null,
    cardWallet: card?.wallet?.type ?? null,
    payer: buildPayer(card, typeof charge === "object" ? charge?.billing_details?.name : null),
  };
}

/** A completed session stays complete when its delayed payment fails; only the payment shows it. */
function toPaymentState(session: Stripe.Checkout.Session): PaymentState {
  if (session.payment_status === "paid") return "paid";
  if (session.status === "expired") return "expired";
  if (session.status !== "complete") return "unpaid";
  const intent = session.payment_intent;
  const intentStatus = typeof intent === "object" ? intent?.status : null;
  return intentStatus === "requires_payment_method" || intentStatus === "canceled"
    ? "failed"
    : "delayed";
}

function toId(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

/** An inquiry counts as a dispute until it is closed, and an appeal opens it again. */
function toDisputeStatus(status: string): DisputeStatus {
  if (status === "lost") return "lost";
  if (status === "won" || status === "warning_closed" || status === "prevented") return "won";
  return "open";
}

async function read<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toGatewayError(error, "unavailable");
  }
}

async function readOrNull<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
    throw toGatewayError(error, "unavailable");
  }
}

/** Without an answer, the request may have arrived and been carried out. */
async function write<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toGatewayError(error, "unknown-outcome");
  }
}

/** Statuses that mean our key, its permissions or our request rate rather than this request. */
const UNAVAILABLE_STATUSES = [401, 403, 429];

function toGatewayError(
  error: unknown,
  withoutAnswer: "unavailable" | "unknown-outcome",
): GatewayError {
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  const problem =
    status < 400 || status >= 500
      ? withoutAnswer
      : UNAVAILABLE_STATUSES.includes(status)
        ? "unavailable"
        : "refused";
  return new GatewayError(error instanceof Error ? error.message : "no response", {
    problem,
    cause: error,
  });
}
