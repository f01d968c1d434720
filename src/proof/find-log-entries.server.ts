import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** What an entry of the log is about: a tip, the result of a race, or a creator. All are null for other entries. */
export type LogEntry = {
  /** Set if the entry is of a log that was closed. */
  closedLog: number | null;
  appendedAt: Date;
  tipId: string | null;
  race: { venueId: string; raceDate: CalendarDate; raceNumber: number } | null;
  creatorId: string | null;
};

/** Returns the entries with this number, newest log first: each log counts from 0. */
export async function findLogEntries(entryNumber: number): Promise<LogEntry[]> {
  return await queryPrepared<LogEntry>(
    "log-entries-by-number",
    `select case when l.closed_at is not null then l.id end as "closedLog", e.appended_at as "appendedAt",
       coalesce(k.tip_id, w.tip_id) as "tipId",
       case when d.id is not null then json_build_object(
         'venueId', d.venue_id, 'raceDate', d.race_date, 'raceNumber', r.race_number) end as race,
       p.creator_id as "creatorId"
     from proof_logs l
     join proof_entries e on e.entry_index = l.first_index + $1
     left join tip_commitments k on k.entry_index = e.entry_index
     left join proof_withdrawals w on w.entry_index = e.entry_index
     left join proof_results r on r.entry_index = e.entry_index
     left join race_days d on d.id = r.race_day_id
     left join proof_creator_entries n on n.entry_index = e.entry_index
     left join proof_creators p on p.proof_id = n.proof_id
     where $1 < l.size
     order by l.id desc`,
    [entryNumber],
  );
}
