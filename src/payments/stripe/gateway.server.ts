import Stripe from "stripe";
import { now } from "#platform/clock.server.ts";
import { env, isLiveKey } from "#platform/env.server.ts";

/** A checkout session, as read from the provider. */
export type CheckoutSessionDetails = {
  sessionId: string;
  /** The order id that we passed as the client reference; null when the session has none. */
  orderId: string | null;
  status: "open" | "complete" | "expired";
  isPaid: boolean;
  amountCents: number | null;
  currency: string | null;
  isLive: boolean;
  paymentIntentId: string | null;
  /** Identifies the payment card across payments. */
  cardFingerprint: string | null;
  /** The mobile wallet that paid, if any; its fingerprint differs per device. */
  cardWallet: string | null;
  /** Identifies a payment card by brand, last digits and cardholder; null unless all are known. */
  payer: string | null;
};

export type DisputeStatus = "open" | "won" | "lost";

/**
 * The state of a payment: the amounts refunded and lost in disputes, in its own currency. Both can decrease:
 * a refund can fail, and a lost dispute can be reversed. With several disputes, open takes precedence over
 * lost, and lost over won.
 */
export type PaymentDetails = {
  paymentIntentId: string;
  chargedCents: number;
  currency: string;
  refundedCents: number;
  lostCents: number;
  disputeStatus: DisputeStatus | null;
};

/** A signed event about a session, a payment, or neither. */
export type PaymentEvent = {
  id: string;
  type: string;
  isLive: boolean;
  session: CheckoutSessionDetails | null;
  paymentIntentId: string | null;
};

export type CheckoutParams = {
  orderId: string;
  /** Each attempt has its own idempotency key, because it requests another expiry. */
  attempt: 1 | 2;
  title: string;
  description: string;
  amountCents: number;
  email: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
};

/** Thrown when the provider cannot be reached or rejects a request. A later retry may succeed. */
export class GatewayError extends Error {
  /** True when only this request fails; false during an outage of the provider. */
  readonly isRequestError: boolean;

  constructor(
    message: string,
    { cause, isRequestError }: { cause?: unknown; isRequestError?: boolean } = {},
  ) {
    super(message, { cause });
    const status = cause instanceof Stripe.errors.StripeError ? (cause.statusCode ?? 0) : 0;
    this.isRequestError =
      isRequestError ?? (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
  }
}

/** Result for a rejected webhook: not signed by the provider, or signed but unreadable. */
export type RejectedWebhook = {
  ok: false;
  problem: "signature" | "unreadable";
  /** The event id in the body, if readable. Not trustworthy when the signature is wrong. */
  eventId: string | null;
};

const SIGNATURE_TOLERANCE_SECONDS = 300;
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

/** Returns the URL at which this process can call itself. */
export function buildLocalUrl(): string {
  const { host, port } = env();
  const reachableHost = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachableHost.includes(":") ? `[${reachableHost.replace(/[[\]]/g, "")}]` : reachableHost}:${port}`;
}

/** Returns whether the configured key is a live key. Sessions and events must match its mode. */
export function isLiveMode(): boolean {
  return isLiveKey(env().stripe.secretKey);
}

/**
 * Creates the provider's payment page for an order. Idempotent per order and attempt. Throws a
 * GatewayError when the provider fails.
 */
export async function createCheckout(
  params: CheckoutParams,
): Promise<{ sessionId: string; url: string | null }> {
  const session = await callProvider(() =>
    getClient().checkout.sessions.create(
      {
        mode: "payment",
        // Charged in rand only: otherwise refunds and disputes would use the buyer's currency.
        adaptive_pricing: { enabled: false },
        client_reference_id: params.orderId,
        customer_email: params.email,
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
        metadata: { order: params.orderId },
        payment_intent_data: { metadata: { order: params.orderId } },
        success_url: params.successUrl,
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

/** Returns the current state of a checkout session with its payment card; null when it does not exist. */
export async function readSession(sessionId: string): Promise<CheckoutSessionDetails | null> {
  const session = await callProviderOrNull(() =>
    getClient().checkout.sessions.retrieve(sessionId, { expand: ["payment_intent.latest_charge"] }),
  );
  return session && toSessionDetails(session);
}

/** Returns the current state of a payment; null when it does not exist. */
export async function readPayment(paymentIntentId: string): Promise<PaymentDetails | null> {
  const intent = await callProviderOrNull(() =>
    getClient().paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] }),
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
    paymentIntentId: intent.id,
    chargedCents: amount,
    currency: disputes.find((dispute) => dispute.currency !== currency)?.currency ?? currency,
    refundedCents: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    lostCents: lostDisputes.reduce((sum, dispute) => sum + convertAmount(dispute), 0),
    disputeStatus: combineStatuses(disputes.map((dispute) => toDisputeStatus(dispute.status))),
  };
}

/** Returns the valid refunds; the total of the charge can include refunds that failed later. */
async function listRefunds(paymentIntentId: string): Promise<Stripe.Refund[]> {
  const refunds = await callProvider(() =>
    getClient()
      .refunds.list({ payment_intent: paymentIntentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
  return refunds.filter((refund) => refund.status !== "failed" && refund.status !== "canceled");
}

async function listDisputes(paymentIntentId: string): Promise<Stripe.Dispute[]> {
  return await callProvider(() =>
    getClient()
      .disputes.list({ payment_intent: paymentIntentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
}

function combineStatuses(statuses: DisputeStatus[]): DisputeStatus | null {
  return (["open", "lost", "won"] as const).find((status) => statuses.includes(status)) ?? null;
}

/** Returns the purchase events since an instant, oldest first, and the ids of unreadable ones. */
export async function listEvents(
  since: Date,
): Promise<{ events: PaymentEvent[]; unreadableIds: string[] }> {
  const events: PaymentEvent[] = [];
  const unreadableIds: string[] = [];
  await callProvider(async () => {
    const pages = getClient().events.list({
      types: [...SESSION_EVENTS, ...PAYMENT_EVENTS],
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: 100,
    });
    for await (const event of pages) {
      const paymentEvent = readEvent(event);
      if (paymentEvent) events.push(paymentEvent);
      else unreadableIds.push(String(event.id));
    }
  });
  return { events: events.reverse(), unreadableIds };
}

/**
 * Verifies the signature of a webhook and returns its event. Rejects signatures more than five minutes old
 * or in the future; the SDK alone would accept future ones.
 */
export function verifyWebhook(
  rawBody: string,
  signature: string | undefined,
): { ok: true; event: PaymentEvent } | RejectedWebhook {
  const reject = (problem: RejectedWebhook["problem"]): RejectedWebhook => ({
    ok: false,
    problem,
    eventId: findEventId(rawBody),
  });
  const nowMs = now().getTime();
  const signedAt = [...(signature ?? "").matchAll(/(?:^|,)\s*t=(-?\d+)/g)].map(([, text]) =>
    Number(text),
  );
  if (signedAt.length !== 1) return reject("signature");
  if (Math.abs(nowMs / 1000 - (signedAt[0] ?? 0)) > SIGNATURE_TOLERANCE_SECONDS)
    return reject("signature");
  try {
    const { webhookSecret } = env().stripe;
    const stripeEvent = getClient().webhooks.constructEvent(
      rawBody,
      signature ?? "",
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
function readEvent(event: Stripe.Event): PaymentEvent | null {
  try {
    return toPaymentEvent(event);
  } catch {
    return null;
  }
}

function toPaymentEvent(event: Stripe.Event): PaymentEvent {
  if (typeof event?.id !== "string" || typeof event.type !== "string")
    throw new Error("not an event");
  const object = event.data?.object;
  const baseUrl = { id: event.id, type: event.type, isLive: event.livemode === true };
  if (isOneOf(SESSION_EVENTS, event.type))
    return {
      ...baseUrl,
      session: toSessionDetails(object as Stripe.Checkout.Session),
      paymentIntentId: null,
    };
  if (isOneOf(PAYMENT_EVENTS, event.type)) {
    const { payment_intent: intent } = object as Stripe.Charge | Stripe.Refund | Stripe.Dispute;
    return { ...baseUrl, session: null, paymentIntentId: toId(intent) };
  }
  return { ...baseUrl, session: null, paymentIntentId: null };
}

function isOneOf(types: readonly string[], type: string): boolean {
  return types.includes(type);
}

function toSessionDetails(session: Stripe.Checkout.Session): CheckoutSessionDetails {
  const intent = session.payment_intent;
  const charge = typeof intent === "object" ? intent?.latest_charge : null;
  const card = typeof charge === "object" ? charge?.payment_method_details?.card : null;
  return {
    sessionId: session.id,
    orderId: session.client_reference_id,
    status: toSessionStatus(session.status),
    isPaid: session.payment_status === "paid",
    amountCents: session.amount_total,
    currency: session.currency,
    isLive: session.livemode,
    paymentIntentId: toId(intent),
    cardFingerprint: card?.fingerprint ?? null,
    cardWallet: card?.wallet?.type ?? null,
    payer: buildPayer(card, typeof charge === "object" ? charge?.billing_details?.name : null),
  };
}

/** Builds the payer identity. Normalises the name: no case, accents, spaces or punctuation. */
function buildPayer(
  card: Stripe.Charge.PaymentMethodDetails.Card | null | undefined,
  holder: string | null | undefined,
): string | null {
  const name = (holder ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return card?.last4 && name ? `${card.brand}:${card.last4}:${name}` : null;
}

function toSessionStatus(status: string | null): CheckoutSessionDetails["status"] {
  return status === "complete" || status === "expired" ? status : "open";
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

async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new GatewayError(error instanceof Error ? error.message : "no response", {
      cause: error,
    });
  }
}

async function callProviderOrNull<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
    throw new GatewayError(error instanceof Error ? error.message : "no response", {
      cause: error,
    });
  }
}
