import { and, eq, inArray, isNull } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import { resultEntries, tips } from "./tables.server.ts";

export type TipMark = { tipId: string; result: "won" | "lost" };

export type MarkResultsOutcome =
  | { ok: true; results: TipMark[] }
  | {
      ok: false;
      refusal: "suspended" | "no-such-tip" | "too-early" | "has-result";
      /** The requested tips that caused the refusal. */
      tipIds: string[];
    };

/**
 * Marks a creator's own tips as won or lost, all or none, after the off (18:00 if the off time is
 * unknown). The result is the creator's claim until an official result settles the tip. A repeated call
 * changes nothing and returns the same result.
 */
export async function markResults(
  creatorId: string,
  marks: TipMark[],
): Promise<MarkResultsOutcome> {
  return await transaction((tx) => markInTransaction(tx, creatorId, marks));
}

async function markInTransaction(
  tx: Tx,
  creatorId: string,
  marks: TipMark[],
): Promise<MarkResultsOutcome> {
  const at = now();
  // Locked until commit, so that a suspension takes effect entirely before or after this.
  const [creator] = await tx
    .select({ suspendedAt: creators.suspendedAt })
    .from(creators)
    .where(eq(creators.userId, creatorId))
    .for("share");
  if (creator?.suspendedAt)
    return { ok: false, refusal: "suspended", tipIds: marks.map((each) => each.tipId) };
  const requested = new Map(marks.map((each) => [each.tipId, each.result]));
  const lockedTips = await lockTips(tx, [...requested.keys()].filter(isId));
  const ownTips = new Map(
    lockedTips.filter((tip) => tip.creatorId === creatorId).map((tip) => [tip.id, tip]),
  );

  const unknownIds = [...requested.keys()].filter((id) => !ownTips.has(id));
  if (unknownIds.length > 0) return { ok: false, refusal: "no-such-tip", tipIds: unknownIds };
  const contradictedTips = [...ownTips.values()].filter(
    (tip) => tip.result !== null && tip.result !== requested.get(tip.id),
  );
  if (contradictedTips.length > 0)
    return { ok: false, refusal: "has-result", tipIds: contradictedTips.map((tip) => tip.id) };
  const unmarkedTips = [...ownTips.values()].filter((tip) => tip.result === null);
  const earlyTips = unmarkedTips.filter((tip) => at < computeSettleableAt(tip.raceDate, tip.offAt));
  if (earlyTips.length > 0)
    return { ok: false, refusal: "too-early", tipIds: earlyTips.map((tip) => tip.id) };

  for (const result of ["won", "lost"] as const) {
    const markedTips = unmarkedTips.filter((tip) => requested.get(tip.id) === result);
    if (markedTips.length === 0) continue;
    const ids = markedTips.map((tip) => tip.id);
    await tx
      .update(tips)
      .set({
        result,
        settledAt: at,
        settledBy: creatorId,
        isClaim: true,
        claimedResult: result,
      })
      .where(and(inArray(tips.id, ids), isNull(tips.result)));
    await tx
      .insert(resultEntries)
      .values(ids.map((tipId) => ({ tipId, result, actorId: creatorId, createdAt: at })));
  }
  return { ok: true, results: [...requested].map(([tipId, result]) => ({ tipId, result })) };
}

/** Marks one tip of a creator as won or lost, as `markResults` does. */
export async function markResult(creatorId: string, mark: TipMark): Promise<MarkResultsOutcome> {
  return await markResults(creatorId, [mark]);
}
