import { inArray } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { FAKE_API_PATH } from "#platform/paystack-api.server.ts";
import type { DemoPayment, FakeCheckout, FakeProvider } from "../fake-provider/fake-provider.ts";
import type { CheckoutDetails } from "../gateway.ts";
import type { PaymentState } from "../payment-state.ts";
import { paystackGateway } from "../paystack/gateway.server.ts";
import { deliverFakePaystackEvent } from "./events.server.ts";
import type { FakeTransaction } from "./objects.server.ts";
import { createPaystackApi } from "./paystack-api.route.ts";
import { fakePaystackDisputes, fakePaystackTransactions } from "./tables.server.ts";
import { TEST_CARDS } from "./test-cards.ts";
import {
  buildReturnUrl,
  createRefund,
  createSignature,
  disputePayment,
  failRefunds,
  findTransaction,
  listTransactions,
  payByCard,
  payByEft,
  resolveEft,
  sumRefunds,
} from "./transactions.server.ts";
import { settleFakeTransfer } from "./transfers.server.ts";

/** The fake Paystack of a demo without a Paystack key. */
export const fakePaystack: FakeProvider = {
  api: { path: FAKE_API_PATH, create: createPaystackApi },
  tablesFile: "fake-paystack.sql",
  jobs: [deliverFakePaystackEvent, settleFakeTransfer],
  testCards: TEST_CARDS,
  find: async (id) => {
    const transaction = await findTransaction(id);
    if (!transaction) return null;
    const [checkout] = await toFakeCheckouts([transaction]);
    return checkout ? { ...checkout, refundedCents: await sumRefunds(id) } : null;
  },
  list: async () => await toFakeCheckouts(await listTransactions()),
  pay: payByCard,
  payLater: payByEft,
  resolveDelayedPayment: resolveEft,
  refund: async (id, amountCents) => {
    await createRefund(id, { amountCents, merchantNote: "in the dashboard" });
  },
  failRefund: failRefunds,
  dispute: disputePayment,
  recordPayment,
};

async function toFakeCheckouts(transactions: FakeTransaction[]): Promise<FakeCheckout[]> {
  const references = transactions.map(({ reference }) => reference);
  const disputes = await database()
    .select()
    .from(fakePaystackDisputes)
    .where(inArray(fakePaystackDisputes.reference, references));
  return transactions.map((transaction) => {
    const dispute = disputes.find(({ reference }) => reference === transaction.reference);
    return {
      ...transaction,
      id: transaction.reference,
      description: "",
      successUrl: buildReturnUrl(transaction),
      status: toPaymentState(transaction),
      refundedCents: 0,
      disputeStatus: dispute ? toDisputeStatus(dispute.resolution) : null,
      expiresAt: null,
    };
  });
}

/** After a declined card the page stays open. */
function toPaymentState({ status, channel }: FakeTransaction): PaymentState {
  if (status === "success") return "paid";
  if (status === "pending") return "delayed";
  return status === "failed" && channel === "eft" ? "failed" : "unpaid";
}

function toDisputeStatus(resolution: "declined" | "merchant-accepted" | null) {
  if (resolution === null) return "open";
  return resolution === "declined" ? "won" : "lost";
}

async function recordPayment(payment: DemoPayment): Promise<CheckoutDetails> {
  const reference = `${payment.orderId}.1`;
  await database()
    .insert(fakePaystackTransactions)
    .values({
      reference,
      customerEmail: `${payment.userId}@furlong.test`,
      title: payment.title,
      amountCents: payment.amountCents,
      currency: "ZAR",
      callbackUrl: `${env().appUrl}/success?session_id=${reference}`,
      cancelUrl: env().appUrl,
      isCardOnly: false,
      status: "success",
      channel: "card",
      cardLast4: "4081",
      cardSignature: createSignature(`of ${payment.userId}`),
      createdAt: now(),
      paidAt: now(),
    });
  return {
    provider: paystackGateway.provider,
    sessionId: reference,
    orderId: payment.orderId,
    status: "paid",
    amountCents: payment.amountCents,
    currency: "zar",
    isLive: false,
    paymentId: reference,
    cardFingerprint: createSignature(`of ${payment.userId}`),
    cardWallet: null,
    payer: null,
  };
}
