import { inArray, sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { comparePrices, type PricedRace } from "#domain/figures/race-prices.ts";
import {
  type NamedRunner,
  type OfficialResult,
  SETTLEMENT_RULES,
  type Settlement,
  settleTip,
} from "#domain/settlement.ts";
import type { TipResult } from "#domain/tip.ts";
import { computeContribution } from "#domain/track-record.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { lockTips, type TipToUpdate } from "../lock-tips.server.ts";
import { readRaceCardsVoidedByAdmin, recordVoidRaceCards } from "../set-tip-result.server.ts";
import { resultEntries, tipSettlements, tips } from "../tables.server.ts";
import { addToRecord, hasConfirmedResult, updateOnePersonMark } from "../track-records.server.ts";
import { deleteUnconfirmedTipResults } from "../unconfirmed-tip-results.server.ts";

/** A version of the result of a reported race. */
export type ResultVersion = { raceDayId: string; raceNumber: number; version: number };

export type RaceSettlement = {
  /** The tips that this call settled. */
  tipIds: string[];
  /** The number of these whose result changed, by the result before and after. Null is a tip without a result. */
  changes: { from: TipResult | null; to: TipResult; count: number }[];
  /** The settled tips that became void. */
  newlyVoidTipIds: string[];
  /** The settled tips that are no longer void. */
  restoredTipIds: string[];
};

const NOTHING_SETTLED: RaceSettlement = {
  tipIds: [],
  changes: [],
  newlyVoidTipIds: [],
  restoredTipIds: [],
};

/**
 * Settles all tips of a race by the confirmed version of its result, inside the caller's transaction,
 * and updates the records of their creators. Tips that were published after its off become late. Must be called in the transaction that confirms the version,
 * with the race locked. Idempotent: each version settles a tip once, and a version that is unconfirmed or
 * has been replaced settles nothing. Tips of a race card that an admin voided stay void.
 */
export async function settleRace(tx: Tx, race: ResultVersion): Promise<RaceSettlement> {
  const result = await readOfficialResult(tx, race);
  if (!result) return NOTHING_SETTLED;
  const lockedTips = await lockTipsOfRace(tx, { ...result, ...race });
  // Results from before names were entered say nothing about the horse of a tip.
  if (result.status === "official" && result.runners.every(({ horseName }) => horseName === null))
    return NOTHING_SETTLED;
  const raceCardsVoidedByAdmin = new Set(
    await readRaceCardsVoidedByAdmin(
      tx,
      lockedTips.map((tip) => tip.raceCardId),
    ),
  );
  const unsettledTips = lockedTips.filter(
    (tip) =>
      tip.settlementVersion !== race.version &&
      !(
        tip.result === "void" &&
        tip.settlementVersion === null &&
        raceCardsVoidedByAdmin.has(tip.raceCardId)
      ),
  );
  if (unsettledTips.length === 0) return NOTHING_SETTLED;
  const surfaces = await readSurfaces(tx, race);
  const settlements = unsettledTips
    .map((tip) => ({
      ...tip,
      isMovedToOtherSurface: surfaces.isMovedAfter(tip.publishedAt),
    }))
    .map((tip) => ({ tip, settlement: settleTip(tip, result) }))
    .map((each) => ({ ...each, prices: findPrices(each.settlement, result) }));
  await writeSettlements(tx, race, settlements);
  const changes = settlements.map(({ tip, settlement }) => ({
    tip,
    result: toTipResult(settlement),
  }));
  await lockOffersOf(
    tx,
    changes.filter(({ tip, result }) => (tip.result === "void") !== (result === "void")),
  );
  await updateTips(tx, { ...race, ...result }, changes);
  await updateRecords(tx, result, changes);

  const newlyVoid = changes.filter(({ tip, result }) => result === "void" && tip.result !== "void");
  await recordVoidRaceCards(
    tx,
    newlyVoid.map(({ tip }) => tip.raceCardId),
  );
  return {
    tipIds: changes.map(({ tip }) => tip.id),
    changes: countChanges(changes),
    newlyVoidTipIds: newlyVoid.map(({ tip }) => tip.id),
    restoredTipIds: changes
      .filter(({ tip, result }) => result !== "void" && tip.result === "void")
      .map(({ tip }) => tip.id),
  };
}

/** Compares the win bet of a settled tip with the starting prices. Returns null if it has no win bet. */
function findPrices({ runnerNumber, win }: Settlement, result: OfficialResult): PricedRace | null {
  if (runnerNumber === null || !win) return null;
  return comparePrices({ horseNumber: runnerNumber, stakeCents: win.stakeCents }, result);
}

/** A confirmed result, with the admin and reason that its settlements are attributed to. */
type ConfirmedResult = OfficialResult & {
  venueId: string;
  raceDate: CalendarDate;
  confirmedBy: string;
  isEnteredByOnePerson: boolean;
  reason: string;
};

/** Returns the version if it is the official result, otherwise null. */
async function readOfficialResult(
  tx: Tx,
  { raceDayId, raceNumber, version }: ResultVersion,
): Promise<ConfirmedResult | null> {
  const { rows } = await tx.execute<Omit<ConfirmedResult, "runners">>(sql`
    select o.status, o.starters, o.places_paid as "placesPaid", o.venue_id as "venueId",
      o.race_date as "raceDate", r.has_entered_names as "hasEnteredNames", r.confirmed_by as "confirmedBy",
      o.is_entered_by_one_person as "isEnteredByOnePerson", r.reason
    from official_results o
    join race_results r on r.race_day_id = o.race_day_id and r.race_number = o.race_number
      and r.version = o.version
    where o.race_day_id = ${raceDayId} and o.race_number = ${raceNumber} and o.version = ${version}`);
  const [result] = rows;
  if (!result) return null;
  const runners = await readRunners(tx, { raceDayId, raceNumber, version });
  return { ...result, runners };
}

type RunnerRow = Omit<NamedRunner, "startingPrice"> & {
  numerator: number | null;
  denominator: number | null;
};

async function readRunners(
  tx: Tx,
  { raceDayId, raceNumber, version }: ResultVersion,
): Promise<NamedRunner[]> {
  const { rows } = await tx.execute<RunnerRow>(sql`
    select number, horse_name as "horseName", outcome, position,
      starting_price_numerator as numerator, starting_price_denominator as denominator,
      win_dividend_cents as "winDividendCents", place_dividend_cents as "placeDividendCents"
    from result_runners
    where race_day_id = ${raceDayId} and race_number = ${raceNumber} and version = ${version}
    order by number`);
  return rows.map(({ numerator, denominator, ...runner }) => ({
    ...runner,
    startingPrice: numerator === null || denominator === null ? null : { numerator, denominator },
  }));
}

/**
 * Locks and returns the tips of a race, after their lateness, their offers and the tallies follow the off of the
 * confirmed result. Locks their creators first, as publishing and marking do, and sorts all locks by id, so that two
 * confirmations at the same time do not deadlock.
 */
async function lockTipsOfRace(
  tx: Tx,
  race: { raceDayId: string; venueId: string; raceDate: CalendarDate; raceNumber: number },
): Promise<TipToUpdate[]> {
  const { rows } = await tx.execute<{ id: string; creatorId: string }>(sql`
    select t.id, c.creator_id as "creatorId"
    from race_cards c join tips t on t.race_card_id = c.id
    where c.venue_id = ${race.venueId} and c.race_date = ${race.raceDate}
      and t.race_number = ${race.raceNumber}`);
  if (rows.length === 0) return [];
  const creatorIds = rows.map((row) => row.creatorId);
  await tx.execute(sql`
    select from creators where user_id = any (${sql.param(creatorIds)}::uuid[])
    order by user_id for no key update`);
  await tx.execute(sql`
    select update_for_off_times(array[${race.raceDayId}]::uuid[], array[${race.raceNumber}]::smallint[])`);
  return await lockTips(
    tx,
    rows.map((row) => row.id),
  );
}

/**
 * Returns the number of tips that an official result will void because the surface of their race changed
 * after their publication. Tips that are void already are not counted.
 */
export async function countMovedTips(race: {
  raceDayId: string;
  venueId: string;
  raceDate: CalendarDate;
  raceNumber: number;
}): Promise<number> {
  return await transaction(async (tx) => {
    const surfaces = await readSurfaces(tx, race);
    const { rows } = await tx.execute<{ publishedAt: string }>(sql`
      select t.published_at as "publishedAt"
      from race_cards c join tips t on t.race_card_id = c.id
      where c.venue_id = ${race.venueId} and c.race_date = ${race.raceDate}
        and t.race_number = ${race.raceNumber} and t.result is distinct from 'void'`);
    return rows.filter(({ publishedAt }) => surfaces.isMovedAfter(new Date(publishedAt))).length;
  });
}

/** Reads the changes of a race's surface. `isMovedAfter` tells whether it had a different surface at an instant. */
async function readSurfaces(
  tx: Tx,
  { raceDayId, raceNumber }: Pick<ResultVersion, "raceDayId" | "raceNumber">,
): Promise<{ isMovedAfter: (instant: Date) => boolean }> {
  const { rows } = await tx.execute<{
    from: string;
    changedAt: string;
    current: string | null;
  }>(sql`
    select x.old_value as "from", x.created_at as "changedAt", r.surface as current
    from race_changes x
    join races r on r.race_day_id = x.race_day_id and r.race_number = x.race_number
    where x.race_day_id = ${raceDayId} and x.race_number = ${raceNumber} and x.kind = 'surface'
      and x.old_value is not null
    order by x.id`);
  return {
    isMovedAfter: (instant) => {
      const change = rows.find((row) => new Date(row.changedAt) >= instant);
      return change !== undefined && change.current !== null && change.from !== change.current;
    },
  };
}

/** Converts the outcome to a result. An each-way tip whose horse was placed counts as won. */
function toTipResult({ outcome }: Settlement): TipResult {
  return outcome === "placed" ? "won" : outcome;
}

/** The rows per insert, because a statement has a limited number of parameters. */
const INSERT_BATCH_SIZE = 500;

async function writeSettlements(
  tx: Tx,
  race: ResultVersion,
  settlements: readonly {
    tip: TipToUpdate;
    settlement: Settlement;
    prices: PricedRace | null;
  }[],
): Promise<void> {
  const settledAt = now();
  for (let start = 0; start < settlements.length; start += INSERT_BATCH_SIZE)
    await tx.insert(tipSettlements).values(
      settlements.slice(start, start + INSERT_BATCH_SIZE).map(({ tip, settlement, prices }) => ({
        ...race,
        tipId: tip.id,
        rules: SETTLEMENT_RULES,
        outcome: settlement.outcome,
        voidReason: settlement.voidReason,
        position: settlement.position,
        deadHeatCount: settlement.deadHeatCount,
        winStakeCents: settlement.win?.stakeCents ?? null,
        winStartingPriceReturnCents: settlement.win?.startingPriceReturnCents ?? null,
        winToteReturnCents: settlement.win?.toteReturnCents ?? null,
        placeStakeCents: settlement.place?.stakeCents ?? null,
        placeToteReturnCents: settlement.place?.toteReturnCents ?? null,
        runnerNumber: settlement.runnerNumber,
        expectedWin: prices?.expectedWin ?? null,
        favouriteReturnCents: prices?.favouriteReturnCents ?? null,
        settledAt,
      })),
    );
}

type Change = { tip: TipToUpdate; result: TipResult };

function countChanges(changes: readonly Change[]): RaceSettlement["changes"] {
  const changed = changes.filter(({ tip, result }) => tip.result !== result);
  const groups = Map.groupBy(changed, ({ tip, result }) => `${tip.result} ${result}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? { from: first.tip.result, to: first.result, count: 1 + others.length } : [],
  );
}

/**
 * Locks the offers of race cards by id. Without this, updating the tips would lock them in the order of the
 * tips, which can deadlock.
 */
async function lockOffersOf(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const raceCardIds = changes.map(({ tip }) => tip.raceCardId);
  await tx.execute(sql`
    select from race_card_offers where race_card_id = any (${sql.param(raceCardIds)}::uuid[])
    order by race_card_id for no key update`);
}

async function updateTips(
  tx: Tx,
  { version, confirmedBy, reason }: { version: number; confirmedBy: string; reason: string },
  changes: readonly Change[],
): Promise<void> {
  const at = now();
  await deleteUnconfirmedTipResults(
    tx,
    changes.map(({ tip }) => tip.id),
  );
  for (const result of ["won", "lost", "void"] as const) {
    const ids = changes.filter((change) => change.result === result).map(({ tip }) => tip.id);
    if (ids.length === 0) continue;
    await tx
      .update(tips)
      .set({
        result,
        settledAt: at,
        settledBy: confirmedBy,
        isClaim: false,
        settlementVersion: version,
      })
      .where(inArray(tips.id, ids));
    await tx.insert(resultEntries).values(
      ids.map((tipId) => ({
        tipId,
        result,
        actorId: confirmedBy,
        reason: version === 1 ? "Official result" : `Official result, corrected: ${reason}`,
        createdAt: at,
      })),
    );
  }
}

/**
 * Updates the creators' records and their marks for results entered by one person. Locks each record once,
 * sorted by creator id, so that two settlements do not deadlock.
 */
async function updateRecords(
  tx: Tx,
  { isEnteredByOnePerson }: Pick<ConfirmedResult, "isEnteredByOnePerson">,
  changes: readonly Change[],
): Promise<void> {
  const byCreator = new Map<string, { tips: number; settled: number; won: number }>();
  for (const { tip, result } of changes) {
    const before = computeContribution(tip);
    const after = computeContribution({ isLate: tip.isLate, isClaim: false, result });
    const sum = byCreator.get(tip.creatorId) ?? { tips: 0, settled: 0, won: 0 };
    byCreator.set(tip.creatorId, {
      tips: sum.tips + after.tips - before.tips,
      settled: sum.settled + after.settled - before.settled,
      won: sum.won + after.won - before.won,
    });
  }
  // A first version that two people entered cannot change a mark, unless it replaces a result that an
  // admin entered for the tip.
  const mayChangeMarks = isEnteredByOnePerson || changes.some(({ tip }) => hasConfirmedResult(tip));
  for (const [creatorId, change] of [...byCreator].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await addToRecord(tx, creatorId, change);
    if (mayChangeMarks) await updateOnePersonMark(tx, creatorId);
  }
}
