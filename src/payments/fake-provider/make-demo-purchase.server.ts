import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { withClockAt } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { fulfilPurchase } from "../fulfil-purchase.server.ts";
import { createOrder } from "../start-purchase.server.ts";
import { orders } from "../tables.server.ts";
import { getFakeProvider } from "./fake-providers.server.ts";

type DemoPurchase = { userId: string; coinPackId: string };

/**
 * Buys a coin pack for a demo user at an instant: a real order, a payment at the fake provider, and the
 * usual fulfilment. Only for demo history; throws anywhere else.
 */
export async function makeDemoPurchase(
  params: DemoPurchase & { at: Date },
): Promise<{ orderId: string; sessionId: string }> {
  return await withClockAt(params.at, () => buyPack(params));
}

async function buyPack(params: DemoPurchase): Promise<{ orderId: string; sessionId: string }> {
  const fake = getFakeProvider();
  const { coinPacks } = await readPrices();
  const pack = coinPacks.find((candidate) => candidate.id === params.coinPackId);
  if (!pack) throw new Error(`there is no pack ${params.coinPackId}`);
  const { order } = await transaction((tx) =>
    createOrder(tx, pack, { userId: params.userId, idempotencyKey: `demo:${randomUUID()}` }),
  );
  const checkout = await fake.recordPayment({
    orderId: order.id,
    userId: params.userId,
    title: pack.title,
    amountCents: pack.priceCents,
  });
  const { sessionId } = checkout;
  await database().update(orders).set({ sessionId }).where(eq(orders.id, order.id));
  await fulfilPurchase(checkout, { sendsReceipt: false });
  return { orderId: order.id, sessionId };
}
