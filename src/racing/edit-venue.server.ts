import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { type SaveVenueResult, withNameConflictRefusal } from "./add-venue.server.ts";
import { venues } from "./tables.server.ts";
import type { VenueInput } from "./venue.input.ts";

/** Changes a venue for an admin. The slug stays the same, so that links keep working. */
export async function editVenue(
  actorId: string,
  venueId: string,
  input: VenueInput,
): Promise<SaveVenueResult> {
  if (!isId(venueId)) return { ok: false, refusal: "no-such-venue" };
  const result = await withNameConflictRefusal(() =>
    transaction(async (tx): Promise<SaveVenueResult> => {
      const [venue] = await tx
        .update(venues)
        .set({ ...input, updatedAt: now() })
        .where(and(eq(venues.id, venueId), isNull(venues.deletedAt)))
        .returning({ id: venues.id });
      if (!venue) return { ok: false, refusal: "no-such-venue" };
      await writeAudit(tx, { actorId, action: "edit-venue", subject: venueId, details: input });
      return { ok: true, venueId };
    }),
  );
  if (result.ok) await publishUpdate("race-cards");
  return result;
}
