import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import type { TipResult } from "#domain/tip.ts";
import { computeContribution } from "#domain/track-record.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockTips, type TipToUpdate } from "./lock-tips.server.ts";
import { raceCards, resultEntries, tips, voidRaceCards } from "./tables.server.ts";
import { addToRecord, updateOnePersonMark } from "./track-records.server.ts";
import { addTipResultEntry, findAuthor } from "./unconfirmed-tip-results.server.ts";

export type SetTipResultOutcome =
  /** Nothing has changed: another admin must enter the same result. */
  | { ok: true; isWaiting: true }
  | {
      ok: true;
      isWaiting: false;
      raceCardId: string;
      creatorId: string;
      previous: TipResult | null;
      /** True when the previous result was only the tipster's claim. */
      wasClaim: boolean;
      /** True when every visible race of the race card is void, so that its buyers are refunded. */
      isCardVoid: boolean;
      /** True if the result is marked as the work of one person. */
      isOnePerson: boolean;
      /** The reason of the admin who entered the result first. */
      reason: string;
    }
  | {
      ok: false;
      refusal:
        | "no-such-tip"
        | "too-early"
        | "reason-missing"
        | "official-result"
        | "card-void"
        /** This admin has tips in the race, and there are admins who have none. */
        | "has-tips"
        /** Another admin has entered another result. */
        | "different";
    };

/**
 * Enters or corrects the result of a tip for an admin, inside the caller's transaction. The first call stores it; the
 * tip changes when another admin enters the same, or at once if fewer than two admins are without tips in the race.
 * Updates the creator's record and writes the audit log. Won and lost are allowed after the off; void (non-runner,
 * abandoned) is allowed at any time. Entering the result that the tipster claimed confirms it, so that it counts in the
 * record. Refuses an admin with tips in the race while admins without tips exist. Refuses a tip that was settled by an
 * official result, because the result of the race must be corrected instead. If the race has an official result, also
 * refuses a tip of a race card that an admin voided, because such tips stay void.
 */
export async function setTipResult(
  tx: Tx,
  correction: { tipId: string; result: TipResult; reason: string; actorId: string },
): Promise<SetTipResultOutcome> {
  const { tipId, result, actorId } = correction;
  const reason = correction.reason.trim();
  if (reason === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const at = now();
  // Serialises this with a batch that adds a race to the card, so that one of the two sees the other's write.
  if (result === "void") await lockCreatorOfTip(tx, tipId);
  const [tip] = await lockTips(tx, [tipId]);
  if (!tip) return { ok: false, refusal: "no-such-tip" };
  const author = await findAuthor(tx, { raceCardId: tip.raceCardId, tipId }, actorId);
  if (!author) return { ok: false, refusal: "has-tips" };
  if (tip.settlementVersion !== null) return { ok: false, refusal: "official-result" };
  if (result !== "void" && tip.result === "void" && (await isLeftVoid(tx, tip)))
    return { ok: false, refusal: "card-void" };
  if (result !== "void" && at < computeSettleableAt(tip.raceDate, tip.offAt))
    return { ok: false, refusal: "too-early" };
  const { raceCardId, creatorId, result: previous, isClaim: wasClaim } = tip;
  const unchanged = { isWaiting: false as const, raceCardId, creatorId, previous, wasClaim };
  if (previous === result && !wasClaim)
    return { ok: true, ...unchanged, isCardVoid: false, isOnePerson: false, reason };
  const entered = await addTipResultEntry(tx, author, { raceCardId, tipId, result, reason, at });
  if (entered === "different") return { ok: false, refusal: "different" };
  if (entered === "waiting") return { ok: true, isWaiting: true };
  await applyTipResult(tx, tip, { result, reason: entered.reason, actorId, at });
  const isCardVoid = result === "void" && (await recordVoidRaceCards(tx, [raceCardId])).length > 0;
  return {
    ok: true,
    ...unchanged,
    isCardVoid,
    isOnePerson: entered.isEnteredByOnePerson,
    reason: entered.reason,
  };
}

/** Sets the confirmed result of a locked tip. `at` is the time of the confirmation. */
export async function applyTipResult(
  tx: Tx,
  tip: TipToUpdate,
  entry: { result: TipResult; reason: string; actorId: string; at: Date },
): Promise<void> {
  const { result, reason, actorId, at } = entry;
  await tx
    .update(tips)
    .set({ result, settledAt: at, settledBy: actorId, isClaim: false, settlementVersion: null })
    .where(eq(tips.id, tip.id));
  await tx.insert(resultEntries).values({ tipId: tip.id, result, actorId, reason, createdAt: at });
  await writeAudit(tx, {
    actorId,
    action: "correct-result",
    subject: tip.id,
    details: { from: tip.result, to: result, reason },
  });
  const before = computeContribution(tip);
  const after = computeContribution({ isLate: tip.isLate, isClaim: false, result });
  await addToRecord(tx, tip.creatorId, {
    tips: after.tips - before.tips,
    settled: after.settled - before.settled,
    won: after.won - before.won,
  });
  await updateOnePersonMark(tx, tip.creatorId);
}

/**
 * Returns true for a tip that an official result did not settle because an admin had voided its race card.
 */
async function isLeftVoid(tx: Tx, tip: TipToUpdate): Promise<boolean> {
  if ((await readRaceCardsVoidedByAdmin(tx, [tip.raceCardId])).length === 0) return false;
  const { rows } = await tx.execute(sql`
    select from official_results o
    join race_cards c on c.venue_id = o.venue_id and c.race_date = o.race_date
    where c.id = ${tip.raceCardId} and o.race_number = ${tip.raceNumber}`);
  return rows.length > 0;
}

/**
 * Locks the creator of a tip. All writes lock the creator before their tips, which avoids deadlocks.
 */
async function lockCreatorOfTip(tx: Tx, tipId: string): Promise<void> {
  await tx
    .select({ id: creators.userId })
    .from(tips)
    .innerJoin(raceCards, eq(raceCards.id, tips.raceCardId))
    .innerJoin(creators, eq(creators.userId, raceCards.creatorId))
    .where(eq(tips.id, tipId))
    .for("no key update", { of: creators });
}

/**
 * Returns the race cards that have been void at any time, even if a result was corrected later.
 */
export async function readVoidRaceCards(tx: Tx, raceCardIds: string[]): Promise<string[]> {
  if (raceCardIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ id: voidRaceCards.raceCardId })
    .from(voidRaceCards)
    .where(inArray(voidRaceCards.raceCardId, raceCardIds));
  return rows.map((row) => row.id);
}

/** Returns the race cards that an admin voided as a whole. Official results do not settle their tips. */
export async function readRaceCardsVoidedByAdmin(tx: Tx, raceCardIds: string[]): Promise<string[]> {
  if (raceCardIds.length === 0) return [];
  const rows = await tx
    .select({ id: voidRaceCards.raceCardId })
    .from(voidRaceCards)
    .where(
      and(inArray(voidRaceCards.raceCardId, raceCardIds), eq(voidRaceCards.isVoidedByAdmin, true)),
    );
  return rows.map((row) => row.id);
}

/**
 * Records and returns the race cards in which every visible tip is void. Must be called after the update of
 * their creators' records, whose locks serialise transactions that void the last two races of a card.
 */
export async function recordVoidRaceCards(tx: Tx, raceCardIds: string[]): Promise<string[]> {
  if (raceCardIds.length === 0) return [];
  const countedTips = await tx
    .selectDistinct({ raceCardId: tips.raceCardId })
    .from(tips)
    .where(
      and(
        inArray(tips.raceCardId, raceCardIds),
        isNull(tips.hiddenAt),
        sql`${tips.result} is distinct from 'void'`,
      ),
    );
  const counted = new Set(countedTips.map((tip) => tip.raceCardId));
  const voidIds = [...new Set(raceCardIds)].filter((id) => !counted.has(id)).sort();
  if (voidIds.length > 0)
    await tx
      .insert(voidRaceCards)
      .values(voidIds.map((raceCardId) => ({ raceCardId, voidedAt: now() })))
      .onConflictDoNothing();
  return voidIds;
}
