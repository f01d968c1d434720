import { type SQL, sql } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt, instantAt, isCalendarDate } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";
import { isInLog, type Log } from "../log/read-log.server.ts";
import { readCompactRange } from "../log/tree.server.ts";
import { notFound, readRequestedLog } from "./log-files.route.ts";

type ReadLines = (log: Log, date: CalendarDate) => Promise<object[]>;

/** The files of a South African calendar day, one JSON object a line. */
const DAY_FILES: Record<string, ReadLines> = {
  "entries.jsonl": readEntries,
  "checkpoints.jsonl": readCheckpoints,
  "timestamps.jsonl": readTimestamps,
  "left-edge.jsonl": readLeftEdge,
  "reveals.jsonl": readReveals,
  "tips.jsonl": readListedTips,
  "creators.jsonl": readCreatorNames,
};
const CACHE_SECONDS = 20;

/** GET /proof/days/:date/:file */
export async function serveDayFile(c: HttpContext): Promise<Response> {
  const date = c.req.param("date") ?? "";
  const name = c.req.param("file") ?? "";
  const readLines = Object.hasOwn(DAY_FILES, name) ? DAY_FILES[name] : undefined;
  if (!readLines || !isCalendarDate(date)) return notFound(c);
  const log = await readRequestedLog(c);
  const lines = log ? await readLines(log, date) : [];
  return c.body(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), 200, {
    "Content-Type": "application/x-ndjson; charset=utf-8",
    "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
  });
}

function boundsOf(date: CalendarDate): { start: string; end: string } {
  return {
    start: instantAt(date).toISOString(),
    end: instantAt(addDays(date, 1)).toISOString(),
  };
}

async function readEntries(log: Log, date: CalendarDate): Promise<object[]> {
  const { start, end } = boundsOf(date);
  const { rows } = await database().execute<{ index: string; body: Buffer }>(sql`
    select entry_index as index, body from proof_entries
    where appended_at >= ${start} and appended_at < ${end} and ${isInLog("entry_index", log)}
    order by entry_index`);
  return rows.map(({ index, body }) => ({
    index: Number(index) - log.firstIndex,
    entry: body.toString("utf8"),
  }));
}

async function readCheckpoints(log: Log, date: CalendarDate): Promise<object[]> {
  const { start, end } = boundsOf(date);
  const { rows } = await database().execute<{ size: string; note: string; signedAt: string }>(sql`
    select size, note, signed_at as "signedAt" from proof_checkpoints
    where signed_at >= ${start} and signed_at < ${end} and ${isInLog("size", log)} order by size`);
  return rows.map(({ size, note, signedAt }) => ({
    size: Number(size) - log.firstIndex,
    note,
    signedAt: new Date(signedAt).toISOString(),
  }));
}

/** The timestamps of the checkpoints of a day. `file` is the path of the authority's response. */
async function readTimestamps(log: Log, date: CalendarDate): Promise<object[]> {
  const { start, end } = boundsOf(date);
  const { rows } = await database().execute<{
    size: string;
    authority: string;
    claimedAt: string;
  }>(sql`
    select c.size, t.authority, t.claimed_at as "claimedAt"
    from proof_checkpoints c join proof_timestamps t on t.size = c.size
    where c.signed_at >= ${start} and c.signed_at < ${end}
      and c.size between ${log.firstIndex + 1} and ${log.firstIndex + log.size}
    order by c.size, t.authority`);
  return rows.map(({ authority, ...row }) => {
    const size = Number(row.size) - log.firstIndex;
    return {
      size,
      kind: "rfc3161",
      authority,
      claimedAt: new Date(row.claimedAt).toISOString(),
      file: `checkpoints/${size}/${authority}.tsr`,
    };
  });
}

/** The hashes with which the day's entries alone give the roots of its checkpoints. */
async function readLeftEdge(log: Log, date: CalendarDate): Promise<object[]> {
  const { start } = boundsOf(date);
  return await transaction(async (tx) => {
    const { rows } = await tx.execute<{ size: string }>(sql`
      select coalesce((select min(entry_index) from proof_entries
        where appended_at >= ${start} and ${isInLog("entry_index", log)}),
        ${log.firstIndex + log.size}) as size`);
    const size = Number(rows[0]?.size ?? log.firstIndex) - log.firstIndex;
    const hashes = size === 0 ? [] : (await readCompactRange(tx, log, size)).hashes();
    return [{ size, hashes: hashes.map((hash) => hash.toString("base64")) }];
  });
}

const isPublicNow = () => sql.raw(isRevealed(`'${dateAt(now())}'::date`));

/** The selections of the tips of a race date that are public. */
async function readReveals(log: Log, date: CalendarDate): Promise<object[]> {
  return await readTexts(sql`
    select p.proof_id as creator, n.seq, k.salt, k.text
    from race_cards c
    join tips t on t.race_card_id = c.id
    join tip_commitments k on k.tip_id = t.id
    join proof_creator_entries n on n.entry_index = k.entry_index
    join proof_creators p on p.proof_id = n.proof_id and p.log_id = ${log.id}
    where c.race_date = ${date} and ${isPublicNow()}
    order by k.entry_index`);
}

/**
 * The tips of a race date as the public records list them, hidden and deleted ones included, with what the site says of
 * them. Tips that were published while the log did not run are not in it, and not here.
 */
async function readListedTips(log: Log, date: CalendarDate): Promise<object[]> {
  const end = log.closedAt ?? log.stoppedSince;
  const { rows } = await database().execute<{ off: string | null; seq: number | null }>(sql`
    select p.proof_id as creator, n.seq, v.slug as venue, c.race_date as date, t.race_number as race,
      t.horse_name as horse, o.off_at as off, t.is_late as "isLate", t.hidden_at is not null as "isHidden"
    from race_cards c
    join venues v on v.id = c.venue_id
    join tips t on t.race_card_id = c.id
    left join (
      tip_commitments k
      join proof_creator_entries n on n.entry_index = k.entry_index
      join proof_creators p on p.proof_id = n.proof_id and p.log_id = ${log.id}
    ) on k.tip_id = t.id
    left join race_off_times o on o.venue_id = c.venue_id and o.race_date = c.race_date
      and o.race_number = t.race_number
    where c.race_date = ${date} and ${isPublicNow()}
      and (k.tip_id is not null or t.published_at >= ${log.startedAt.toISOString()}
        and t.published_at < ${end?.toISOString() ?? "infinity"})
    order by c.id, t.race_number`);
  return rows.map((row) => ({ ...row, off: row.off && new Date(row.off).toISOString() }));
}

/** The display names that were recorded on a day. They are public from the start. */
async function readCreatorNames(log: Log, date: CalendarDate): Promise<object[]> {
  const { start, end } = boundsOf(date);
  return await readTexts(sql`
    select p.proof_id as creator, n.seq, m.salt, m.text
    from proof_entries e
    join proof_creator_names m on m.entry_index = e.entry_index
    join proof_creator_entries n on n.entry_index = e.entry_index
    join proof_creators p on p.proof_id = n.proof_id and p.log_id = ${log.id}
    where e.appended_at >= ${start} and e.appended_at < ${end} order by e.entry_index`);
}

/** Returns the texts behind commitments, with the salts that fit them in base64. */
async function readTexts(query: SQL): Promise<object[]> {
  const { rows } = await database().execute<{
    creator: string;
    seq: number;
    salt: Buffer;
    text: string;
  }>(query);
  return rows.map(({ salt, ...row }) => ({ ...row, salt: salt.toString("base64") }));
}
