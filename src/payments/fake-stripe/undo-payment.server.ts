import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { emitFakeEvents, type FakeEvent } from "./emit-fake-events.server.ts";
import { type FakeStripeSession, lockSession } from "./fake-stripe-session.server.ts";
import { chargeObject, disputeObject, refundObjects } from "./stripe-objects.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

type Dispute = NonNullable<FakeStripeSession["disputeStatus"]>;
type Change = {
  values: Partial<FakeStripeSession>;
  emit: (changed: FakeStripeSession) => FakeEvent[];
};

/** Refunds a further amount of a payment, at most what remains. */
export async function refundPayment(id: string, amountCents: number): Promise<void> {
  await changePaid(id, (session) => {
    const refundedCents = Math.min(session.amountCents, session.refundedCents + amountCents);
    if (refundedCents <= session.refundedCents) return null;
    return {
      values: { refundedCents },
      emit: (changed) => [{ type: "charge.refunded", object: chargeObject(changed), times: 2 }],
    };
  });
}

/** Fails an amount of successful refunds, at most all: the money returns to the merchant. */
export async function failRefund(id: string, amountCents: number): Promise<void> {
  await changePaid(id, (session) => {
    const failedCents = Math.min(session.refundedCents, amountCents);
    if (failedCents <= 0) return null;
    return {
      values: {
        refundedCents: session.refundedCents - failedCents,
        failedRefundCents: session.failedRefundCents + failedCents,
      },
      emit: (changed) => [
        { type: "refund.failed", object: refundObjects(changed).at(-1) ?? null, times: 2 },
      ],
    };
  });
}

/** Allowed previous states of each state: a lost dispute can be appealed, and a successful appeal returns the money. */
const ALLOWED_FROM: Record<Dispute, (Dispute | null)[]> = {
  needs_response: [null, "lost"],
  won: ["needs_response", "lost"],
  lost: ["needs_response"],
};

/** Disputes a payment or part of it, closes the dispute, or reopens a lost one. */
export async function disputePayment(
  id: string,
  disputeStatus: Dispute,
  { amountCents }: { amountCents?: number } = {},
): Promise<void> {
  await changePaid(id, (session) => {
    if (!ALLOWED_FROM[disputeStatus].includes(session.disputeStatus)) return null;
    const disputedCents =
      session.disputeStatus === null
        ? Math.min(session.amountCents, amountCents ?? session.amountCents)
        : session.disputedCents;
    return {
      values: { disputeStatus, disputedCents },
      emit: (changed) => [
        {
          type: eventOf(session.disputeStatus, disputeStatus),
          object: disputeObject(changed),
          times: 2,
        },
      ],
    };
  });
}

function eventOf(from: Dispute | null, to: Dispute): string {
  if (from === null) return "charge.dispute.created";
  if (from === "lost")
    return to === "won" ? "charge.dispute.funds_reinstated" : "charge.dispute.updated";
  return "charge.dispute.closed";
}

async function changePaid(
  id: string,
  decide: (session: FakeStripeSession) => Change | null,
): Promise<void> {
  await transaction(async (tx) => {
    const session = await lockSession(tx, id);
    const change = session?.paymentStatus === "paid" ? decide(session) : null;
    if (!session || !change) return;
    await tx.update(fakeStripeSessions).set(change.values).where(eq(fakeStripeSessions.id, id));
    await emitFakeEvents(tx, change.emit({ ...session, ...change.values }));
  });
}
