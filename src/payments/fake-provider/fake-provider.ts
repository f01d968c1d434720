import type { Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";
import type { Job } from "#platform/queue.server.ts";
import type { CheckoutDetails, DisputeStatus } from "../gateway.ts";
import type { PaymentState } from "../payment-state.ts";

/** A checkout as the payment page shows it. */
export type FakeCheckout = {
  id: string;
  title: string;
  description: string;
  amountCents: number;
  customerEmail: string;
  cancelUrl: string;
  successUrl: string;
  status: PaymentState;
  isCardOnly: boolean;
  cardLast4: string | null;
  refundedCents: number;
  disputeStatus: DisputeStatus | null;
  createdAt: Date;
  /** Null when the page does not expire. */
  expiresAt: Date | null;
};

export type PaymentResult =
  | { ok: true; successUrl: string }
  | {
      ok: false;
      refusal: "no-such-session" | "expired" | "not-a-card" | "declined";
      card?: string;
    };

/** A payment of the demo's history. */
export type DemoPayment = {
  orderId: string;
  userId: string;
  title: string;
  amountCents: number;
};

/** A test payment card with its outcome. */
export type TestCard = { number: string; label: string; outcome: string; declineReason?: string };

/**
 * The fake of a payment provider, which the demo uses without a key: the API that the gateway calls, and what a
 * visitor does on its payment page.
 */
export type FakeProvider = {
  /** Where the API is, and its routes. */
  api: { path: string; create: () => Hono<HttpEnv> };
  /** The name in `db` of the file with its tables. */
  tablesFile: string;
  /** Delivery of events and expiry. */
  jobs: Job[];
  testCards: readonly TestCard[];
  find: (id: string) => Promise<FakeCheckout | null>;
  /** Returns the latest checkouts. */
  list: () => Promise<FakeCheckout[]>;
  pay: (id: string, cardNumber: string) => Promise<PaymentResult>;
  /** Completes a checkout with a payment method whose money arrives later. */
  payLater: (id: string) => Promise<PaymentResult>;
  resolveDelayedPayment: (id: string, isPaid: boolean) => Promise<void>;
  refund: (id: string, cents: number) => Promise<void>;
  failRefund: (id: string, cents: number) => Promise<void>;
  dispute: (id: string, status: DisputeStatus, amountCents?: number) => Promise<void>;
  /** Records a payment of an order as paid now, without events. */
  recordPayment: (payment: DemoPayment) => Promise<CheckoutDetails>;
};
