import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { ResultStatus } from "#domain/race-result.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { formatRaceSubject } from "./describe-race-result.ts";
import type { RaceReference } from "./read-results.server.ts";

/** A result that waits until another admin confirms it. */
export type UnconfirmedResult = RaceReference & {
  id: string;
  venueName: string;
  version: number;
  status: ResultStatus;
  /** Null if nobody is known to have entered it. */
  enteredBy: string | null;
  enteredAt: Date;
  /** True if the admin that the list is for may confirm it. */
  mayConfirm: boolean;
};

/** A race that is past its off and has no result. */
export type RaceWithoutResult = RaceReference & { venueName: string; offAt: Date };

/** Returns the unconfirmed results in the order of their entry, for this admin if there is one. */
export async function listUnconfirmedResults(
  limit = 100,
  actorId: string | null = null,
): Promise<UnconfirmedResult[]> {
  return await queryPrepared<UnconfirmedResult>(
    "waiting-results",
    `select r.id, d.venue_id as "venueId", v.name as "venueName", d.race_date as "raceDate",
      r.race_number as "raceNumber", r.version, r.status, r.entered_by as "enteredBy",
      r.entered_at as "enteredAt",
      $2::uuid is not null and r.status <> 'unofficial' and exists (
        select from list_result_authors(d.venue_id, d.race_date, array[r.race_number]) a
        where a.user_id = $2 and (a.is_one_person or r.entered_by is distinct from $2)) as "mayConfirm"
    from race_results r
    join race_days d on d.id = r.race_day_id
    join venues v on v.id = d.venue_id
    where r.confirmed_at is null
    order by r.entered_at, r.id limit $1`,
    [limit, actorId],
  );
}

/** A limit that is never reached. */
const ALL_UNCONFIRMED_RESULTS = 10_000;

/** Returns the subjects of the audit entries about races with an unconfirmed result. */
export async function listSubjectsOfUnconfirmedResults(): Promise<Set<string>> {
  return new Set((await listUnconfirmedResults(ALL_UNCONFIRMED_RESULTS)).map(formatRaceSubject));
}

/** Returns the number of unconfirmed results. */
export async function countUnconfirmedResults(): Promise<number> {
  const [row] = await queryPrepared<{ results: number }>(
    "count-waiting-results",
    "select count(*)::int as results from race_results where confirmed_at is null",
    [],
  );
  return row?.results ?? 0;
}

/** Returns the races since a date that are past their off at an instant and have no result, sorted by off. */
export async function listRacesWithoutResult(
  firstDate: CalendarDate,
  at: Date,
): Promise<RaceWithoutResult[]> {
  return await queryPrepared<RaceWithoutResult>(
    "races-without-result",
    `select d.venue_id as "venueId", v.name as "venueName", d.race_date as "raceDate",
      r.race_number as "raceNumber", r.off_at as "offAt"
    from race_days d
    join races r on r.race_day_id = d.id and r.off_at <= $2
    join venues v on v.id = d.venue_id
    where d.race_date between $1 and $3 and not exists (
      select from race_results n where n.race_day_id = r.race_day_id and n.race_number = r.race_number)
    order by d.race_date desc, v.name, v.id, r.race_number`,
    [firstDate, at, dateAt(at)],
  );
}

/** Returns the next race of the meeting that is past its off and has no result, or null. */
export async function findNextRaceWithoutResult(
  { venueId, raceDate, raceNumber }: RaceReference,
  at: Date,
): Promise<number | null> {
  const races = await listRacesWithoutResult(raceDate, at);
  const numbers = races
    .filter((race) => race.venueId === venueId && race.raceDate === raceDate)
    .map((race) => race.raceNumber);
  return numbers.find((number) => number > raceNumber) ?? numbers[0] ?? null;
}

/** Returns the next race of the meeting whose result this admin may confirm, or null. */
export async function findNextUnconfirmedRace(
  { venueId, raceDate, raceNumber }: RaceReference,
  actorId: string,
): Promise<number | null> {
  const numbers = (await listUnconfirmedResults(ALL_UNCONFIRMED_RESULTS, actorId))
    .filter((race) => race.venueId === venueId && race.raceDate === raceDate && race.mayConfirm)
    .map((race) => race.raceNumber)
    .sort((a, b) => a - b);
  return numbers.find((number) => number > raceNumber) ?? numbers[0] ?? null;
}
