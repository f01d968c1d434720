import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import type { Surface } from "#domain/race-day.ts";
import type { ResultRunner, ResultStatus } from "#domain/race-result.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { raceDays, raceResults, resultRunners } from "../tables.server.ts";

/** Identifies a race by venue, date and number. */
export type RaceReference = { venueId: string; raceDate: CalendarDate; raceNumber: number };

/** The runner of a stored result. Where no runners were declared, only the horses whose names were entered have one. */
export type StoredResultRunner = ResultRunner & { horseName: string | null };

/** A version of a race's result. */
export type StoredRaceResult = {
  /** Unique to the entry. The version number is reused if the entry is discarded. */
  id: string;
  raceDayId: string;
  raceNumber: number;
  version: number;
  status: ResultStatus;
  offAt: Date | null;
  starters: number | null;
  placesPaid: number;
  /** Null if the race was not run, or if its surface was not reported. */
  surface: Surface | null;
  /** True if no runners were declared, so that the names of the placed horses were entered. */
  hasEnteredNames: boolean;
  source: string;
  sourceUrl: string | null;
  via: "form" | "file" | "feed";
  enteredBy: string | null;
  enteredAt: Date;
  confirmedBy: string | null;
  confirmedAt: Date | null;
  isEnteredByOnePerson: boolean;
  reason: string;
  /** By position, then by number. */
  runners: StoredResultRunner[];
};

type ResultRow = typeof raceResults.$inferSelect;

/** Returns every version of a race's result, newest first. The first one may be unconfirmed. */
export async function readResultVersions(
  race: RaceReference,
  tx?: Tx,
): Promise<StoredRaceResult[]> {
  return await readResults(
    and(
      eq(raceDays.venueId, race.venueId),
      eq(raceDays.raceDate, race.raceDate),
      eq(raceResults.raceNumber, race.raceNumber),
    ),
    tx,
  );
}

/** Returns the result with this id, or null if it does not exist or was discarded. */
export async function findResult(id: string, tx?: Tx): Promise<StoredRaceResult | null> {
  return (await readResults(eq(raceResults.id, id), tx))[0] ?? null;
}

/** Returns the unconfirmed results of a meeting, by race number. */
export async function readUnconfirmedResults(
  meeting: { venueId: string; raceDate: CalendarDate },
  tx?: Tx,
): Promise<StoredRaceResult[]> {
  return await readResults(
    and(
      eq(raceDays.venueId, meeting.venueId),
      eq(raceDays.raceDate, meeting.raceDate),
      isNull(raceResults.confirmedAt),
    ),
    tx,
  );
}

/** Returns the official results of a meeting: the newest confirmed version of each race, by number. */
export async function readOfficialResults(
  meeting: { venueId: string; raceDate: CalendarDate },
  tx?: Tx,
): Promise<StoredRaceResult[]> {
  const confirmed = await readResults(
    and(
      eq(raceDays.venueId, meeting.venueId),
      eq(raceDays.raceDate, meeting.raceDate),
      isNotNull(raceResults.confirmedAt),
    ),
    tx,
  );
  // Versions come newest first.
  return confirmed.filter(
    (result, index) => confirmed[index - 1]?.raceNumber !== result.raceNumber,
  );
}

async function readResults(
  condition: ReturnType<typeof and>,
  tx?: Tx,
): Promise<StoredRaceResult[]> {
  const rows = await (tx ?? database())
    .select({ result: raceResults, runner: resultRunners })
    .from(raceResults)
    .innerJoin(raceDays, eq(raceDays.id, raceResults.raceDayId))
    .leftJoin(
      resultRunners,
      and(
        eq(resultRunners.raceDayId, raceResults.raceDayId),
        eq(resultRunners.raceNumber, raceResults.raceNumber),
        eq(resultRunners.version, raceResults.version),
      ),
    )
    .where(condition)
    .orderBy(
      asc(raceResults.raceNumber),
      desc(raceResults.version),
      sql`${resultRunners.position} nulls last`,
      asc(resultRunners.number),
    );
  const results = new Map<string, StoredRaceResult>();
  for (const { result, runner } of rows) {
    const stored = results.get(result.id) ?? toStoredResult(result);
    results.set(result.id, stored);
    if (runner) stored.runners.push(toResultRunner(runner));
  }
  return [...results.values()];
}

function toStoredResult(row: ResultRow): StoredRaceResult {
  return { ...row, runners: [] };
}

function toResultRunner(row: typeof resultRunners.$inferSelect): StoredResultRunner {
  const { number, horseName, outcome, position, winDividendCents, placeDividendCents } = row;
  const { startingPriceNumerator: numerator, startingPriceDenominator: denominator } = row;
  return {
    number,
    horseName,
    outcome,
    position,
    startingPrice: numerator !== null && denominator !== null ? { numerator, denominator } : null,
    winDividendCents,
    placeDividendCents,
  };
}
