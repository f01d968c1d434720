import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { WELCOME_COINS } from "#domain/coins.ts";
import {
  claimUnconfirmedAccount,
  createUserInTransaction,
  findUserByEmail,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { unlockRaceCardForGuest } from "#sales/sales.server.ts";
import { markGuestDeal, postToLedger } from "#wallet/wallet.server.ts";
import type { Order } from "./orders.server.ts";
import type { CheckoutSessionDetails } from "./stripe/gateway.server.ts";
import { guestDeals, pendingRegistrations } from "./tables.server.ts";

/** Whose the coins are. A guest's e-mail is known; a newcomer's account was made for this purchase. */
export type Buyer = { userId: string; email: string | null; isNewcomer: boolean };

const SIGN_IN_WITHIN_MS = 24 * 60 * 60 * 1000;

/**
 * The user an order is for. A guest becomes one here: a new account, or an unconfirmed and empty one of
 * that address. An address that has become somebody's account meanwhile keeps it untouched. Null when
 * nothing is known of the guest any more.
 */
export async function resolveBuyer(tx: Tx, order: Order): Promise<Buyer | null> {
  if (order.userId !== null) return { userId: order.userId, email: null, isNewcomer: false };
  const [guest] = await tx
    .select()
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  if (!guest) return null;
  const { email, name, passwordHash, agreedAt } = guest;
  // A session that was paid after all has lost its password: that one is set by mail.
  const takenOver =
    passwordHash === null
      ? null
      : await claimUnconfirmedAccount(tx, { email, name, passwordHash, agreedAt });
  const newcomer =
    takenOver ??
    (await createUserInTransaction(tx, { email, name, passwordHash, verified: false, agreedAt }));
  if (newcomer !== null) return { userId: newcomer, email, isNewcomer: true };
  const owner = await findUserByEmail(email, tx);
  if (!owner) throw new Error(`order ${order.id} has an address that is taken and nobody's`);
  return { userId: owner.id, email, isNewcomer: false };
}

/**
 * What a guest gets besides the coins bought: welcome coins once per address and payment card, and the
 * card that was paid for, as long as its day lasts.
 */
export async function giveGuestDeal(
  tx: Tx,
  order: Order,
  session: CheckoutSessionDetails,
  buyer: Buyer,
): Promise<{
  outcome: NonNullable<Order["guestOutcome"]>;
  welcomeCoins: number;
  openedRaceCardId: string | null;
  signInUntil: Date | null;
}> {
  const outcome = await claimDeal(tx, order, session, buyer);
  if (outcome === "newcomer") {
    await postToLedger(tx, "welcome", order.id, [
      { account: "wallet", owner: buyer.userId, unit: "coin", amount: WELCOME_COINS },
      { account: "welcome", unit: "coin", amount: -WELCOME_COINS },
    ]);
    await markGuestDeal(tx, buyer.userId);
  }
  return {
    outcome,
    welcomeCoins: outcome === "newcomer" ? WELCOME_COINS : 0,
    openedRaceCardId: await openCard(tx, order, buyer.userId),
    signInUntil: buyer.isNewcomer ? new Date(now().getTime() + SIGN_IN_WITHIN_MS) : null,
  };
}

async function claimDeal(tx: Tx, order: Order, session: CheckoutSessionDetails, buyer: Buyer) {
  if (!buyer.isNewcomer || buyer.email === null) return "existing-account";
  if (session.cardFingerprint === null) return "no-card";
  // A wallet's fingerprint names the phone, not the card: something else has to tell the card.
  if (session.cardWallet !== null && session.payer === null) return "no-card";
  const [claimed] = await tx
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
  return claimed ? "newcomer" : "repeat";
}

async function openCard(tx: Tx, order: Order, userId: string): Promise<string | null> {
  if (order.raceCardId === null) return null;
  const unlock = await unlockRaceCardForGuest(tx, { userId, raceCardId: order.raceCardId });
  return unlock.ok ? order.raceCardId : null;
}
