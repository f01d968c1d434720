import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import {
  claimUnconfirmedAccount,
  createUserInTransaction,
  findUserByEmail,
} from "#accounts/accounts.server.ts";
import { WELCOME_COINS } from "#domain/coins.ts";
import { holdGuestDealsJob } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueue } from "#platform/queue.server.ts";
import { unlockRaceCardForGuest } from "#sales/sales.server.ts";
import { markGuestDeal, postToLedger } from "#wallet/wallet.server.ts";
import type { CheckoutDetails } from "./gateway.ts";
import type { Order } from "./orders.server.ts";
import { guestDeals, pendingRegistrations } from "./tables.server.ts";

/** The user who gets the coins. `email` is set for guests; `isNewAccount` when the account was created for this purchase. */
export type Buyer = { userId: string; email: string | null; isNewAccount: boolean };

const SIGN_IN_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the user of an order. Creates the account of a guest, or takes over an unconfirmed and empty
 * account with that address. Any other existing account with the address gets the coins and stays
 * unchanged. Null when the guest's registration was deleted.
 */
export async function resolveBuyer(tx: Tx, order: Order): Promise<Buyer | null> {
  if (order.userId !== null) return { userId: order.userId, email: null, isNewAccount: false };
  const [guest] = await tx
    .select()
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  if (!guest) return null;
  const { email, name, passwordHash, agreedAt } = guest;
  // The password of an expired or failed order was deleted: the user sets a new one by email.
  const claimedUserId =
    passwordHash === null
      ? null
      : await claimUnconfirmedAccount(tx, { email, name, passwordHash, agreedAt });
  const newUserId =
    claimedUserId ??
    (await createUserInTransaction(tx, { email, name, passwordHash, verified: false, agreedAt }));
  if (newUserId !== null) return { userId: newUserId, email, isNewAccount: true };
  const existingUser = await findUserByEmail(email, tx);
  if (!existingUser)
    throw new Error(`order ${order.id} has an address that is taken but belongs to no user`);
  return { userId: existingUser.id, email, isNewAccount: false };
}

/**
 * Grants what a guest gets besides the purchased coins: welcome coins, once per address and payment card,
 * and the race card, unless it is no longer on sale.
 */
export async function applyGuestDeal(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
  buyer: Buyer,
): Promise<{
  outcome: NonNullable<Order["guestOutcome"]>;
  welcomeCoins: number;
  openedRaceCardId: string | null;
  signInUntil: Date | null;
}> {
  const outcome = await claimGuestDeal(tx, order, session, buyer);
  if (outcome === "new-account") {
    await postToLedger(tx, "welcome", order.id, [
      { account: "wallet", owner: buyer.userId, unit: "coin", amount: WELCOME_COINS },
      { account: "welcome", unit: "coin", amount: -WELCOME_COINS },
    ]);
    await markGuestDeal(tx, buyer.userId);
  }
  const openedRaceCardId = await unlockRaceCard(tx, order, buyer.userId);
  if (outcome === "new-account" && openedRaceCardId)
    await enqueue(tx, holdGuestDealsJob, { raceCardId: openedRaceCardId });
  return {
    outcome,
    welcomeCoins: outcome === "new-account" ? WELCOME_COINS : 0,
    openedRaceCardId,
    signInUntil: buyer.isNewAccount ? new Date(now().getTime() + SIGN_IN_WINDOW_MS) : null,
  };
}

async function claimGuestDeal(tx: Tx, order: Order, session: CheckoutDetails, buyer: Buyer) {
  if (!buyer.isNewAccount || buyer.email === null) return "existing-account";
  if (session.cardFingerprint === null) return "no-card";
  // A mobile wallet's fingerprint identifies the device, so the payment card needs another identity.
  if (session.cardWallet !== null && session.payer === null) return "no-card";
  const [claimedDeal] = await tx
    .insert(guestDeals)
    .values({
      orderId: order.id,
      email: buyer.email,
      cardFingerprint: session.cardFingerprint,
      payerHash: session.payer && createHash("sha256").update(session.payer).digest("base64url"),
      createdAt: now(),
    })
    .onConflictDoNothing()
    .returning({ orderId: guestDeals.orderId });
  return claimedDeal ? "new-account" : "repeat";
}

async function unlockRaceCard(tx: Tx, order: Order, userId: string): Promise<string | null> {
  if (order.raceCardId === null) return null;
  const { raceCardId, createdAt: orderedAt } = order;
  const result = await unlockRaceCardForGuest(tx, { userId, raceCardId, orderedAt });
  return result.ok ? order.raceCardId : null;
}
