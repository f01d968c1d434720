import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import type { Confidence, ResultBasis, TipResult, TipType } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import {
  formatTipCursor,
  parseTipCursor,
  toDateFilter,
  toIdFilter,
  toTipCursorValues,
} from "./cursor.server.ts";
import { isResultOverdue } from "./public-tips.server.ts";

/** A tip with all its fields, for its creator and for admins. */
export type OwnTip = ResultBasis & {
  id: string;
  raceCardId: string;
  raceDate: CalendarDate;
  venueId: string;
  venueName: string;
  raceNumber: number;
  offAt: Date | null;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  confidence: Confidence;
  analysis: string;
  tipText: string;
  result: TipResult | null;
  settledAt: Date | null;
  publishedAt: Date;
  isLate: boolean;
  /** When its horse was scratched; null while it runs. */
  scratchedAt: Date | null;
  isActive: boolean;
  /** True if the race is over and the tip has no result yet. */
  canSettle: boolean;
  isResultOverdue: boolean;
};

/**
 * SQL for the instant from which a tip (t) of a card (c) can be settled: its reported off (r),
 * otherwise as in computeSettleableAt.
 */
export const SETTLEABLE_FROM = "coalesce(r.off_at, t.entered_off_at, unknown_off_at(c.race_date))";

export type OwnTipState = "to-settle" | "open" | "settled" | TipResult;

/** Tips after a cursor, whose values are the last three parameters. */
const AFTER_CURSOR = `and c.race_date <= $7::date and (c.race_date < $7
  or (v.name, c.id, t.race_number) > ((select x.name from race_cards y
    join venues x on x.id = y.venue_id where y.id = $8), $8::uuid, $9::int))`;

/**
 * Returns a page of a creator's own tips after the cursor, newest race date first, within a date by
 * meeting and race. `state` filters: 'to-settle' (the race is over, no result), 'open' (no result),
 * 'settled' (any result), or one result.
 */
export async function readOwnTips(
  creatorId: string,
  {
    at,
    state = null,
    venueId = null,
    raceDate = null,
    cursor,
    limit = 20,
  }: {
    at: Date;
    state?: OwnTipState | null;
    venueId?: string | null;
    raceDate?: CalendarDate | null;
    cursor?: string | null;
    limit?: number;
  },
): Promise<{ tips: OwnTip[]; next: string | null }> {
  const after = parseTipCursor(cursor);
  const rows = await queryPrepared<Omit<OwnTip, "canSettle" | "isResultOverdue">>(
    after ? "own-tips-after" : "own-tips",
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", c.venue_id as "venueId",
      v.name as "venueName", t.race_number as "raceNumber",
      coalesce(r.off_at, t.entered_off_at) as "offAt", t.horse_number as "horseNumber",
      t.horse_name as "horseName", t.tip_type as "tipType", t.confidence, t.analysis,
      t.tip_text as "tipText", t.result, t.is_claim as "isClaim",
      t.claimed_result as "claimedResult", t.settlement_version is not null as "isOfficial",
      t.settled_at as "settledAt", t.published_at as "publishedAt", t.is_late as "isLate",
      x.scratched_at as "scratchedAt",
      t.is_active as "isActive"
    from race_cards c
    join tips t on t.race_card_id = c.id
    join venues v on v.id = c.venue_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    left join tip_scratchings x on x.tip_id = t.id
    where c.creator_id = $1
      and ($2::text is null
        or $2 = t.result
        or ($2 = 'settled' and t.result is not null)
        or ($2 = 'open' and t.result is null)
        or ($2 = 'to-settle' and t.result is null and ${SETTLEABLE_FROM} <= $3))
      and ($4::uuid is null or c.venue_id = $4)
      and ($5::date is null or c.race_date = $5)
      ${after ? AFTER_CURSOR : ""}
    order by c.race_date desc, v.name, c.id, t.race_number limit $6`,
    [
      creatorId,
      state,
      at,
      toIdFilter(venueId),
      toDateFilter(raceDate),
      limit + 1,
      ...toTipCursorValues(after),
    ],
  );
  const { page, next } = toPage(rows, limit, formatTipCursor);
  const tips = page.map((tip) => ({
    ...tip,
    canSettle: tip.result === null && computeSettleableAt(tip.raceDate, tip.offAt) <= at,
    isResultOverdue: isResultOverdue(tip, dateAt(at)),
  }));
  return { tips, next };
}

/** Counts the tips of a creator whose race is over and that have no result. */
export async function countTipsToSettle(creatorId: string, at: Date): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "tips-to-settle",
    `select count(*) from race_cards c
     join tips t on t.race_card_id = c.id and t.result is null
     left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
       and r.race_number = t.race_number
     where c.creator_id = $1 and ${SETTLEABLE_FROM} <= $2`,
    [creatorId, at],
  );
  return row?.count ?? 0;
}
