import { asc, eq } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import type { Tx } from "#platform/database.server.ts";
import { correctResult } from "./correct-result.server.ts";
import { lockTips } from "./lock-tips.server.ts";
import { raceCards, tips } from "./tables.server.ts";

export type VoidAllTipsAnswer =
  | { ok: true; voided: number }
  | { ok: false; refusal: "no-such-card" | "reason-missing" };

/**
 * Voids every tip of a card for the operator, within their transaction, hidden ones too: none of it
 * counts. Answers how many were not void before.
 */
export async function voidAllTips(
  tx: Tx,
  wish: { raceCardId: string; reason: string; actorId: string },
): Promise<VoidAllTipsAnswer> {
  const { raceCardId, reason, actorId } = wish;
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(raceCardId)) return { ok: false, refusal: "no-such-card" };
  // Its author, who may be adding a race to it right now, is held as publishing holds them.
  const [card] = await tx
    .select({ id: raceCards.id })
    .from(raceCards)
    .innerJoin(creators, eq(creators.userId, raceCards.creatorId))
    .where(eq(raceCards.id, raceCardId))
    .for("no key update", { of: creators });
  if (!card) return { ok: false, refusal: "no-such-card" };
  const found = await tx
    .select({ id: tips.id })
    .from(tips)
    .where(eq(tips.raceCardId, raceCardId))
    .orderBy(asc(tips.id));
  // All of them before the first is settled: nobody who holds one waits for the record we hold.
  const held = await lockTips(
    tx,
    found.map((tip) => tip.id),
  );
  const counting = held.filter((tip) => tip.result !== "void");
  for (const tip of counting)
    await correctResult(tx, { tipId: tip.id, result: "void", reason, actorId });
  return { ok: true, voided: counting.length };
}
