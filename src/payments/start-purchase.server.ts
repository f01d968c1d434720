import { eq } from "drizzle-orm";
import { COIN_PACKS, type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { type Checkout, openCheckout } from "./open-checkout.server.ts";
import type { Order } from "./orders.server.ts";
import { orders } from "./tables.server.ts";

/** Why no checkout was opened. */
export type StartRefusal =
  | "no-such-package"
  | "guests-only"
  | "too-many"
  | "wallet-frozen"
  | Extract<Checkout, { ok: false }>["refusal"];

export type StartedPurchase =
  | { ok: true; checkoutUrl: string; sessionId: string }
  | { ok: false; refusal: StartRefusal };

const STARTS = { max: 30, seconds: 15 * 60 };

/**
 * Writes the order of a signed-in buyer and opens the payment page for it. The price is the package's.
 * The same request key again is the same order and page; a different package is another order.
 */
export async function startPurchase(wish: {
  viewer: { id: string; email: string };
  packageId: string;
  idempotencyKey: string;
  /** A path of this site, for whoever turns back without paying. */
  returnTo: string;
}): Promise<StartedPurchase> {
  const pack = COIN_PACKS.find((each) => each.id === wish.packageId);
  if (!pack)
    return {
      ok: false,
      refusal: wish.packageId === GUEST_DEAL.id ? "guests-only" : "no-such-package",
    };
  if (!(await withinLimit(`checkout:${wish.viewer.id}`, STARTS)))
    return { ok: false, refusal: "too-many" };
  // Coins bought now could not be spent before the dispute is decided.
  if ((await readWallet(wish.viewer.id)).isFrozen) return { ok: false, refusal: "wallet-frozen" };
  const { order } = await transaction((tx) =>
    writeOrder(tx, pack, {
      userId: wish.viewer.id,
      idempotencyKey: `${wish.viewer.id}:${pack.id}:${wish.idempotencyKey}`,
    }),
  );
  return await openCheckout(order, { email: wish.viewer.email, returnTo: wish.returnTo });
}

/** The order under this request key, with the package as it is today when it is new. */
export async function writeOrder(
  tx: Tx,
  pack: CoinPack,
  given: { userId?: string; raceCardId?: string; idempotencyKey: string },
): Promise<{ order: Order; isNew: boolean }> {
  const [added] = await tx
    .insert(orders)
    .values({
      ...given,
      packageId: pack.id,
      packageTitle: pack.title,
      coins: pack.amountCoins,
      amountCents: pack.priceCents,
      createdAt: now(),
      updatedAt: now(),
    })
    .onConflictDoNothing({ target: orders.idempotencyKey })
    .returning();
  if (added) return { order: added, isNew: true };
  const [known] = await tx
    .select()
    .from(orders)
    .where(eq(orders.idempotencyKey, given.idempotencyKey));
  if (!known) throw new Error("an order was neither written nor found");
  return { order: known, isNew: false };
}
