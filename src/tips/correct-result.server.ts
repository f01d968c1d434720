import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { settleableFrom } from "#domain/race-day.ts";
import type { TipResult } from "#domain/tip.ts";
import { computeContribution } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import { raceCards, resultEntries, tips, voidRaceCards } from "./tables.server.ts";
import { addToRecord } from "./track-records.server.ts";

export type CorrectResultOutcome =
  | {
      ok: true;
      raceCardId: string;
      creatorId: string;
      previous: TipResult | null;
      /** True when every visible race of the race card is void, so that its buyers are refunded. */
      isCardVoid: boolean;
    }
  | { ok: false; refusal: "no-such-tip" | "too-early" | "reason-missing" };

/**
 * Enters or corrects a result for the operator, inside the caller's transaction. Won and lost are
 * allowed after the off; void (non-runner, abandoned) is allowed at any time. Updates the creator's
 * record and writes the audit log.
 */
export async function correctResult(
  tx: Tx,
  correction: { tipId: string; result: TipResult; reason: string; actorId: string },
): Promise<CorrectResultOutcome> {
  const { tipId, result, actorId } = correction;
  const reason = correction.reason.trim();
  if (reason === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(tipId)) return { ok: false, refusal: "no-such-tip" };
  const at = now();
  // Serialises with a batch that adds a race to this card: one of the two sees the other's write.
  if (result === "void") await lockCreatorOfTip(tx, tipId);
  const [tip] = await lockTips(tx, [tipId]);
  if (!tip) return { ok: false, refusal: "no-such-tip" };
  if (result !== "void" && at < settleableFrom(tip.raceDate, tip.offAt))
    return { ok: false, refusal: "too-early" };
  const { raceCardId, creatorId, result: previous } = tip;
  if (previous !== result) {
    await tx
      .update(tips)
      .set({ result, settledAt: at, settledBy: actorId })
      .where(eq(tips.id, tipId));
    await tx.insert(resultEntries).values({ tipId, result, actorId, reason, createdAt: at });
    await writeAudit(tx, {
      actorId,
      action: "correct-result",
      subject: tipId,
      details: { from: previous, to: result, reason },
    });
    const before = computeContribution({ isLate: tip.isLate, result: previous });
    const after = computeContribution({ isLate: tip.isLate, result });
    // The record row serialises two operators who void the last two races of a card, so that the
    // second one sees a void card.
    await addToRecord(tx, creatorId, {
      tips: after.tips - before.tips,
      settled: after.settled - before.settled,
      won: after.won - before.won,
    });
  }
  const becomesVoid = result === "void" && (await isCardVoid(tx, raceCardId));
  if (becomesVoid)
    await tx.insert(voidRaceCards).values({ raceCardId, voidedAt: at }).onConflictDoNothing();
  return { ok: true, raceCardId, creatorId, previous, isCardVoid: becomesVoid };
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
    .select({ id: voidRaceCards.raceCardId })
    .from(voidRaceCards)
    .where(inArray(voidRaceCards.raceCardId, raceCardIds));
  return rows.map((row) => row.id);
}

async function isCardVoid(tx: Tx, raceCardId: string): Promise<boolean> {
  const [countedTip] = await tx
    .select({ id: tips.id })
    .from(tips)
    .where(
      and(
        eq(tips.raceCardId, raceCardId),
        isNull(tips.hiddenAt),
        sql`${tips.result} is distinct from 'void'`,
      ),
    )
    .limit(1);
  return countedTip === undefined;
}
