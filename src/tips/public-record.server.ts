import { type CalendarDate, dateAt, isCalendarDate } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import type { Confidence, TipResult, TipType } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { BET_COLUMNS, type BetColumns, type Bets, withBets } from "./bets.server.ts";
import { formatTipCursor, parseTipCursor, toIdFilter, toTipCursorValues } from "./cursor.server.ts";
import {
  PUBLIC_TIP_COLUMNS,
  PUBLIC_TIP_JOINS,
  type PublicTip,
  type PublicTipRow,
} from "./public-tips.server.ts";
import { JOIN_REPORTED_RACE, OFF_AT_COLUMN, withResultOverdue } from "./tip.server.ts";

/** The parts of a record that figures are computed from. */
export const RECORD_PARTS = ["counted", "starting-price", "all-prices"] as const;
export type RecordPart = (typeof RECORD_PARTS)[number];

/** A filter of the tips of a record. Null matches all. */
export type RecordFilter = {
  venueId: string | null;
  tipType: TipType | null;
  confidence: Confidence | null;
  result: TipResult | null;
  /**
   * `counted`: officially settled, neither void nor late. `starting-price`: those with a bet to win whose starting
   * price is known. `all-prices`: those with a bet to win in a race where the prices of all starters are known.
   */
  part: RecordPart | null;
};

/** A public tip with its settled bets. */
export type TipWithBets = PublicTip & {
  /** Null without an official settlement. */
  bets: Bets | null;
};

export const WHOLE_RECORD: RecordFilter = {
  venueId: null,
  tipType: null,
  confidence: null,
  result: null,
  part: null,
};

/** The public tips of one race date, sorted by track and race. */
export type RecordDay = { raceDate: CalendarDate; tips: TipWithBets[] };

/** A page of a creator's public record: complete days, newest first. */
export type PublicRecord = {
  days: RecordDay[];
  /** The newest race date of the page after this one; null on the last. */
  olderUntil: CalendarDate | null;
};

/** A page ends with the day on which it reaches this many tips. */
const MIN_TIPS_PER_PAGE = 30;
/** Larger than most creators' days, so that one query nearly always returns a complete page. */
const QUERY_LIMIT = 100;
const LAST_CARD_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns a page of a creator's public record at an instant, from the race date `until` backwards: all tips, or
 * those that match the filter. A day is never split between two pages. Keyset paging: the last page costs the same
 * as the first.
 */
export async function readPublicRecord(
  creatorId: string,
  { at, until, filter = WHOLE_RECORD }: { at: Date; until?: string | null; filter?: RecordFilter },
): Promise<PublicRecord> {
  const days: RecordDay[] = [];
  let count = 0;
  let cursor: string | null =
    until && isCalendarDate(until)
      ? formatTipCursor({ raceDate: until, raceCardId: LAST_CARD_ID, raceNumber: 99 })
      : null;
  do {
    const { tips, next } = await readRecordTips(creatorId, {
      at,
      filter,
      cursor,
      limit: QUERY_LIMIT,
    });
    for (const tip of tips) {
      const day = days.at(-1);
      if (day?.raceDate === tip.raceDate) day.tips.push(tip);
      else if (count >= MIN_TIPS_PER_PAGE)
        return { days: days.map(sortTips), olderUntil: tip.raceDate };
      else days.push({ raceDate: tip.raceDate, tips: [tip] });
      count += 1;
    }
    cursor = next;
  } while (cursor);
  return { days: days.map(sortTips), olderUntil: null };
}

/**
 * Returns a page of a creator's public tips, newest race date first. Includes hidden tips, because they count in
 * the record.
 */
export async function readRecordTips(
  creatorId: string,
  {
    at,
    filter,
    cursor,
    limit,
  }: { at: Date; filter: RecordFilter; cursor: string | null; limit: number },
): Promise<{ tips: TipWithBets[]; next: string | null }> {
  const after = parseTipCursor(cursor);
  const rows = await queryPrepared<PublicTipRow & BetColumns & { isSettled: boolean }>(
    after ? "record-tips-after" : "record-tips",
    `select ${PUBLIC_TIP_COLUMNS}, ${OFF_AT_COLUMN}, s.tip_id is not null as "isSettled",
      ${BET_COLUMNS}
    from race_cards c
    join tips t on t.race_card_id = c.id
    ${PUBLIC_TIP_JOINS}
    ${JOIN_REPORTED_RACE}
    left join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
    where c.creator_id = $1 and ${isRevealed("$2::date")}
      and ($3::uuid is null or c.venue_id = $3)
      and ($4::text is null or t.tip_type = $4)
      and ($5::text is null or t.confidence = $5)
      and ($6::text is null or t.result = $6)
      and ($7::text is null or (s.outcome <> 'void' and not t.is_late and case $7
        when 'starting-price' then s.win_starting_price_return_cents is not null
        when 'all-prices' then s.expected_win is not null
        else true end))
      ${after ? "and c.race_date <= $9::date and (c.race_date, c.id, t.race_number) < ($9, $10::uuid, $11::int)" : ""}
    order by c.race_date desc, c.id desc, t.race_number desc limit $8`,
    [
      creatorId,
      dateAt(at),
      toIdFilter(filter.venueId),
      filter.tipType,
      filter.confidence,
      filter.result,
      filter.part,
      limit + 1,
      ...toTipCursorValues(after),
    ],
  );
  const { page, next } = toPage(rows, limit, formatTipCursor);
  return {
    tips: page.map((row) => {
      const { isSettled, win, place, ...tip } = withBets(row);
      return { ...withResultOverdue(tip, at), bets: isSettled ? { win, place } : null };
    }),
    next,
  };
}

function sortTips({ raceDate, tips }: RecordDay): RecordDay {
  return {
    raceDate,
    tips: tips.toSorted(
      (a, b) => a.venueName.localeCompare(b.venueName) || a.raceNumber - b.raceNumber,
    ),
  };
}

/**
 * Parses the race date of a page's URL. Returns null (the newest page) if it is missing, invalid or
 * not in the past.
 */
export function parseRecordDate(text: string | null, at: Date): CalendarDate | null {
  if (!text || !isCalendarDate(text)) return null;
  return text < dateAt(at) ? text : null;
}
