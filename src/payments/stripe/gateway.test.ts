import { listEmittedEvents } from "#test/gateway.ts";
import { testGatewayContract } from "#test/gateway-contract.ts";
import {
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "../fake-stripe/pay-session.server.ts";
import { disputePayment, failRefund } from "../fake-stripe/refund-and-dispute.server.ts";
import { signWebhook, stripeGateway } from "./gateway.server.ts";

testGatewayContract({
  gateway: stripeGateway,
  async pay(sessionId) {
    await paySession(sessionId, "4242424242424242");
  },
  async payLater(sessionId) {
    await startDelayedPayment(sessionId);
  },
  resolveDelayedPayment,
  failRefund,
  async dispute(sessionId, status) {
    await disputePayment(sessionId, status === "open" ? "needs_response" : status);
  },
  async listWebhooks(sessionId) {
    const paymentId = (await stripeGateway.readCheckout(sessionId))?.paymentId ?? sessionId;
    return (await listEmittedEvents())
      .map((event) => JSON.stringify(event))
      .filter((body) => body.includes(sessionId) || body.includes(paymentId))
      .map((body) => ({ body, headers: { "Stripe-Signature": signWebhook(body) } }));
  },
  forge({ body, headers }) {
    const signature = headers["Stripe-Signature"] ?? "";
    const forged = ["", signature.slice(0, -8), signature.replace(/v1=.*/, `v1=${"0".repeat(64)}`)];
    return forged.map((text) => ({ body, headers: { "Stripe-Signature": text } }));
  },
});
