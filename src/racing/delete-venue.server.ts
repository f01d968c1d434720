import { and, eq, isNull } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { announce } from "#platform/notify.server.ts";
import type { VenueStatusResult } from "./set-venue-active.server.ts";
import { venues } from "./tables.server.ts";

/**
 * Takes a venue away, for the operator. It is marked, not erased: the cards and records that name it
 * keep it. Deleting it again changes nothing.
 */
export async function deleteVenue(actorId: string, venueId: string): Promise<VenueStatusResult> {
  if (!isId(venueId)) return { ok: false, refusal: "no-such-venue" };
  const at = now();
  const answer = await transaction(async (tx): Promise<VenueStatusResult> => {
    const deleted = await tx
      .update(venues)
      .set({ deletedAt: at, updatedAt: at })
      .where(and(eq(venues.id, venueId), isNull(venues.deletedAt)))
      .returning({ id: venues.id });
    if (deleted.length > 0) {
      await writeAudit(tx, { actorId, action: "delete-venue", subject: venueId });
      return { ok: true };
    }
    const known = await tx.select({ id: venues.id }).from(venues).where(eq(venues.id, venueId));
    return known.length > 0 ? { ok: true } : { ok: false, refusal: "no-such-venue" };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}
