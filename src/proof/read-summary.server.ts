import { sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { readVerifierKeys } from "./files/log-files.route.ts";
import { isInLog, type Log, readLog } from "./log/read-log.server.ts";

const LISTED_DAYS = 14;

export type LogDay = { date: CalendarDate; entries: number };

/** The newest timestamp of an authority. */
export type NewestTimestamp = {
  authority: string;
  /** The size of the checkpoint, and when by the clock of the authority. */
  size: number;
  claimedAt: Date;
};

/** What the page about the log shows of it. */
export type LogSummary = {
  origin: string;
  startedAt: Date;
  /** The number of entries. */
  size: number;
  newestCheckpoint: { size: number; root: string; signedAt: Date } | null;
  /** Oldest first. The last one signs. */
  verifierKeys: string[];
  creators: number;
  /** Of the authorities of the last days. Empty if times are by our own clock. */
  newestTimestamps: NewestTimestamp[];
  /** The newest day whose checkpoint was emailed, or null. */
  newestEmail: { date: CalendarDate; recipients: number } | null;
  /** The newest South African days with entries, newest first. */
  newestDates: LogDay[];
  /** Since when nothing is appended, because the log may be behind what others have seen of it. */
  stoppedSince: Date | null;
  /** The number of logs before this one, which could not be continued. */
  closedLogs: number;
};

/** Returns a summary of the log, or null if this installation has none. Its cost does not grow with the log. */
export async function readLogSummary(): Promise<LogSummary | null> {
  const log = await readLog(database());
  if (!log) return null;
  const { rows } = await database().execute<{ size: string; root: string; signedAt: string }>(sql`
    select size, encode(root, 'base64') as root, signed_at as "signedAt" from proof_checkpoints
    where ${isInLog("size", log)} order by size desc limit 1`);
  const [checkpoint] = rows;
  const keys = await readVerifierKeys(log);
  return {
    origin: log.origin,
    startedAt: log.startedAt,
    size: log.size,
    newestCheckpoint: checkpoint
      ? {
          size: Number(checkpoint.size) - log.firstIndex,
          root: checkpoint.root,
          signedAt: new Date(checkpoint.signedAt),
        }
      : null,
    verifierKeys: keys.map((key) => key.verifierKey),
    creators: await countCreators(log),
    newestTimestamps: await readNewestTimestamps(log),
    newestEmail: await readNewestEmail(),
    newestDates: await readNewestDates(log),
    stoppedSince: log.stoppedSince,
    closedLogs: log.id - 1,
  };
}

async function countCreators({ id }: Log): Promise<number> {
  const { rows } = await database().execute<{ count: string }>(
    sql`select count(*) from proof_creators where log_id = ${id}`,
  );
  return Number(rows[0]?.count);
}

/** An authority that was silent for longer is no longer in use. */
const IN_USE_DAYS = 7;

async function readNewestTimestamps(log: Log): Promise<NewestTimestamp[]> {
  const since = new Date(now().getTime() - IN_USE_DAYS * 24 * 60 * 60 * 1000);
  const { rows } = await database().execute<{
    authority: string;
    size: string;
    claimedAt: string;
  }>(sql`
    select r.authority, t.size, t.claimed_at as "claimedAt" from proof_timestamp_requests r
    cross join lateral (
      select size, claimed_at, received_at from proof_timestamps
      where authority = r.authority and ${isInLog("size", log)} order by size desc limit 1
    ) t
    where t.received_at >= ${since.toISOString()}
    order by t.claimed_at desc, r.authority`);
  return rows.map(({ size, claimedAt, ...row }) => ({
    ...row,
    size: Number(size) - log.firstIndex,
    claimedAt: new Date(claimedAt),
  }));
}

async function readNewestEmail(): Promise<LogSummary["newestEmail"]> {
  const { rows } = await database().execute<{ date: CalendarDate; recipients: number }>(sql`
    select date::text, recipients from proof_checkpoint_emails
    where recipients > 0 order by proof_checkpoint_emails.date desc limit 1`);
  return rows[0] ?? null;
}

/**
 * Walks back from the newest entry, one day with entries after another. Entries are appended in order of time, so the
 * first and the last one of a day give their number.
 */
async function readNewestDates(log: Log): Promise<LogDay[]> {
  const inLog = isInLog("entry_index", log);
  const { rows } = await database().execute<{ date: CalendarDate; entries: string }>(sql`
    with recursive days as (
      select 1 as position, (
        select (appended_at at time zone 'Africa/Johannesburg')::date from proof_entries where ${inLog}
        order by appended_at desc, entry_index desc limit 1
      ) as date
      union all
      select d.position + 1, (
        select (e.appended_at at time zone 'Africa/Johannesburg')::date from proof_entries e
        where e.appended_at < d.date::timestamp at time zone 'Africa/Johannesburg'
          and ${inLog}
        order by e.appended_at desc, e.entry_index desc limit 1
      )
      from days d
      where d.date is not null and d.position < ${LISTED_DAYS}
    )
    select d.date::text, newest.entry_index - oldest.entry_index + 1 as entries
    from days d
    cross join lateral (select d.date::timestamp at time zone 'Africa/Johannesburg' as start,
      (d.date + 1)::timestamp at time zone 'Africa/Johannesburg' as "end") day
    cross join lateral (
      select entry_index from proof_entries
      where appended_at >= day.start and appended_at < day."end" and ${inLog}
      order by appended_at, entry_index limit 1) oldest
    cross join lateral (
      select entry_index from proof_entries
      where appended_at >= day.start and appended_at < day."end" and ${inLog}
      order by appended_at desc, entry_index desc limit 1) newest
    order by d.position`);
  return rows.map(({ date, entries }) => ({ date, entries: Number(entries) }));
}
