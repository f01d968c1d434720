import { and, eq, inArray, isNull } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { settleableFrom } from "#domain/race-day.ts";
import { computeContribution } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import { resultEntries, tips } from "./tables.server.ts";
import { addToRecord } from "./track-records.server.ts";

export type TipMark = { tipId: string; result: "won" | "lost" };

export type MarkResultsOutcome =
  | { ok: true; results: TipMark[] }
  | {
      ok: false;
      refusal: "suspended" | "no-such-tip" | "too-early" | "already-settled";
      /** The requested tips that caused the refusal. */
      tipIds: string[];
    };

/**
 * Settles a creator's own tips as won or lost, all or none, after the off (18:00 if the off time is
 * unknown). A repeated call changes nothing and returns the same result.
 */
export async function markResults(
  creatorId: string,
  marks: TipMark[],
): Promise<MarkResultsOutcome> {
  return await transaction((tx) => settleTips(tx, creatorId, marks));
}

async function settleTips(
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
  const settledTips = [...ownTips.values()].filter(
    (tip) => tip.result !== null && tip.result !== requested.get(tip.id),
  );
  if (settledTips.length > 0)
    return { ok: false, refusal: "already-settled", tipIds: settledTips.map((tip) => tip.id) };
  const unsettledTips = [...ownTips.values()].filter((tip) => tip.result === null);
  const earlyTips = unsettledTips.filter((tip) => at < settleableFrom(tip.raceDate, tip.offAt));
  if (earlyTips.length > 0)
    return { ok: false, refusal: "too-early", tipIds: earlyTips.map((tip) => tip.id) };

  const recordChange = { tips: 0, settled: 0, won: 0 };
  for (const result of ["won", "lost"] as const) {
    const markedTips = unsettledTips.filter((tip) => requested.get(tip.id) === result);
    if (markedTips.length === 0) continue;
    const ids = markedTips.map((tip) => tip.id);
    await tx
      .update(tips)
      .set({ result, settledAt: at, settledBy: creatorId })
      .where(and(inArray(tips.id, ids), isNull(tips.result)));
    await tx
      .insert(resultEntries)
      .values(ids.map((tipId) => ({ tipId, result, actorId: creatorId, createdAt: at })));
    for (const tip of markedTips) {
      const { settled, won } = computeContribution({ isLate: tip.isLate, result });
      recordChange.settled += settled;
      recordChange.won += won;
    }
  }
  await addToRecord(tx, creatorId, recordChange);
  return { ok: true, results: [...requested].map(([tipId, result]) => ({ tipId, result })) };
}

/** Settles one tip of a creator as won or lost. */
export async function markResult(creatorId: string, mark: TipMark): Promise<MarkResultsOutcome> {
  return await markResults(creatorId, [mark]);
}
