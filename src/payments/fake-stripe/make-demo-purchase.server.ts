import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { now, withClockAt } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { fulfilPurchase } from "../fulfil-purchase.server.ts";
import { createOrder } from "../start-purchase.server.ts";
import { orders } from "../tables.server.ts";
import { makeId } from "./make-id.server.ts";
import { createFingerprint } from "./pay-session.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

type DemoPurchase = { userId: string; coinPackId: string };

/**
 * Buys a coin pack for a demo user at an instant: a real order, a paid session of the fake provider, and the
 * usual fulfilment. Only for demo history; throws anywhere else.
 */
export async function makeDemoPurchase(
  params: DemoPurchase & { at: Date },
): Promise<{ orderId: string; sessionId: string }> {
  return await withClockAt(params.at, () => buyPack(params));
}

async function buyPack(params: DemoPurchase): Promise<{ orderId: string; sessionId: string }> {
  if (!env().stripe.isFake) throw new Error("only the demo can create purchases");
  const { coinPacks } = await readPrices();
  const pack = coinPacks.find((candidate) => candidate.id === params.coinPackId);
  if (!pack) throw new Error(`there is no pack ${params.coinPackId}`);
  const { order } = await transaction((tx) =>
    createOrder(tx, pack, { userId: params.userId, idempotencyKey: `demo:${randomUUID()}` }),
  );
  const sessionId = makeId("cs_test");
  const paymentIntentId = makeId("pi");
  const cardFingerprint = createFingerprint(`of ${params.userId}`);
  await database()
    .insert(fakeStripeSessions)
    .values({
      id: sessionId,
      request: {},
      clientReferenceId: order.id,
      customerEmail: `${params.userId}@furlong.test`,
      title: pack.title,
      description: "",
      amountCents: pack.priceCents,
      currency: "zar",
      successUrl: `${env().appUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: env().appUrl,
      status: "complete",
      paymentStatus: "paid",
      paymentIntentId,
      cardLast4: "4242",
      cardFingerprint,
      createdAt: now(),
      expiresAt: now(),
    });
  await database().update(orders).set({ sessionId }).where(eq(orders.id, order.id));
  await fulfilPurchase(
    {
      provider: "stripe",
      sessionId,
      orderId: order.id,
      status: "paid",
      amountCents: pack.priceCents,
      currency: "zar",
      isLive: false,
      paymentId: paymentIntentId,
      cardFingerprint,
      cardWallet: null,
      payer: null,
    },
    { sendsReceipt: false },
  );
  return { orderId: order.id, sessionId };
}
