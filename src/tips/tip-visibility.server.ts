import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { notifyCreator } from "#creators/creators.server.ts";
import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { tips } from "./tables.server.ts";

type DeleteTipResult = { ok: true } | { ok: false; refusal: "no-such-tip" };
export type TipVisibilityResult = { ok: true } | { ok: false; refusal: "no-such-tip" | "deleted" };

/**
 * Hides a tip for an admin: removes it from sale and from lists. Buyers can still read it.
 * Notifies its creator, with the reason if there is one.
 */
export async function hideTip(
  actorId: string,
  tipId: string,
  reason = "",
): Promise<TipVisibilityResult> {
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const result = await transaction(async (tx): Promise<TipVisibilityResult> => {
    const hidden = await tx
      .update(tips)
      .set({ hiddenAt: now() })
      .where(and(eq(tips.id, tipId), isNull(tips.hiddenAt)))
      .returning({ id: tips.id });
    if (hidden.length > 0) {
      const details = reason.trim() ? { reason: reason.trim() } : {};
      await writeAudit(tx, { actorId, action: "hide-tip", subject: tipId, details });
      const description = await describeTip(tx, tipId);
      if (description)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips was hidden",
          message: `we took your tip for ${description.tip} off sale and off the lists. Its buyers keep it, and it still counts in your record.`,
          reason,
        });
    } else if (!(await findTipState(tx, tipId))) return { ok: false, refusal: "no-such-tip" };
    return { ok: true };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/**
 * Makes a hidden tip visible again, for an admin, and notifies its creator. Refuses a deleted
 * tip.
 */
export async function showTip(actorId: string, tipId: string): Promise<TipVisibilityResult> {
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const result = await transaction(async (tx): Promise<TipVisibilityResult> => {
    const restored = await tx
      .update(tips)
      .set({ hiddenAt: null })
      .where(and(eq(tips.id, tipId), isNotNull(tips.hiddenAt), isNull(tips.deletedAt)))
      .returning({ id: tips.id });
    if (restored.length > 0) {
      await writeAudit(tx, { actorId, action: "show-tip", subject: tipId });
      const description = await describeTip(tx, tipId);
      if (description)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips is shown again",
          message: `we put your tip for ${description.tip} back on the lists. If its race card is still on sale, the tip is sold with it again.`,
        });
      return { ok: true };
    }
    const existing = await findTipState(tx, tipId);
    if (!existing) return { ok: false, refusal: "no-such-tip" };
    return existing.isDeleted ? { ok: false, refusal: "deleted" } : { ok: true };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/**
 * Marks a tip as deleted for an admin: removes it from sale and from lists permanently. Buyers
 * can still read it, and its result still counts in the creator's record.
 */
export async function deleteTip(
  actorId: string,
  tipId: string,
  reason = "",
): Promise<DeleteTipResult> {
  const at = now();
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const result = await transaction(async (tx): Promise<DeleteTipResult> => {
    const deleted = await tx
      .update(tips)
      .set({ deletedAt: at, hiddenAt: sql`coalesce(${tips.hiddenAt}, ${at})` })
      .where(and(eq(tips.id, tipId), isNull(tips.deletedAt)))
      .returning({ id: tips.id });
    if (deleted.length > 0) {
      const details = reason.trim() ? { reason: reason.trim() } : {};
      await writeAudit(tx, { actorId, action: "delete-tip", subject: tipId, details });
      const described = await describeTip(tx, tipId);
      if (described)
        await notifyCreator(tx, {
          creatorId: described.creatorId,
          title: "One of your tips was deleted",
          message: `we took your tip for ${described.tip} off sale and off the lists permanently. Its buyers keep it, and it still counts in your record.`,
          reason,
        });
    } else if (!(await findTipState(tx, tipId))) return { ok: false, refusal: "no-such-tip" };
    return { ok: true };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/**
 * Returns a tip's creator and its description for messages: "race 3 at Kenilworth on 21 Nov 2026".
 */
export async function describeTip(
  tx: Tx,
  tipId: string,
): Promise<{ creatorId: string; tip: string; raceCard: string } | null> {
  const { rows } = await tx.execute<{
    creator_id: string;
    race_number: number;
    race_date: CalendarDate;
    venue: string;
  }>(sql`
    select c.creator_id, t.race_number, c.race_date::text as race_date, v.name as venue
    from tips t join race_cards c on c.id = t.race_card_id join venues v on v.id = c.venue_id
    where t.id = ${tipId}`);
  const [row] = rows;
  if (!row) return null;
  const raceCard = `${row.venue} on ${formatDate(row.race_date)}`;
  return { creatorId: row.creator_id, raceCard, tip: `race ${row.race_number} at ${raceCard}` };
}

/** Returns the deletion state of a tip; null for an unknown id. */
export async function findTipState(tx: Tx, tipId: string): Promise<{ isDeleted: boolean } | null> {
  const [tip] = await tx.select({ deletedAt: tips.deletedAt }).from(tips).where(eq(tips.id, tipId));
  return tip ? { isDeleted: tip.deletedAt !== null } : null;
}
