import Stripe from "stripe";
import { now } from "#platform/clock.server.ts";
import { env, isLiveKey } from "#platform/env.server.ts";

/** What a checkout session says of itself. */
export type CheckoutSessionDetails = {
  sessionId: string;
  /** The order it was made for, as we named it; null when the provider names none. */
  orderId: string | null;
  status: "open" | "complete" | "expired";
  isPaid: boolean;
  amountCents: number | null;
  currency: string | null;
  isLive: boolean;
  paymentIntentId: string | null;
  /** Whose card it was, as the provider recognises it again. */
  cardFingerprint: string | null;
  /** Set where a phone's wallet paid: its fingerprint is another one on each device. */
  cardWallet: string | null;
  /** What else tells a card: its brand, its last digits and the name on it, where all are known. */
  payer: string | null;
};

export type DisputeStatus = "open" | "won" | "lost";

/**
 * Where a payment stands: what of it is refunded and lost in disputes now, in its own currency. Both can
 * fall again: a refund can fail, and a lost dispute can be reversed. An open dispute is more than a won
 * or lost one beside it.
 */
export type PaymentDetails = {
  paymentIntentId: string;
  chargedCents: number;
  currency: string;
  refundedCents: number;
  lostCents: number;
  disputeStatus: DisputeStatus | null;
};

/** A signed event, as far as the product knows its kind: about a session, a payment, or neither. */
export type PaymentEvent = {
  id: string;
  type: string;
  isLive: boolean;
  session: CheckoutSessionDetails | null;
  paymentIntentId: string | null;
};

export type CheckoutParams = {
  orderId: string;
  /** Each attempt has an idempotency key of its own, because it asks for another closing time. */
  attempt: 1 | 2;
  title: string;
  description: string;
  amountCents: number;
  email: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
};

/** The provider cannot be reached, or does not do what it was asked: trying later may help. */
export class GatewayError extends Error {
  /** The fault lies with this one request: the provider answers others. */
  readonly isAboutRequest: boolean;

  constructor(
    message: string,
    { cause, isAboutRequest }: { cause?: unknown; isAboutRequest?: boolean } = {},
  ) {
    super(message, { cause });
    const status = cause instanceof Stripe.errors.StripeError ? (cause.statusCode ?? 0) : 0;
    this.isAboutRequest =
      isAboutRequest ?? (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
  }
}

/** A webhook that is not dealt with: not signed by the provider, or signed and not understood. */
export type RefusedWebhook = {
  ok: false;
  problem: "signature" | "unreadable";
  /** What the body says its event is, where that is to be read; an unsigned body can say anything. */
  eventId: string | null;
};

const TOLERANCE_SECONDS = 300;
const ANSWER_WITHIN_MS = 10_000;
const RETRIES = 1;

/** The kinds of events that say something about a purchase. */
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

function stripe(): Stripe {
  client ??= new Stripe(env().stripe.secretKey, {
    ...apiAddress(),
    // The function is looked up at each call, so that what replaces it is used. Our key goes nowhere else,
    // whatever an answer says.
    httpClient: Stripe.createFetchHttpClient((address, init) =>
      fetch(address, { ...init, redirect: "error" }),
    ),
    timeout: ANSWER_WITHIN_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  return client;
}

/** Where the SDK calls: Stripe, what the operator named, or this process where the stand-in is it. */
function apiAddress() {
  const { apiBase, standIn } = env().stripe;
  const base = apiBase ?? (standIn ? ownAddress() : null);
  if (!base) return {};
  const { hostname, port, protocol } = new URL(base);
  return {
    host: hostname,
    port: port || (protocol === "https:" ? 443 : 80),
    protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
  };
}

/** This process as it can call itself. */
export function ownAddress(): string {
  const { host, port } = env();
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable.replace(/[[\]]/g, "")}]` : reachable}:${port}`;
}

/** Whether our key moves real money; what the provider tells must be of the same kind. */
export function movesRealMoney(): boolean {
  return isLiveKey(env().stripe.secretKey);
}

/**
 * Opens the provider's payment page for an order. The same order again is the same page. Throws a
 * GatewayError when there is none to be had.
 */
export async function createCheckout(
  wish: CheckoutParams,
): Promise<{ sessionId: string; url: string | null }> {
  const session = await asked(() =>
    stripe().checkout.sessions.create(
      {
        mode: "payment",
        // Charged in rand only: in another currency, refunds and disputes would come in that one.
        adaptive_pricing: { enabled: false },
        client_reference_id: wish.orderId,
        customer_email: wish.email,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: "zar",
              unit_amount: wish.amountCents,
              product_data: { name: wish.title, description: wish.description },
            },
          },
        ],
        metadata: { order: wish.orderId },
        payment_intent_data: { metadata: { order: wish.orderId } },
        success_url: wish.successUrl,
        cancel_url: wish.cancelUrl,
        expires_at: Math.floor(wish.expiresAt.getTime() / 1000),
      },
      { idempotencyKey: `order-${wish.orderId}${wish.attempt === 1 ? "" : `-${wish.attempt}`}` },
    ),
  );
  return { sessionId: session.id, url: session.url };
}

/** How a checkout session stands now, with the card it was paid by; null where the provider has none. */
export async function readSession(sessionId: string): Promise<CheckoutSessionDetails | null> {
  const session = await found(() =>
    stripe().checkout.sessions.retrieve(sessionId, { expand: ["payment_intent.latest_charge"] }),
  );
  return session && sessionFacts(session);
}

/** Where a payment stands now; null where the provider has none. */
export async function readPayment(paymentIntentId: string): Promise<PaymentDetails | null> {
  const intent = await found(() =>
    stripe().paymentIntents.retrieve(paymentIntentId, { expand: ["latest_charge"] }),
  );
  if (!intent) return null;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const refunds = charge?.amount_refunded ? await listRefunds(intent.id) : [];
  const disputes = charge?.disputed ? await listDisputes(intent.id) : [];
  const { amount, currency } = charge ?? intent;
  // An amount in yet another currency has no share of the charge: it counts as the whole of it.
  const share = (dispute: Stripe.Dispute) =>
    dispute.currency === currency ? dispute.amount : amount;
  const lost = disputes.filter((dispute) => disputeStatus(dispute.status) === "lost");
  return {
    paymentIntentId: intent.id,
    chargedCents: amount,
    currency: disputes.find((dispute) => dispute.currency !== currency)?.currency ?? currency,
    refundedCents: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    lostCents: lost.reduce((sum, dispute) => sum + share(dispute), 0),
    disputeStatus: combinedStatus(disputes.map((dispute) => disputeStatus(dispute.status))),
  };
}

/** The refunds that stand: the charge's own sum may still contain one that failed since. */
async function listRefunds(paymentIntentId: string): Promise<Stripe.Refund[]> {
  const refunds = await asked(() =>
    stripe()
      .refunds.list({ payment_intent: paymentIntentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
  return refunds.filter((refund) => refund.status !== "failed" && refund.status !== "canceled");
}

async function listDisputes(paymentIntentId: string): Promise<Stripe.Dispute[]> {
  return await asked(() =>
    stripe()
      .disputes.list({ payment_intent: paymentIntentId, limit: 100 })
      .autoPagingToArray({ limit: 1000 }),
  );
}

function combinedStatus(statuses: DisputeStatus[]): DisputeStatus | null {
  return (["open", "lost", "won"] as const).find((status) => statuses.includes(status)) ?? null;
}

/** The events since an instant that concern purchases, oldest first, and the ids of unreadable ones. */
export async function listEvents(
  since: Date,
): Promise<{ events: PaymentEvent[]; unreadableIds: string[] }> {
  const events: PaymentEvent[] = [];
  const unreadableIds: string[] = [];
  await asked(async () => {
    const pages = stripe().events.list({
      types: [...SESSION_EVENTS, ...PAYMENT_EVENTS],
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: 100,
    });
    for await (const event of pages) {
      const read = readEvent(event);
      if (read) events.push(read);
      else unreadableIds.push(String(event.id));
    }
  });
  return { events: events.reverse(), unreadableIds };
}

/**
 * The event behind a webhook's raw body, unless the signature is not the provider's or was made more
 * than five minutes before or after now. The SDK itself would accept one from the future.
 */
export function verifyWebhook(
  rawBody: string,
  signature: string | undefined,
): { ok: true; event: PaymentEvent } | RefusedWebhook {
  const refuse = (problem: RefusedWebhook["problem"]): RefusedWebhook => ({
    ok: false,
    problem,
    eventId: eventIdOf(rawBody),
  });
  const at = now().getTime();
  const signedAt = [...(signature ?? "").matchAll(/(?:^|,)\s*t=(-?\d+)/g)].map(([, text]) =>
    Number(text),
  );
  if (signedAt.length !== 1) return refuse("signature");
  if (Math.abs(at / 1000 - (signedAt[0] ?? 0)) > TOLERANCE_SECONDS) return refuse("signature");
  try {
    const { webhookSecret } = env().stripe;
    const signed = stripe().webhooks.constructEvent(
      rawBody,
      signature ?? "",
      webhookSecret,
      TOLERANCE_SECONDS,
      undefined,
      at,
    );
    const event = readEvent(signed);
    return event ? { ok: true, event } : refuse("unreadable");
  } catch (error) {
    const isForged = error instanceof Stripe.errors.StripeSignatureVerificationError;
    return refuse(isForged ? "signature" : "unreadable");
  }
}

function eventIdOf(rawBody: string): string | null {
  return /"id"\s*:\s*"(evt_[A-Za-z0-9_-]{1,100})"/.exec(rawBody)?.[1] ?? null;
}

/** The signature header that the provider would send with this body; for the stand-in and the tests. */
export function signWebhook(rawBody: string): string {
  return stripe().webhooks.generateTestHeaderString({
    payload: rawBody,
    secret: env().stripe.webhookSecret,
    timestamp: Math.floor(now().getTime() / 1000),
  });
}

/** Null for what has not the form of an event. */
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
  const about = event.data?.object;
  const facts = { id: event.id, type: event.type, isLive: event.livemode === true };
  if (isOneOf(SESSION_EVENTS, event.type))
    return {
      ...facts,
      session: sessionFacts(about as Stripe.Checkout.Session),
      paymentIntentId: null,
    };
  if (isOneOf(PAYMENT_EVENTS, event.type)) {
    const { payment_intent: intent } = about as Stripe.Charge | Stripe.Refund | Stripe.Dispute;
    return { ...facts, session: null, paymentIntentId: idOf(intent) };
  }
  return { ...facts, session: null, paymentIntentId: null };
}

function isOneOf(types: readonly string[], type: string): boolean {
  return types.includes(type);
}

function sessionFacts(session: Stripe.Checkout.Session): CheckoutSessionDetails {
  const intent = session.payment_intent;
  const charge = typeof intent === "object" ? intent?.latest_charge : null;
  const card = typeof charge === "object" ? charge?.payment_method_details?.card : null;
  return {
    sessionId: session.id,
    orderId: session.client_reference_id,
    status: sessionStatus(session.status),
    isPaid: session.payment_status === "paid",
    amountCents: session.amount_total,
    currency: session.currency,
    isLive: session.livemode,
    paymentIntentId: idOf(intent),
    cardFingerprint: card?.fingerprint ?? null,
    cardWallet: card?.wallet?.type ?? null,
    payer: payerOf(card, typeof charge === "object" ? charge?.billing_details?.name : null),
  };
}

/** The name without what differs from one entry of it to the next: case, accents, spaces and signs. */
function payerOf(
  card: Stripe.Charge.PaymentMethodDetails.Card | null | undefined,
  holder: string | null | undefined,
): string | null {
  const name = (holder ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return card?.last4 && name ? `${card.brand}:${card.last4}:${name}` : null;
}

function sessionStatus(status: string | null): CheckoutSessionDetails["status"] {
  return status === "complete" || status === "expired" ? status : "open";
}

function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

/** An inquiry counts as a dispute until it is closed, and an appeal opens it again. */
function disputeStatus(status: string): DisputeStatus {
  if (status === "lost") return "lost";
  if (status === "won" || status === "warning_closed" || status === "prevented") return "won";
  return "open";
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new GatewayError(error instanceof Error ? error.message : "no answer", { cause: error });
  }
}

async function found<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
    throw new GatewayError(error instanceof Error ? error.message : "no answer", { cause: error });
  }
}
