import { sql } from "drizzle-orm";
import { dateAt } from "#domain/calendar.ts";
import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import type { Job } from "#platform/queue.server.ts";
import type { SignedCheckpoint } from "../log/read-log.server.ts";
import {
  requestTimestamp,
  type Timestamp,
  type TimestampAuthority,
} from "./timestamp-authority.server.ts";

const MINUTE_MS = 60_000;
const INTERVAL_MS = 30 * MINUTE_MS;
/** A tip whose off is this near needs a timestamp at once. */
const BEFORE_OFF_MS = 60 * MINUTE_MS;
/** Within what timestamp authorities accept from one client. */
const MAX_REQUESTS_PER_DAY = 50;
/** The waiting time doubles with each failure, up to this. */
const MAX_WAIT_MINUTES = 30;
const ALERT_AFTER_MS = 60 * MINUTE_MS;
const ALERT = { kind: "log-not-timestamped", subject: "log" } as const;

/** Has the newest checkpoint timestamped by the authorities of the configuration. */
export const timestampCheckpointsJob: Job = {
  name: "timestamp-checkpoints",
  everySeconds: 60,
  async run() {
    await timestampCheckpoints();
  },
};

/**
 * Requests a timestamp of the newest checkpoint from each authority for which one is due, in parallel and outside any
 * transaction, and stores the responses. Returns the number of new timestamps.
 */
export async function timestampCheckpoints(): Promise<number> {
  const { timestampAuthorities } = env();
  const counts = await Promise.all(timestampAuthorities.map(timestampWith));
  await updateAlert(timestampAuthorities);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function timestampWith({ name, url }: TimestampAuthority): Promise<number> {
  const checkpoint = await findDueCheckpoint(name);
  if (!checkpoint || !(await claimRequest(name))) return 0;
  let timestamp: Timestamp;
  try {
    timestamp = await requestTimestamp(url, checkpoint.note);
  } catch (error) {
    logFailure("warn", { authority: name, error }, "timestamp failed");
    await database().execute(sql`
      update proof_timestamp_requests
      set failures = failures + 1, failing_since = coalesce(failing_since, ${now().toISOString()})
      where authority = ${name}`);
    return 0;
  }
  return await storeTimestamp(name, checkpoint, timestamp);
}

/**
 * Returns the newest checkpoint if this authority has not timestamped it and one of these holds: its last timestamp is 30
 * minutes old, the day's manifest is not covered by it, or a tip that is not covered has its off within an hour.
 */
async function findDueCheckpoint(name: string): Promise<SignedCheckpoint | null> {
  const at = now();
  const before = new Date(at.getTime() - INTERVAL_MS).toISOString();
  const until = new Date(at.getTime() + BEFORE_OFF_MS).toISOString();
  const { rows } = await database().execute<{ firstIndex: string; size: string; note: string }>(sql`
    select l.first_index as "firstIndex", c.size - l.first_index as size, c.note
    from proof_logs l
    cross join lateral (
      select size, note from proof_checkpoints where size > l.first_index order by size desc limit 1
    ) c
    left join lateral (
      select size, received_at from proof_timestamps
      where authority = ${name} and size > l.first_index order by size desc limit 1
    ) last on true
    where l.closed_at is null and l.unconfirmed_since is null and c.size > coalesce(last.size, 0) and (
      last.size is null
      or last.received_at <= ${before}
      or exists (
        select from proof_manifests where date = ${dateAt(at)} and entry_index >= last.size)
      or exists (
        select from tip_commitments k
        join tips t on t.id = k.tip_id
        join race_cards r on r.id = t.race_card_id
        join race_off_times o on o.venue_id = r.venue_id and o.race_date = r.race_date
          and o.race_number = t.race_number
        where k.entry_index >= last.size and o.off_at > ${at.toISOString()} and o.off_at <= ${until}))`);
  const [row] = rows;
  return row
    ? { firstIndex: Number(row.firstIndex), size: Number(row.size), note: row.note }
    : null;
}

/**
 * Returns true if this process may ask the authority now. Of several processes at once, one may. An authority that fails
 * is asked less and less often, at least every half hour; none is asked more than 50 times on a South African day.
 */
async function claimRequest(name: string): Promise<boolean> {
  const at = now();
  const { rowCount } = await database().execute(sql`
    insert into proof_timestamp_requests as r (authority, date, requests, last_request_at)
    values (${name}, ${dateAt(at)}, 1, ${at.toISOString()})
    on conflict (authority) do update set
      date = excluded.date,
      requests = case when r.date = excluded.date then r.requests + 1 else 1 end,
      last_request_at = excluded.last_request_at
    where (r.date <> excluded.date or r.requests < ${MAX_REQUESTS_PER_DAY})
      -- Ten seconds less, because the job does not run to the second. A time far ahead is that of a clock set back.
      and excluded.last_request_at not between r.last_request_at - interval '5 minutes'
        and r.last_request_at - interval '10 seconds'
          + least(power(2, least(r.failures, 10)), ${MAX_WAIT_MINUTES}) * interval '1 minute'`);
  return (rowCount ?? 0) > 0;
}

async function storeTimestamp(
  name: string,
  { firstIndex, size }: SignedCheckpoint,
  { evidence, claimedAt }: Timestamp,
): Promise<number> {
  return await transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      insert into proof_timestamps (size, authority, evidence, claimed_at, received_at)
      values (${firstIndex + size}, ${name}, ${evidence}, ${claimedAt.toISOString()}, ${now().toISOString()})
      on conflict do nothing`);
    await tx.execute(sql`
      update proof_timestamp_requests set failures = 0, failing_since = null
      where authority = ${name}`);
    return rowCount ?? 0;
  });
}

/** Raises an alert when every authority has failed for an hour while a checkpoint waits, and resolves it afterwards. */
async function updateAlert(authorities: readonly TimestampAuthority[]): Promise<void> {
  const since = new Date(now().getTime() - ALERT_AFTER_MS).toISOString();
  const { rows } = await database().execute<{ isFailing: boolean }>(sql`
    select coalesce((select max(size) from proof_checkpoints), 0)
        > coalesce((select max(size) from proof_timestamps), 0)
      and (select count(*) from proof_timestamp_requests
        where authority = any(${sql.param(authorities.map(({ name }) => name))}::text[])
          and failing_since <= ${since}) = ${authorities.length}
      and exists (select from proof_logs where closed_at is null and unconfirmed_since is null) as "isFailing"`);
  if (authorities.length > 0 && rows[0]?.isFailing)
    await raiseAlertThrottled(ALERT_AFTER_MS, {
      ...ALERT,
      message: `No timestamp authority has timestamped the public log for an hour: ${authorities.map(({ name }) => name).join(", ")}. Until one answers, times are by our own clock. docs/proof.md, Timestamp authorities.`,
    });
  else await transaction((tx) => resolveAlertAbout(tx, ALERT));
}
