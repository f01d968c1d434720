import { and, asc, eq, isNotNull } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import { mayEnterResults, setTipResult } from "./set-tip-result.server.ts";
import { raceCards, tips, voidRaceCards } from "./tables.server.ts";
import { hasConfirmedResult, updateOnePersonMark } from "./track-records.server.ts";

export type VoidAllTipsResult =
  | { ok: true; voided: number }
  | { ok: false; refusal: "race-card-not-found" | "reason-missing" | "has-tips" };

/**
 * Voids every tip of a race card, including hidden ones, for an admin, inside the caller's
 * transaction. Returns the number of tips that were not void before. Final: later official results do not
 * change these tips. Refuses an admin with tips in one of its races while admins without tips in it exist.
 */
export async function voidAllTips(
  tx: Tx,
  params: { raceCardId: string; reason: string; actorId: string },
): Promise<VoidAllTipsResult> {
  const { raceCardId, reason, actorId } = params;
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(raceCardId)) return { ok: false, refusal: "race-card-not-found" };
  // Locks the creator first, as publishing does, because the creator may be adding a race.
  const [card] = await tx
    .select({ creatorId: raceCards.creatorId })
    .from(raceCards)
    .innerJoin(creators, eq(creators.userId, raceCards.creatorId))
    .where(eq(raceCards.id, raceCardId))
    .for("no key update", { of: creators });
  if (!card) return { ok: false, refusal: "race-card-not-found" };
  const raceCardTips = await tx
    .select({ id: tips.id })
    .from(tips)
    .where(eq(tips.raceCardId, raceCardId))
    .orderBy(asc(tips.id));
  // Locks all tips first, because the update of the first one locks the record, which comes last in the
  // lock order.
  const lockedTips = await lockTips(
    tx,
    raceCardTips.map((tip) => tip.id),
  );
  const tipIds = lockedTips.map((tip) => tip.id);
  if (!(await mayEnterResults(tx, actorId, tipIds))) return { ok: false, refusal: "has-tips" };
  // Voids visible tips first, because this locks the offer, which comes before the record in the lock order.
  const remaining = lockedTips
    .filter((tip) => tip.result !== "void")
    .sort((a, b) => Number(a.hiddenAt !== null) - Number(b.hiddenAt !== null));
  await tx
    .update(tips)
    .set({ settlementVersion: null })
    .where(and(eq(tips.raceCardId, raceCardId), isNotNull(tips.settlementVersion)));
  for (const tip of remaining)
    await setTipResult(tx, { tipId: tip.id, result: "void", reason, actorId });
  await tx
    .insert(voidRaceCards)
    .values({ raceCardId, voidedAt: now(), isVoidedByAdmin: true })
    .onConflictDoNothing();
  if (lockedTips.some(hasConfirmedResult)) await updateOnePersonMark(tx, card.creatorId);
  return { ok: true, voided: remaining.length };
}
