import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import type { DemoPayment, FakeCheckout, FakeProvider } from "../fake-provider/fake-provider.ts";
import type { CheckoutDetails } from "../gateway.ts";
import type { PaymentState } from "../payment-state.ts";
import { expireFakeStripeSession } from "./create-session.server.ts";
import { deliverFakeStripeEvent } from "./emit-fake-events.server.ts";
import { type FakeStripeSession, findSession, listSessions } from "./fake-stripe-session.server.ts";
import { makeId } from "./make-id.server.ts";
import {
  buildSuccessUrl,
  createFingerprint,
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./pay-session.server.ts";
import { disputePayment, failRefund, refundPayment } from "./refund-and-dispute.server.ts";
import { createStripeApi } from "./stripe-api.route.ts";
import { fakeStripeSessions } from "./tables.server.ts";
import { TEST_CARDS } from "./test-cards.ts";

/** The fake Stripe of a demo without a Stripe key. */
export const fakeStripe: FakeProvider = {
  api: { path: "/v1", create: createStripeApi },
  tablesFile: "fake-stripe.sql",
  jobs: [deliverFakeStripeEvent, expireFakeStripeSession],
  testCards: TEST_CARDS,
  find: async (id) => {
    const session = await findSession(id);
    return session && toFakeCheckout(session);
  },
  list: async () => (await listSessions()).map(toFakeCheckout),
  pay: paySession,
  payLater: startDelayedPayment,
  resolveDelayedPayment,
  refund: refundPayment,
  failRefund,
  dispute: (id, status, amountCents) =>
    disputePayment(id, status === "open" ? "needs_response" : status, { amountCents }),
  recordPayment,
};

function toFakeCheckout(session: FakeStripeSession): FakeCheckout {
  const { disputeStatus } = session;
  return {
    ...session,
    successUrl: buildSuccessUrl(session),
    isCardOnly: session.request["payment_method_types[0]"] === "card",
    status: toPaymentState(session),
    disputeStatus: disputeStatus === "needs_response" ? "open" : disputeStatus,
  };
}

function toPaymentState({ status, paymentStatus }: FakeStripeSession): PaymentState {
  if (status === "open") return "unpaid";
  if (status === "expired") return "expired";
  return paymentStatus === "unpaid" ? "delayed" : paymentStatus;
}

async function recordPayment(payment: DemoPayment): Promise<CheckoutDetails> {
  const sessionId = makeId("cs_test");
  const paymentId = makeId("pi");
  const cardFingerprint = createFingerprint(`of ${payment.userId}`);
  await database()
    .insert(fakeStripeSessions)
    .values({
      id: sessionId,
      request: {},
      clientReferenceId: payment.orderId,
      customerEmail: `${payment.userId}@furlong.test`,
      title: payment.title,
      description: "",
      amountCents: payment.amountCents,
      currency: "zar",
      successUrl: `${env().appUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: env().appUrl,
      status: "complete",
      paymentStatus: "paid",
      paymentIntentId: paymentId,
      cardLast4: "4242",
      cardFingerprint,
      createdAt: now(),
      expiresAt: now(),
    });
  return {
    provider: "stripe",
    sessionId,
    orderId: payment.orderId,
    status: "paid",
    amountCents: payment.amountCents,
    currency: "zar",
    isLive: false,
    paymentId,
    cardFingerprint,
    cardWallet: null,
    payer: null,
  };
}
