import { sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { SETTLEMENT_RULES } from "#domain/settlement.ts";
import type { EntryBatch } from "./entry-batch.server.ts";

/** Bounds one transaction. The next run of the job adds the rest. */
const MAX_RESULTS = 100;

type UnrecordedResult = {
  raceDayId: string;
  raceNumber: number;
  version: number;
  venue: string;
  raceDate: CalendarDate;
  status: string;
  offAt: string | null;
  starters: number | null;
  placesPaid: number;
  hasEnteredNames: boolean;
  source: string;
  sourceUrl: string | null;
  enteredBy: string | null;
  confirmedBy: string | null;
  reason: string;
  replaces: string | null;
  runners: {
    number: number;
    horse: string | null;
    position: number | null;
    outcome: string;
    sp: string | null;
    win: number | null;
    place: number | null;
  }[];
};

/** Adds an entry for each version of a result that was confirmed since `since` and is not in the log. */
export async function addResults(batch: EntryBatch, since: Date): Promise<void> {
  const { rows } = await batch.tx.execute<UnrecordedResult>(sql`
    select r.race_day_id as "raceDayId", r.race_number as "raceNumber", r.version, v.slug as venue,
      d.race_date as "raceDate", r.status, r.off_at as "offAt", r.starters,
      r.places_paid as "placesPaid", r.has_entered_names as "hasEnteredNames", r.source, r.source_url as "sourceUrl",
      r.entered_by as "enteredBy", r.confirmed_by as "confirmedBy", r.reason,
      p.entry_index as replaces,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'number', u.number, 'horse', u.horse_name, 'position', u.position, 'outcome', u.outcome,
          'sp', u.starting_price_numerator || '/' || u.starting_price_denominator,
          'win', u.win_dividend_cents, 'place', u.place_dividend_cents) order by u.number), '[]')
        from result_runners u where u.race_day_id = r.race_day_id
          and u.race_number = r.race_number and u.version = r.version) as runners
    from race_results r
    join race_days d on d.id = r.race_day_id
    join venues v on v.id = d.venue_id
    left join proof_results q on q.race_day_id = r.race_day_id and q.race_number = r.race_number
      and q.version = r.version
    left join proof_results p on p.race_day_id = r.race_day_id and p.race_number = r.race_number
      and p.version = r.version - 1 and p.entry_index >= ${batch.log.firstIndex}
    where r.confirmed_at >= ${since.toISOString()} and r.confirmed_at <= ${batch.at.toISOString()}
      and q.entry_index is null
    order by r.confirmed_at, r.race_day_id, r.race_number, r.version
    limit ${MAX_RESULTS}`);
  const added = new Map<string, number>();
  for (const result of rows) {
    const race = `${result.raceDayId} ${result.raceNumber}`;
    const replaces =
      result.replaces === null
        ? (added.get(race) ?? null)
        : Number(result.replaces) - batch.log.firstIndex;
    const { index, storedIndex } = batch.add("result", {
      venue: result.venue,
      date: result.raceDate,
      race: result.raceNumber,
      version: result.version,
      replaces,
      status: result.status,
      off: result.offAt === null ? null : new Date(result.offAt).toISOString(),
      starters: result.starters,
      placesPaid: result.placesPaid,
      runners: result.runners.map((runner) => ({
        ...runner,
        win: formatDividend(runner.win),
        place: formatDividend(runner.place),
      })),
      source: result.source,
      sourceUrl: result.sourceUrl,
      entered: await readPseudonym(batch, result.enteredBy),
      confirmed: await readPseudonym(batch, result.confirmedBy),
      rules: SETTLEMENT_RULES,
      ...(result.hasEnteredNames ? { namesEntered: true } : {}),
      ...(result.reason === "" ? {} : { why: result.reason }),
    });
    added.set(race, index);
    batch.addRow("proof_results", {
      race_day_id: result.raceDayId,
      race_number: result.raceNumber,
      version: result.version,
      entry_index: storedIndex,
    });
  }
}

/** The total return for R1, as the tote publishes it: "6.40". */
function formatDividend(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2);
}

/** Returns the pseudonym of an admin, which the log uses instead of a name. */
async function readPseudonym(batch: EntryBatch, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  await batch.tx.execute(sql`
    insert into proof_admins (user_id, number)
    select ${userId}, coalesce(max(number), 0) + 1 from proof_admins
    on conflict (user_id) do nothing`);
  const { rows } = await batch.tx.execute<{ number: number }>(
    sql`select number from proof_admins where user_id = ${userId}`,
  );
  return `A${rows[0]?.number}`;
}
