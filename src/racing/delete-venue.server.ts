import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import type { SetVenueActiveResult } from "./set-venue-active.server.ts";
import { venues } from "./tables.server.ts";

/**
 * Soft-deletes a venue for an admin, because race cards and records still refer to it. Its race days can still
 * be reported and get results. Idempotent.
 */
export async function deleteVenue(actorId: string, venueId: string): Promise<SetVenueActiveResult> {
  if (!isId(venueId)) return { ok: false, refusal: "no-such-venue" };
  const at = now();
  const result = await transaction(async (tx): Promise<SetVenueActiveResult> => {
    const deleted = await tx
      .update(venues)
      .set({ deletedAt: at, updatedAt: at })
      .where(and(eq(venues.id, venueId), isNull(venues.deletedAt)))
      .returning({ id: venues.id });
    if (deleted.length > 0) {
      await writeAudit(tx, { actorId, action: "delete-venue", subject: venueId });
      return { ok: true };
    }
    const existing = await tx.select({ id: venues.id }).from(venues).where(eq(venues.id, venueId));
    return existing.length > 0 ? { ok: true } : { ok: false, refusal: "no-such-venue" };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}
