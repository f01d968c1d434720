import type { ProviderName } from "#platform/env.server.ts";
import type { PaymentState } from "./payment-state.ts";

export { GatewayError, type GatewayProblem } from "#platform/gateway-error.ts";

/** Stored with every row that holds an id of the provider. */
export type { ProviderName };

/** A checkout, as read from its provider. */
export type CheckoutDetails = {
  provider: ProviderName;
  /** The provider's id of the checkout session. */
  sessionId: string;
  /** The order id that we passed to the provider; null when the session has none. */
  orderId: string | null;
  status: PaymentState;
  amountCents: number | null;
  /** In lower case. */
  currency: string | null;
  isLive: boolean;
  /** The provider's id of the payment; null before the customer has tried to pay. */
  paymentId: string | null;
  /** Identifies the payment card across payments; null when it was not paid by card. */
  cardFingerprint: string | null;
  /** The mobile wallet that paid, if any; its fingerprint differs per device. */
  cardWallet: string | null;
  /** Identifies a payment card by brand, last digits and cardholder; null unless all are known. */
  payer: string | null;
};

export type DisputeStatus = "open" | "won" | "lost";

/** Returns the status of a payment with several disputes: open takes precedence over lost, and lost over won. */
export function combineDisputeStatuses(statuses: readonly DisputeStatus[]): DisputeStatus | null {
  return (["open", "lost", "won"] as const).find((status) => statuses.includes(status)) ?? null;
}

/** A dispute of a payment. `dueAt` is the deadline for the evidence; null when none is awaited. */
export type DisputeDetails = {
  disputeId: string;
  status: DisputeStatus;
  amountCents: number;
  currency: string;
  dueAt: Date | null;
};

/**
 * What was charged of a payment and what went back, by refunds and lost disputes, in its own currency. Both can
 * decrease: a refund can fail, and a lost dispute can be reversed.
 */
export type PaymentDetails = {
  provider: ProviderName;
  paymentId: string;
  chargedCents: number;
  currency: string;
  refundedCents: number;
  lostCents: number;
  disputeStatus: DisputeStatus | null;
  disputes: DisputeDetails[];
  /** The provider's ids of refunds that the operator must complete there. */
  stuckRefundIds: string[];
};

/** The type of the event that money of a transfer came back. It is handled again until the transfer reads so. */
export const TRANSFER_REVERSED = "transfer.reversed";

/**
 * What a webhook or the list of changes reports: something has changed, and whose state to read again. It
 * contains no amount and no status, because events arrive late, repeatedly and in any order.
 */
export type GatewayEvent = {
  provider: ProviderName;
  id: string;
  /** The provider's name for the event. Stored for the operator; only TRANSFER_REVERSED has a meaning. */
  type: string;
  isLive: boolean;
  /** Null for an event that concerns no purchase and no payout. */
  subject:
    | { kind: "checkout"; sessionId: string }
    | { kind: "payment"; paymentId: string }
    | { kind: "transfer"; reference: string }
    | null;
};

/** Result for a rejected webhook: not signed by the provider, or signed but unreadable. */
export type RejectedWebhook = {
  ok: false;
  problem: "signature" | "unreadable";
  /** The event id in the body, if readable. Not trustworthy when the signature is wrong. */
  eventId: string | null;
  /** True when the request has the form of the provider's own, so that the operator should know of it. */
  looksGenuine: boolean;
};

export type CheckoutParams = {
  orderId: string;
  /** Numbers the attempts of an order from 1. A repeated call for an attempt returns the same checkout. */
  attempt: number;
  title: string;
  description: string;
  amountCents: number;
  email: string;
  /** Returns the address to which the customer returns after payment, for the session id or its placeholder. */
  buildSuccessUrl: (sessionId: string) => string;
  cancelUrl: string;
  expiresAt: Date;
  /** Only card payments are accepted, so that the card is known. */
  isCardOnly: boolean;
};

/** A created checkout: the provider's id and the address of its payment page. */
export type CreatedCheckout = {
  sessionId: string;
  url: string | null;
  /** True when the checkout exists already and the provider does not return its address again. */
  hasLostUrl?: boolean;
};

export type RefundParams = {
  paymentId: string;
  amountCents: number;
  /** For the provider's records. */
  reason: string;
  /** A repeated call with the same key refunds once. Calls with one key must not run at the same time. */
  idempotencyKey: string;
};

export type RefundResult = { refundId: string; status: "pending" | "done" | "failed" };

/** What the product says about a provider, and where it lets a customer and an operator go. */
export type GatewayDescription = {
  /** The name on legal pages and admin screens. */
  name: string;
  privacyUrl: string;
  cookiesUrl: string;
  /** Origins to which the checkout form may redirect. Empty when the payment page is our own. */
  checkoutOrigins: string[];
  /** Matches the beginning of the ids of checkouts, by which the operator searches. */
  sessionIdPattern: RegExp;
  /** Returns the page of a payment in the provider's dashboard; null when it has none. */
  buildDashboardUrl: (paymentId: string) => string | null;
  /** What an operator checks when signatures do not match. */
  signatureAdvice: string;
};

/** What a provider can do. The product works without each of them, but less automatically. */
export type GatewayCapabilities = {
  /** Reports which card has paid. Without it, guests receive no welcome coins. */
  identifiesCards: boolean;
  /** Refunds through its API. Without it, the operator refunds in the dashboard. */
  refunds: boolean;
  /** Reports disputes through its API. */
  disputes: boolean;
};

/**
 * A payment provider. Every method that calls the provider throws a GatewayError when it fails. None may be
 * called inside a transaction.
 */
export interface PaymentGateway {
  readonly provider: ProviderName;
  readonly capabilities: GatewayCapabilities;
  describe(): GatewayDescription;
  /** Returns whether it has its keys. Otherwise it receives no webhooks and is not asked. */
  isConfigured(): boolean;
  /** Returns whether the configured key moves real money. Checkouts and events must match its mode. */
  isLiveMode(): boolean;
  /** Creates the payment page of an attempt, or returns the one that this attempt already has, with its address if known. */
  createCheckout(params: CheckoutParams): Promise<CreatedCheckout>;
  /**
   * Returns the checkout of an attempt whose answer was lost; null when the provider created none.
   * `startedAt` is the time of the attempt.
   */
  findCheckout(attempt: {
    orderId: string;
    attempt: number;
    startedAt: Date;
  }): Promise<CreatedCheckout | null>;
  /** Returns the current state of a checkout; null when it does not exist. */
  readCheckout(sessionId: string): Promise<CheckoutDetails | null>;
  /** Returns the current state of a payment; null when it does not exist. */
  readPayment(paymentId: string): Promise<PaymentDetails | null>;
  /** Verifies that a webhook comes from the provider and returns what to read again. */
  verifyWebhook(
    rawBody: string,
    headers: Headers,
  ): { ok: true; event: GatewayEvent } | RejectedWebhook;
  /**
   * Returns the events since an instant, oldest first, and the ids of unreadable ones. Includes events of transfers only if
   * `includesTransfers`.
   */
  listEvents(
    since: Date,
    options?: { includesTransfers: boolean },
  ): Promise<{ events: GatewayEvent[]; unreadableIds: string[] }>;
  /** Refunds an amount of a payment once per idempotency key. Refused above what remains. */
  refund(params: RefundParams): Promise<RefundResult>;
}
