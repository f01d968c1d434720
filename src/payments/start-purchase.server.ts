import { type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { findRaceCardOnSale } from "#tips/tips.server.ts";
import { readPrices, readWallet } from "#wallet/wallet.server.ts";
import { type OpenedCheckout, type OpenRefusal, openCheckout } from "./open-checkout.server.ts";
import { findOrderByKey, type Order } from "./orders.server.ts";
import { orders } from "./tables.server.ts";

/** Why no checkout was opened. */
export type StartRefusal =
  | "no-such-coin-pack"
  | "guests-only"
  | "too-many"
  | "wallet-frozen"
  | "not-on-sale"
  | "price-changed"
  | OpenRefusal;

export type StartedPurchase = OpenedCheckout | { ok: false; refusal: StartRefusal };

const START_LIMIT = { max: 30, seconds: 15 * 60 };

/**
 * Creates the order of a signed-in buyer and opens its payment page. The price comes from the coin pack.
 * The same idempotency key returns the same order and page; a different coin pack is another order.
 */
export async function startPurchase(params: {
  viewer: { id: string; email: string };
  coinPackId: string;
  idempotencyKey: string;
  /** Path of this site to return to when the buyer cancels. */
  returnTo: string;
  /** The race card that the buyer wants to open with the coins. */
  raceCardId?: string;
  /** The price that the buyer saw. */
  shownCents?: number;
}): Promise<StartedPurchase> {
  const { coinPacks } = await readPrices();
  const pack = coinPacks.find((candidate) => candidate.id === params.coinPackId);
  if (!pack)
    return {
      ok: false,
      refusal: params.coinPackId === GUEST_DEAL.id ? "guests-only" : "no-such-coin-pack",
    };
  if (!(await isWithinLimit(`checkout:${params.viewer.id}`, START_LIMIT)))
    return { ok: false, refusal: "too-many" };
  // Coins in a frozen wallet cannot be spent until the dispute is decided.
  if ((await readWallet(params.viewer.id)).isFrozen) return { ok: false, refusal: "wallet-frozen" };
  const idempotencyKey = `${params.viewer.id}:${pack.id}:${params.idempotencyKey}`;
  // The buyer pays to open this race card, so it must still be on sale. A repeated request may already be paid.
  if (!(await findOrderByKey(idempotencyKey))) {
    if (params.raceCardId && !(await findRaceCardOnSale(params.raceCardId)))
      return { ok: false, refusal: "not-on-sale" };
    if (params.shownCents !== undefined && params.shownCents !== pack.priceCents)
      return { ok: false, refusal: "price-changed" };
  }
  const { order } = await transaction((tx) =>
    createOrder(tx, pack, {
      userId: params.viewer.id,
      raceCardId: params.raceCardId || undefined,
      idempotencyKey,
    }),
  );
  return await openCheckout(order, { email: params.viewer.email, returnTo: params.returnTo });
}

/** Creates an order of a coin pack at its price of now, or returns the existing order of this idempotency key. */
export async function createOrder(
  tx: Tx,
  pack: CoinPack,
  values: { userId?: string; raceCardId?: string; idempotencyKey: string },
): Promise<{ order: Order; isNew: boolean }> {
  const [insertedOrder] = await tx
    .insert(orders)
    .values({
      ...values,
      provider: env().paymentProvider,
      coinPackId: pack.id,
      coinPackTitle: pack.title,
      coins: pack.amountCoins,
      amountCents: pack.priceCents,
      createdAt: now(),
      updatedAt: now(),
    })
    .onConflictDoNothing({ target: orders.idempotencyKey })
    .returning();
  if (insertedOrder) return { order: insertedOrder, isNew: true };
  const existingOrder = await findOrderByKey(values.idempotencyKey, tx);
  if (!existingOrder) throw new Error("the order was neither created nor found");
  return { order: existingOrder, isNew: false };
}
