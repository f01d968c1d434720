import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { parseCardNumber } from "../fake-provider/card-numbers.ts";
import type { PaymentResult } from "../fake-provider/fake-provider.ts";
import { emitFakeEvents, type FakeEvent } from "./emit-fake-events.server.ts";
import { type FakeStripeSession, lockSession } from "./fake-stripe-session.server.ts";
import { makeId } from "./make-id.server.ts";
import { buildCharge, buildPaymentIntent, buildSession } from "./stripe-objects.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";
import { TEST_CARDS } from "./test-cards.ts";

/**
 * Pays a session with a payment card. Idempotent; a declined card leaves it open. With a mobile wallet, the
 * same card has another fingerprint on each device.
 */
export async function paySession(
  id: string,
  cardNumber: string,
  { wallet, holder }: { wallet?: { type: string; device: string }; holder?: string } = {},
): Promise<PaymentResult> {
  const number = parseCardNumber(cardNumber);
  return await completeSession(id, async (tx, session) => {
    if (number === null) return { ok: false, refusal: "not-a-card" };
    if (TEST_CARDS.find((card) => card.number === number)?.declineReason)
      return { ok: false, refusal: "declined", card: number };
    const paid = await updateSession(tx, session, {
      status: "complete",
      paymentStatus: "paid",
      paymentIntentId: makeId("pi"),
      cardLast4: number.slice(-4),
      cardFingerprint: createFingerprint(wallet ? `${number} on ${wallet.device}` : number),
      cardWallet: wallet?.type ?? null,
      cardHolder: holder ?? session.customerEmail,
    });
    // Like the provider: in no particular order, and more than once.
    await emitFakeEvents(tx, [
      ...buildSuccessEvents(paid),
      { type: "checkout.session.completed", object: buildSession(paid), deliveries: 2 },
    ]);
    return { ok: true, successUrl: buildSuccessUrl(paid) };
  });
}

/** Completes a session with a delayed payment method. */
export async function startDelayedPayment(id: string): Promise<PaymentResult> {
  return await completeSession(id, async (tx, session) => {
    const pending = await updateSession(tx, session, {
      status: "complete",
      paymentIntentId: makeId("pi"),
    });
    await emitFakeEvents(tx, [
      { type: "checkout.session.completed", object: buildSession(pending), deliveries: 2 },
    ]);
    return { ok: true, successUrl: buildSuccessUrl(pending) };
  });
}

/** Resolves a pending delayed payment as paid or failed; leaves any other session unchanged. */
export async function resolveDelayedPayment(id: string, isPaid: boolean): Promise<void> {
  await transaction(async (tx) => {
    const session = await lockSession(tx, id);
    if (session?.status !== "complete" || session.paymentStatus !== "unpaid") return;
    const resolved = await updateSession(tx, session, {
      paymentStatus: isPaid ? "paid" : "failed",
    });
    const type = isPaid
      ? "checkout.session.async_payment_succeeded"
      : "checkout.session.async_payment_failed";
    await emitFakeEvents(tx, [
      { type, object: buildSession(resolved), deliveries: 2 },
      ...(isPaid ? buildSuccessEvents(resolved) : []),
    ]);
  });
}

/** Returns a fingerprint that identifies a payment card without its number. */
export function createFingerprint(number: string): string {
  return createHash("sha256").update(`fake card ${number}`).digest("base64url").slice(0, 16);
}

async function completeSession(
  id: string,
  pay: (tx: Tx, session: FakeStripeSession) => Promise<PaymentResult>,
): Promise<PaymentResult> {
  return await transaction(async (tx): Promise<PaymentResult> => {
    const session = await lockSession(tx, id);
    if (!session) return { ok: false, refusal: "no-such-session" };
    if (session.status === "complete") return { ok: true, successUrl: buildSuccessUrl(session) };
    if (session.status === "expired" || session.expiresAt <= now())
      return { ok: false, refusal: "expired" };
    return await pay(tx, session);
  });
}

async function updateSession(
  tx: Tx,
  session: FakeStripeSession,
  values: Partial<FakeStripeSession>,
): Promise<FakeStripeSession> {
  await tx.update(fakeStripeSessions).set(values).where(eq(fakeStripeSessions.id, session.id));
  return { ...session, ...values };
}

function buildSuccessEvents(session: FakeStripeSession): FakeEvent[] {
  return [
    { type: "payment_intent.succeeded", object: buildPaymentIntent(session) },
    { type: "charge.succeeded", object: buildCharge(session) },
  ];
}

/** Returns the address to which the customer returns after payment. */
export function buildSuccessUrl(session: FakeStripeSession): string {
  return session.successUrl.replace("{CHECKOUT_SESSION_ID}", session.id);
}
