import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import {
  canClaimAccount,
  findUserByEmail,
  hashPassword,
  isCommonPassword,
  verifyPassword,
} from "#accounts/accounts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { createAddressKey, isWithinLimit } from "#platform/rate-limits.server.ts";
import { findRaceCardOnSale } from "#tips/tips.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import {
  createGuestOrderCookie,
  hasGuestOrderToken,
  hashGuestOrderToken,
} from "./guest-order-token.server.ts";
import { type OpenedCheckout, type OpenRefusal, openCheckout } from "./open-checkout.server.ts";
import { findOrderByKey, type Order } from "./orders.server.ts";
import { createOrder } from "./start-purchase.server.ts";
import { orders, pendingRegistrations } from "./tables.server.ts";

/** Why a guest's checkout was not opened. */
export type GuestRefusal =
  | "not-agreed"
  | "weak-password"
  | "too-many"
  | "not-on-sale"
  | "price-changed"
  | "races-run"
  | "has-account"
  | "busy"
  | OpenRefusal;

export type StartedGuestPurchase =
  | (OpenedCheckout & { setCookie: string })
  | { ok: false; refusal: GuestRefusal };

export type GuestPurchaseParams = {
  raceCardId: string;
  name: string;
  /** Lower case and trimmed, as the form schema returns it. */
  email: string;
  password: string;
  /** Confirmed to be 18 or older and to agree to the terms. */
  agreed: boolean;
  idempotencyKey: string;
  clientAddress: string;
  returnTo: string;
  /** Its cookie shows whether this browser created the order. */
  request?: Request;
  /** Number of races shown to the guest as run; defaults to 0. */
  acknowledgedRacesRun?: number;
  /** The price that the guest saw. */
  shownCents?: number;
};

const ADDRESS_LIMIT = { max: 60, seconds: 15 * 60 };
const EMAIL_LIMIT = { max: 10, seconds: 60 * 60 };

/**
 * Creates the order of a guest for one race card, with the registration of the future account. The
 * password is hashed here and stored nowhere else. Refuses an address that has an account before any
 * payment. The same idempotency key returns the same order and page, but only to the browser that created
 * it or with the same password, so a guessed key reveals no other guest's order. The cookie lets this
 * browser be signed in after the payment.
 */
export async function startGuestPurchase(
  params: GuestPurchaseParams,
): Promise<StartedGuestPurchase> {
  const idempotencyKey = buildOrderKey(params);
  const existingOrder = await findOrderByKey(idempotencyKey);
  if (existingOrder)
    return (await checkRateLimits(params)) ?? (await reopenGuestCheckout(existingOrder, params));

  const refusal = await findRefusal(params);
  if (refusal) return { ok: false, refusal };
  const passwordHash = await hashPassword(params.password);
  if (passwordHash === null) return { ok: false, refusal: "busy" };

  const { guestDeal } = await readPrices();
  if (params.shownCents !== undefined && params.shownCents !== guestDeal.priceCents)
    return { ok: false, refusal: "price-changed" };
  const created = await transaction(async (tx) => {
    const { order, isNew } = await createOrder(tx, guestDeal, {
      raceCardId: params.raceCardId,
      idempotencyKey,
    });
    if (!isNew) return { order, isNew };
    await tx.insert(pendingRegistrations).values({
      orderId: order.id,
      email: params.email,
      name: params.name,
      passwordHash,
      agreedAt: now(),
    });
    await tx
      .update(orders)
      .set({ guestTokenHash: hashGuestOrderToken(order.id) })
      .where(eq(orders.id, order.id));
    return { order, isNew };
  });
  return created.isNew
    ? await openGuestCheckout(created.order, params)
    : await reopenGuestCheckout(created.order, params);
}

/** Includes the address and race card, so that a different one is a different order under the same key. */
function buildOrderKey({ email, raceCardId, idempotencyKey }: GuestPurchaseParams): string {
  const emailHash = createHash("sha256").update(email).digest("base64url");
  return `guest:${raceCardId}:${emailHash}:${idempotencyKey}`;
}

async function checkRateLimits(
  params: GuestPurchaseParams,
): Promise<{ ok: false; refusal: "too-many" } | null> {
  const emailHash = createHash("sha256").update(params.email).digest("base64url");
  const isWithinLimits =
    (await isWithinLimit(
      createAddressKey("guest-checkout", params.clientAddress),
      ADDRESS_LIMIT,
    )) && (await isWithinLimit(`guest-checkout:${emailHash}`, EMAIL_LIMIT));
  return isWithinLimits ? null : { ok: false, refusal: "too-many" };
}

async function findRefusal(params: GuestPurchaseParams): Promise<GuestRefusal | null> {
  if (!params.agreed) return "not-agreed";
  if (isCommonPassword(params.password)) return "weak-password";
  if (await checkRateLimits(params)) return "too-many";
  const raceCard = await findRaceCardOnSale(params.raceCardId);
  if (!raceCard) return "not-on-sale";
  if (raceCard.racesRun > (params.acknowledgedRacesRun ?? 0)) return "races-run";
  const hasAccount = (await findUserByEmail(params.email)) !== null;
  return hasAccount && !(await canClaimAccount(params.email)) ? "has-account" : null;
}

async function reopenGuestCheckout(
  order: Order,
  params: GuestPurchaseParams,
): Promise<StartedGuestPurchase> {
  if (params.request && hasGuestOrderToken(params.request, order))
    return await openGuestCheckout(order, params);
  const [guest] = await database()
    .select({ passwordHash: pendingRegistrations.passwordHash })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  const isPasswordCorrect = await verifyPassword(guest?.passwordHash ?? "", params.password);
  if (isPasswordCorrect === null) return { ok: false, refusal: "busy" };
  return isPasswordCorrect
    ? await openGuestCheckout(order, params)
    : { ok: false, refusal: "checkout-expired" };
}

async function openGuestCheckout(
  order: Order,
  params: GuestPurchaseParams,
): Promise<StartedGuestPurchase> {
  const checkout = await openCheckout(order, { email: params.email, returnTo: params.returnTo });
  return checkout.ok ? { ...checkout, setCookie: createGuestOrderCookie(order.id) } : checkout;
}
