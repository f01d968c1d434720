import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { emitFakeEvents, type FakeEvent } from "./emit-fake-events.server.ts";
import { type FakeStripeSession, lockSession } from "./fake-stripe-session.server.ts";
import { buildCharge, buildDispute, buildRefunds } from "./stripe-objects.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

type DisputeStatus = NonNullable<FakeStripeSession["disputeStatus"]>;
type Change = {
  values: Partial<FakeStripeSession>;
  buildEvents: (updatedSession: FakeStripeSession) => FakeEvent[];
};

/** Refunds a further amount of a payment, at most what remains. */
export async function refundPayment(id: string, amountCents: number): Promise<void> {
  await updatePaidSession(id, (session) => {
    const refundedCents = Math.min(session.amountCents, session.refundedCents + amountCents);
    if (refundedCents <= session.refundedCents) return null;
    return {
      values: { refundedCents },
      buildEvents: (updatedSession) => [
        { type: "charge.refunded", object: buildCharge(updatedSession), deliveries: 2 },
      ],
    };
  });
}

export type CreateRefundResult =
  | { ok: true; refundId: string }
  | { ok: false; problem: string; isIdempotencyError: boolean };

/** Refunds an amount through the API. The same idempotency key refunds once. */
export async function createRefund(
  paymentIntentId: string,
  amountCents: number,
  idempotencyKey: string,
): Promise<CreateRefundResult> {
  const refuse = (problem: string, isIdempotencyError = false) =>
    ({ ok: false, problem, isIdempotencyError }) as const;
  const refundId = `re_${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 24)}`;
  return await transaction(async (tx): Promise<CreateRefundResult> => {
    const [session] = await tx
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.paymentIntentId, paymentIntentId))
      .for("update");
    if (session?.paymentStatus !== "paid") return refuse("There is no such charge.");
    const previousCents = session.refunds[idempotencyKey];
    if (previousCents === amountCents) return { ok: true, refundId };
    if (previousCents !== undefined)
      return refuse(
        "Keys for idempotent requests can only be used with the same parameters.",
        true,
      );
    if (!(amountCents > 0 && amountCents <= session.amountCents - session.refundedCents))
      return refuse("Refund amount is greater than unrefunded amount on charge.");
    const values = {
      refundedCents: session.refundedCents + amountCents,
      refunds: { ...session.refunds, [idempotencyKey]: amountCents },
    };
    await tx.update(fakeStripeSessions).set(values).where(eq(fakeStripeSessions.id, session.id));
    await emitFakeEvents(tx, [
      { type: "charge.refunded", object: buildCharge({ ...session, ...values }), deliveries: 2 },
    ]);
    return { ok: true, refundId };
  });
}

/** Fails an amount of successful refunds, at most all: the money returns to the merchant. */
export async function failRefund(id: string, amountCents: number): Promise<void> {
  await updatePaidSession(id, (session) => {
    const failedCents = Math.min(session.refundedCents, amountCents);
    if (failedCents <= 0) return null;
    return {
      values: {
        refundedCents: session.refundedCents - failedCents,
        failedRefundCents: session.failedRefundCents + failedCents,
      },
      buildEvents: (updatedSession) => [
        {
          type: "refund.failed",
          object: buildRefunds(updatedSession).at(-1) ?? null,
          deliveries: 2,
        },
      ],
    };
  });
}

/** Allowed previous states of each state: a lost dispute can be appealed, and a successful appeal returns the money. */
const PREVIOUS_STATUSES: Record<DisputeStatus, (DisputeStatus | null)[]> = {
  needs_response: [null, "lost"],
  won: ["needs_response", "lost"],
  lost: ["needs_response"],
};

/** Disputes a payment or part of it, closes the dispute, or reopens a lost one. */
export async function disputePayment(
  id: string,
  disputeStatus: DisputeStatus,
  { amountCents }: { amountCents?: number } = {},
): Promise<void> {
  await updatePaidSession(id, (session) => {
    if (!PREVIOUS_STATUSES[disputeStatus].includes(session.disputeStatus)) return null;
    const disputedCents =
      session.disputeStatus === null
        ? Math.min(session.amountCents, amountCents ?? session.amountCents)
        : session.disputedCents;
    return {
      values: { disputeStatus, disputedCents },
      buildEvents: (updatedSession) => [
        {
          type: toEventType(session.disputeStatus, disputeStatus),
          object: buildDispute(updatedSession),
          deliveries: 2,
        },
      ],
    };
  });
}

function toEventType(previous: DisputeStatus | null, next: DisputeStatus): string {
  if (previous === null) return "charge.dispute.created";
  if (previous === "lost")
    return next === "won" ? "charge.dispute.funds_reinstated" : "charge.dispute.updated";
  return "charge.dispute.closed";
}

async function updatePaidSession(
  id: string,
  createChange: (session: FakeStripeSession) => Change | null,
): Promise<void> {
  await transaction(async (tx) => {
    const session = await lockSession(tx, id);
    const change = session?.paymentStatus === "paid" ? createChange(session) : null;
    if (!session || !change) return;
    await tx.update(fakeStripeSessions).set(change.values).where(eq(fakeStripeSessions.id, id));
    await emitFakeEvents(tx, change.buildEvents({ ...session, ...change.values }));
  });
}
