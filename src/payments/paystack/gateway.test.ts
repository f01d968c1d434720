import { asc, like } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { type SignedWebhook, testGatewayContract } from "#test/gateway-contract.ts";
import { fakePaystackEvents } from "../fake-paystack/tables.server.ts";
import {
  disputePayment,
  failRefunds,
  payByCard,
  payByEft,
  resolveEft,
} from "../fake-paystack/transactions.server.ts";
import { fulfilPurchase } from "../fulfil-purchase.server.ts";
import { paystackGateway, signWebhook } from "./gateway.server.ts";

testGatewayContract({
  gateway: paystackGateway,
  async pay(sessionId) {
    await payByCard(sessionId, "4084084084084081");
  },
  async payLater(sessionId) {
    await payByEft(sessionId);
    // A pending payment has no event. It is read when the customer returns.
    const session = await paystackGateway.readCheckout(sessionId);
    if (session) await fulfilPurchase(session);
  },
  resolveDelayedPayment: resolveEft,
  failRefund: failRefunds,
  dispute: disputePayment,
  async listWebhooks(sessionId) {
    const events = await database()
      .select()
      .from(fakePaystackEvents)
      .where(like(fakePaystackEvents.body, `%${sessionId}%`))
      .orderBy(asc(fakePaystackEvents.id));
    return events.map(({ body }) => sign(body));
  },
  forge({ body, headers }) {
    const signature = headers["x-paystack-signature"] ?? "";
    const forged = ["", signature.slice(0, -8), `${signature}00`, "0".repeat(128)];
    return [
      ...forged.map((text) => ({ body, headers: { "x-paystack-signature": text } })),
      sign(body, "sk_test_another_key"),
    ];
  },
});

function sign(body: string, key?: string): SignedWebhook {
  return { body, headers: { "x-paystack-signature": signWebhook(body, key) } };
}
