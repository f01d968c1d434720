import { eq, sql } from "drizzle-orm";
import { creatorRecords } from "#creators/creators.server.ts";
import type { Tip } from "#domain/tip.ts";
import type { TrackRecord } from "#domain/track-record.ts";
import { queryPrepared, type Tx } from "#platform/database.server.ts";

/** Counts over all race cards of a creator. */
export type PublishedCounts = {
  raceCards: number;
  /** The tips that an admin hid or deleted. They still count in the record. */
  removedTips: number;
  /** The tips that were published too late to count, with or without a result, as the record's download lists them. */
  lateTips: number;
};

/** Returns how many race cards a creator has published, and how many of their tips were removed or late. */
export async function readPublishedCounts(creatorId: string): Promise<PublishedCounts> {
  const rows = await queryPrepared<PublishedCounts>(
    "published-counts",
    `select (select count(*) from race_cards where creator_id = $1)::integer as "raceCards",
      (select count(*) from tips t join race_cards c on c.id = t.race_card_id
        where c.creator_id = $1 and t.hidden_at is not null)::integer as "removedTips",
      (select count(*) from tips t join race_cards c on c.id = t.race_card_id
        where c.creator_id = $1 and t.is_late)::integer as "lateTips"`,
    [creatorId],
  );
  return rows[0] ?? { raceCards: 0, removedTips: 0, lateTips: 0 };
}

/**
 * Adds a change, which may be negative, to a creator's record. Must be the last write of its
 * transaction, because all writes of one creator contend for this row.
 */
export async function addToRecord(tx: Tx, creatorId: string, change: TrackRecord): Promise<void> {
  if (change.tips === 0 && change.settled === 0 && change.won === 0) return;
  await tx
    .update(creatorRecords)
    .set({
      tips: sql`${creatorRecords.tips} + ${change.tips}`,
      settled: sql`${creatorRecords.settled} + ${change.settled}`,
      won: sql`${creatorRecords.won} + ${change.won}`,
      // This makes the tallies stale: rankings read this creator's tips until they are recalculated.
      ...(change.settled !== 0 || change.won !== 0 ? { isTallied: false } : {}),
    })
    .where(eq(creatorRecords.creatorId, creatorId));
}

/** Returns true if a tip has a result that is not a claim. Only such a result can mark the creator's record. */
export function hasConfirmedResult(tip: Pick<Tip, "result" | "isClaim">): boolean {
  return tip.result !== null && !tip.isClaim;
}

/**
 * Updates whether a creator's record includes results entered by one person. These are official results that are the
 * work of one person, and results that one admin entered for a single tip or to void a race card. Writes and locks the
 * record only if the mark changes.
 * Must be called after the creator's tips are updated.
 */
export async function updateOnePersonMark(tx: Tx, creatorId: string): Promise<void> {
  await tx.execute(sql`
    update creator_records n set has_one_person_results = entered.by_one_person
    from (select exists (
      select from race_cards c join tips t on t.race_card_id = c.id
      join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date
        and o.race_number = t.race_number and o.version = t.settlement_version
      where c.creator_id = ${creatorId} and o.is_entered_by_one_person
    ) or exists (
      select from race_cards c join tips_with_own_result t on t.race_card_id = c.id
      where c.creator_id = ${creatorId} and t.is_entered_by_one_person
    )) entered (by_one_person)
    where n.creator_id = ${creatorId}
      and n.has_one_person_results is distinct from entered.by_one_person`);
}
