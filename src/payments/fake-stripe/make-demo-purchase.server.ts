import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { COIN_PACKS } from "#domain/coin-packs.ts";
import { now, withClockAt } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { fulfilPurchase } from "../fulfil-purchase.server.ts";
import { writeOrder } from "../start-purchase.server.ts";
import { orders } from "../tables.server.ts";
import { makeId } from "./make-id.server.ts";
import { fingerprintOf } from "./pay-session.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

type DemoPurchase = { userId: string; packageId: string };

/**
 * Buys a pack for a demo user at an instant: a real order, a session of the stand-in's that is paid
 * already, and the one way there is to coins. For the demo's history; refused anywhere else.
 */
export async function makeDemoPurchase(
  wish: DemoPurchase & { at: Date },
): Promise<{ orderId: string; sessionId: string }> {
  return await withClockAt(wish.at, () => purchase(wish));
}

async function purchase(wish: DemoPurchase): Promise<{ orderId: string; sessionId: string }> {
  if (!env().stripe.standIn) throw new Error("only the demo makes purchases by itself");
  const pack = COIN_PACKS.find((each) => each.id === wish.packageId);
  if (!pack) throw new Error(`there is no pack ${wish.packageId}`);
  const { order } = await transaction((tx) =>
    writeOrder(tx, pack, { userId: wish.userId, idempotencyKey: `demo:${randomUUID()}` }),
  );
  const sessionId = makeId("cs_test");
  const paymentIntentId = makeId("pi");
  const cardFingerprint = fingerprintOf(`of ${wish.userId}`);
  await database()
    .insert(fakeStripeSessions)
    .values({
      id: sessionId,
      request: {},
      clientReferenceId: order.id,
      customerEmail: `${wish.userId}@furlong.test`,
      title: pack.title,
      description: "",
      amountCents: pack.priceCents,
      currency: "zar",
      successUrl: `${env().appUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: env().appUrl,
      status: "complete",
      paymentStatus: "paid",
      paymentIntentId,
      cardEnding: "4242",
      cardFingerprint,
      createdAt: now(),
      expiresAt: now(),
    });
  await database().update(orders).set({ sessionId }).where(eq(orders.id, order.id));
  await fulfilPurchase(
    {
      sessionId,
      orderId: order.id,
      status: "complete",
      isPaid: true,
      amountCents: pack.priceCents,
      currency: "zar",
      isLive: false,
      paymentIntentId,
      cardFingerprint,
      cardWallet: null,
      payer: null,
    },
    { sendsReceipt: false },
  );
  return { orderId: order.id, sessionId };
}
