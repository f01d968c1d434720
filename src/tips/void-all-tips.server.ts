import { and, asc, eq, isNotNull } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import {
  applyTipResult,
  readRaceCardsVoidedByAdmin,
  recordVoidRaceCards,
} from "./set-tip-result.server.ts";
import { raceCards, tips, voidRaceCards } from "./tables.server.ts";
import { hasConfirmedResult, updateOnePersonMark } from "./track-records.server.ts";
import {
  addTipResultEntry,
  deleteUnconfirmedTipResults,
  findAuthor,
} from "./unconfirmed-tip-results.server.ts";

export type VoidAllTipsResult =
  /**
   * `voided` is the number of tips that were not void before. Null if nothing has changed, because another admin must
   * void the race card too.
   */
  | { ok: true; voided: number | null; reason: string; isOnePerson: boolean }
  | { ok: false; refusal: "race-card-not-found" | "reason-missing" | "has-tips" };

/**
 * Voids every tip of a race card, including hidden ones, for an admin, inside the caller's transaction: when another
 * admin has done the same before, or at once if fewer than two admins are without tips in its races. Final: later
 * official results do not change these tips. Refuses an admin with tips in one of its races while admins without tips
 * in them exist.
 */
export async function voidAllTips(
  tx: Tx,
  params: { raceCardId: string; reason: string; actorId: string },
): Promise<VoidAllTipsResult> {
  const { raceCardId, actorId } = params;
  const reason = params.reason.trim();
  const at = now();
  if (reason === "") return { ok: false, refusal: "reason-missing" };
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
  const subject = { raceCardId, tipId: null };
  const author = await findAuthor(tx, subject, actorId);
  if (!author) return { ok: false, refusal: "has-tips" };
  // Voids visible tips first, because this locks the offer, which comes before the record in the lock order.
  const remaining = lockedTips
    .filter((tip) => tip.result !== "void")
    .sort((a, b) => Number(a.hiddenAt !== null) - Number(b.hiddenAt !== null));
  const isVoided = (await readRaceCardsVoidedByAdmin(tx, [raceCardId])).length > 0;
  if (isVoided && remaining.length === 0)
    return { ok: true, voided: 0, reason, isOnePerson: false };
  const entered = await addTipResultEntry(tx, author, { ...subject, result: "void", reason, at });
  if (entered === "different") throw new Error("a race card can only be voided");
  if (entered === "waiting") return { ok: true, voided: null, reason, isOnePerson: false };
  await tx
    .update(tips)
    .set({ settlementVersion: null, settledAt: at, settledBy: actorId })
    .where(
      and(
        eq(tips.raceCardId, raceCardId),
        eq(tips.result, "void"),
        isNotNull(tips.settlementVersion),
      ),
    );
  for (const tip of remaining)
    await applyTipResult(tx, tip, { result: "void", reason: entered.reason, actorId, at });
  await deleteUnconfirmedTipResults(
    tx,
    lockedTips.map((tip) => tip.id),
  );
  await recordVoidRaceCards(tx, [raceCardId]);
  await tx
    .insert(voidRaceCards)
    .values({ raceCardId, voidedAt: at, isVoidedByAdmin: true })
    .onConflictDoNothing();
  if (lockedTips.some(hasConfirmedResult)) await updateOnePersonMark(tx, card.creatorId);
  return {
    ok: true,
    voided: remaining.length,
    reason: entered.reason,
    isOnePerson: entered.isEnteredByOnePerson,
  };
}
