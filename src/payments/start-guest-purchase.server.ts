import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { GUEST_DEAL } from "#domain/coin-packs.ts";
import {
  canClaimAccount,
  findUserByEmail,
  hashPassword,
  isCommonPassword,
  verifyPassword,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { addressKey, withinLimit } from "#platform/rate-limits.server.ts";
import { findRaceCardOnSale } from "#tips/tips.server.ts";
import {
  guestOrderTokenHash,
  hasGuestOrderToken,
  setGuestOrderToken,
} from "./guest-order-token.server.ts";
import { type Checkout, openCheckout } from "./open-checkout.server.ts";
import type { Order } from "./orders.server.ts";
import { writeOrder } from "./start-purchase.server.ts";
import { orders, pendingRegistrations } from "./tables.server.ts";

/** Why a guest's checkout was not opened. */
export type GuestRefusal =
  | "not-agreed"
  | "weak-password"
  | "too-many"
  | "not-on-sale"
  | "races-run"
  | "has-account"
  | "busy"
  | Extract<Checkout, { ok: false }>["refusal"];

export type StartedGuestPurchase =
  | { ok: true; checkoutUrl: string; sessionId: string; setCookie: string }
  | { ok: false; refusal: GuestRefusal };

export type GuestPurchaseParams = {
  raceCardId: string;
  name: string;
  /** Lower case and trimmed, as the inputs hand it over. */
  email: string;
  password: string;
  /** Said to be 18 or older and agreed to the terms. */
  agreed: boolean;
  idempotencyKey: string;
  clientAddress: string;
  returnTo: string;
  /** Shows whether this is the browser that began, where it has begun before. */
  request?: Request;
  /** How many of the card's races the guest has been told are over; without it none may be. */
  acknowledgedRacesRun?: number;
};

const BY_ADDRESS = { max: 60, seconds: 15 * 60 };
const BY_EMAIL = { max: 10, seconds: 60 * 60 };

/**
 * Writes the order of a guest who wants one card, with the account to be: the password is hashed here
 * and goes nowhere else. An address that has an account is refused before money moves. The same
 * request key again is the same order and page, for the browser that began it and whoever gives the same
 * password: a key that can be guessed leads nobody to another's. The cookie makes this browser the one that
 * is signed in.
 */
export async function startGuestPurchase(wish: GuestPurchaseParams): Promise<StartedGuestPurchase> {
  const idempotencyKey = guestKey(wish);
  const known = await findByKey(idempotencyKey);
  if (known) return (await tooMany(wish)) ?? (await leadOnAgain(known, wish));

  const refusal = await refuse(wish);
  if (refusal) return { ok: false, refusal };
  const passwordHash = await hashPassword(wish.password);
  if (passwordHash === null) return { ok: false, refusal: "busy" };

  const begun = await transaction(async (tx) => {
    const { order, isNew } = await writeOrder(tx, GUEST_DEAL, {
      raceCardId: wish.raceCardId,
      idempotencyKey,
    });
    if (!isNew) return { order, isNew };
    await tx.insert(pendingRegistrations).values({
      orderId: order.id,
      email: wish.email,
      name: wish.name,
      passwordHash,
      agreedAt: now(),
    });
    await tx
      .update(orders)
      .set({ browserHash: guestOrderTokenHash(order.id) })
      .where(eq(orders.id, order.id));
    return { order, isNew };
  });
  return begun.isNew ? await leadOn(begun.order, wish) : await leadOnAgain(begun.order, wish);
}

/** Another address or card is another order, whatever the key. */
function guestKey({ email, raceCardId, idempotencyKey }: GuestPurchaseParams): string {
  const who = createHash("sha256").update(email).digest("base64url");
  return `guest:${raceCardId}:${who}:${idempotencyKey}`;
}

async function findByKey(idempotencyKey: string): Promise<Order | undefined> {
  const [order] = await database()
    .select()
    .from(orders)
    .where(eq(orders.idempotencyKey, idempotencyKey));
  return order;
}

async function tooMany(
  wish: GuestPurchaseParams,
): Promise<{ ok: false; refusal: "too-many" } | null> {
  const who = createHash("sha256").update(wish.email).digest("base64url");
  const isWithin =
    (await withinLimit(addressKey("guest-checkout", wish.clientAddress), BY_ADDRESS)) &&
    (await withinLimit(`guest-checkout:${who}`, BY_EMAIL));
  return isWithin ? null : { ok: false, refusal: "too-many" };
}

async function refuse(wish: GuestPurchaseParams): Promise<GuestRefusal | null> {
  if (!wish.agreed) return "not-agreed";
  if (isCommonPassword(wish.password)) return "weak-password";
  if (await tooMany(wish)) return "too-many";
  const raceCard = await findRaceCardOnSale(wish.raceCardId);
  if (!raceCard) return "not-on-sale";
  if (raceCard.racesRun > (wish.acknowledgedRacesRun ?? 0)) return "races-run";
  const hasAccount = (await findUserByEmail(wish.email)) !== null;
  return hasAccount && !(await canClaimAccount(wish.email)) ? "has-account" : null;
}

async function leadOnAgain(order: Order, wish: GuestPurchaseParams): Promise<StartedGuestPurchase> {
  if (wish.request && hasGuestOrderToken(wish.request, order)) return await leadOn(order, wish);
  const [guest] = await database()
    .select({ passwordHash: pendingRegistrations.passwordHash })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  const isTheirs = await verifyPassword(guest?.passwordHash ?? "", wish.password);
  if (isTheirs === null) return { ok: false, refusal: "busy" };
  return isTheirs ? await leadOn(order, wish) : { ok: false, refusal: "checkout-over" };
}

async function leadOn(order: Order, wish: GuestPurchaseParams): Promise<StartedGuestPurchase> {
  const checkout = await openCheckout(order, { email: wish.email, returnTo: wish.returnTo });
  return checkout.ok ? { ...checkout, setCookie: setGuestOrderToken(order.id) } : checkout;
}
