import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { venues } from "./tables.server.ts";

export type SetVenueActiveResult = { ok: true } | { ok: false; refusal: "no-such-venue" };

/**
 * Activates or deactivates a venue for an admin. An inactive venue accepts no new tips and is
 * not listed; race cards already published stay on sale.
 */
export async function setVenueActive(
  actorId: string,
  venueId: string,
  isActive: boolean,
): Promise<SetVenueActiveResult> {
  if (!isId(venueId)) return { ok: false, refusal: "no-such-venue" };
  const result = await transaction(async (tx): Promise<SetVenueActiveResult> => {
    const [venue] = await tx
      .select({ isActive: venues.isActive })
      .from(venues)
      .where(and(eq(venues.id, venueId), isNull(venues.deletedAt)))
      .for("update");
    if (!venue) return { ok: false, refusal: "no-such-venue" };
    if (venue.isActive === isActive) return { ok: true };
    await tx.update(venues).set({ isActive, updatedAt: now() }).where(eq(venues.id, venueId));
    await writeAudit(tx, {
      actorId,
      action: isActive ? "activate-venue" : "deactivate-venue",
      subject: venueId,
    });
    return { ok: true };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}
