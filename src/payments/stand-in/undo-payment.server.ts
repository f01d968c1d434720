import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { emitEvents } from "./emit-events.server.ts";
import { lockSession, type StandInSession } from "./stand-in-session.server.ts";
import { chargeObject, disputeObject } from "./stripe-objects.server.ts";
import { standInSessions } from "./tables.server.ts";

/** Refunds so much more of a payment, at most what is left of it. */
export async function refundPayment(id: string, amountCents: number): Promise<void> {
  await transaction(async (tx) => {
    const session = await lockSession(tx, id);
    if (session?.paymentStatus !== "paid") return;
    const refundedCents = Math.min(session.amountCents, session.refundedCents + amountCents);
    if (refundedCents <= session.refundedCents) return;
    await tx.update(standInSessions).set({ refundedCents }).where(eq(standInSessions.id, id));
    await emitEvents(tx, [
      { type: "charge.refunded", object: chargeObject({ ...session, refundedCents }), times: 2 },
    ]);
  });
}

/** Disputes a payment, or closes its dispute. A closed one stays closed. */
export async function disputePayment(
  id: string,
  disputeStatus: NonNullable<StandInSession["disputeStatus"]>,
): Promise<void> {
  await transaction(async (tx) => {
    const session = await lockSession(tx, id);
    if (session?.paymentStatus !== "paid") return;
    const mayFollow =
      disputeStatus === "needs_response"
        ? session.disputeStatus === null
        : session.disputeStatus === "needs_response";
    if (!mayFollow) return;
    await tx.update(standInSessions).set({ disputeStatus }).where(eq(standInSessions.id, id));
    await emitEvents(tx, [
      {
        type:
          disputeStatus === "needs_response" ? "charge.dispute.created" : "charge.dispute.closed",
        object: disputeObject({ ...session, disputeStatus }),
        times: 2,
      },
    ]);
  });
}
