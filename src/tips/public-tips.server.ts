import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import {
  type Confidence,
  MAX_RACES,
  type ResultBasis,
  type TipResult,
  type TipType,
} from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import {
  formatTipCursor,
  parseTipCursor,
  toDateFilter,
  toIdFilter,
  toTipCursorValues,
} from "./cursor.server.ts";

/** A tip whose selection is public. Its analysis remains paid content. */
export type PublicTip = ResultBasis & {
  id: string;
  raceCardId: string;
  raceDate: CalendarDate;
  venueSlug: string;
  venueName: string;
  creatorSlug: string;
  creatorName: string;
  raceNumber: number;
  offAt: Date | null;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  confidence: Confidence;
  result: TipResult | null;
  publishedAt: Date;
  /** True if it was published too late to count in the record. */
  isLate: boolean;
  /** True if it has no result three days after its race date. */
  isResultOverdue: boolean;
  /** True if an admin hid it. It still counts in the record. */
  isHidden: boolean;
};

/** A tip without a result is shown as overdue after this many days. */
export const RESULT_OVERDUE_AFTER_DAYS = 3;

/**
 * Returns a page of the tips that are public at an instant, newest race date first, after the
 * cursor. With `creatorId` the list is that creator's record and includes hidden tips; otherwise it
 * does not.
 */
export async function readPublicTips({
  at,
  creatorId = null,
  venueId = null,
  raceDate = null,
  raceCardIds = null,
  tipType = null,
  cursor,
  limit = 20,
}: {
  at: Date;
  creatorId?: string | null;
  venueId?: string | null;
  raceDate?: CalendarDate | null;
  raceCardIds?: readonly string[] | null;
  tipType?: TipType | null;
  cursor?: string | null;
  limit?: number;
}): Promise<{ tips: PublicTip[]; next: string | null }> {
  const after = parseTipCursor(cursor);
  const today = dateAt(at);
  const rows = await queryPrepared<Omit<PublicTip, "isResultOverdue">>(
    after ? "public-tips-after" : "public-tips",
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", v.slug as "venueSlug",
      v.name as "venueName", k.slug as "creatorSlug", k.display_name as "creatorName",
      t.race_number as "raceNumber", coalesce(r.off_at, t.entered_off_at) as "offAt",
      t.horse_number as "horseNumber", t.horse_name as "horseName", t.tip_type as "tipType",
      t.confidence, t.result, t.is_claim as "isClaim", t.claimed_result as "claimedResult",
      t.settlement_version is not null as "isOfficial", t.published_at as "publishedAt",
      t.is_late as "isLate", t.hidden_at is not null as "isHidden"
    from race_cards c
    join tips t on t.race_card_id = c.id
    join venues v on v.id = c.venue_id
    join creators k on k.user_id = c.creator_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    where ${isRevealed("$1::date")}
      and ($2::uuid is null or c.creator_id = $2)
      and ($2::uuid is not null or (t.hidden_at is null and k.suspended_at is null))
      and ($3::uuid is null or c.venue_id = $3)
      and ($4::date is null or c.race_date = $4)
      and ($5::uuid[] is null or c.id = any($5))
      and ($6::text is null or t.tip_type = $6)
      ${after ? "and c.race_date <= $8::date and (c.race_date, c.id, t.race_number) < ($8, $9::uuid, $10::int)" : ""}
    order by c.race_date desc, c.id desc, t.race_number desc limit $7`,
    [
      today,
      toIdFilter(creatorId),
      toIdFilter(venueId),
      toDateFilter(raceDate),
      raceCardIds,
      tipType,
      limit + 1,
      ...toTipCursorValues(after),
    ],
  );
  const { page, next } = toPage(rows, limit, formatTipCursor);
  return {
    tips: page.map((tip) => ({ ...tip, isResultOverdue: isResultOverdue(tip, today) })),
    next,
  };
}

/**
 * Returns the public tips of these race cards by race card, sorted by race. Does not query the database for race cards
 * of later dates, which have none.
 */
export async function readPublicTipsOf(
  raceCards: readonly { id: string; raceDate: CalendarDate }[],
  at: Date,
): Promise<Map<string, PublicTip[]>> {
  const today = dateAt(at);
  const raceCardIds = raceCards.filter(({ raceDate }) => raceDate <= today).map(({ id }) => id);
  if (raceCardIds.length === 0) return new Map();
  const limit = raceCardIds.length * MAX_RACES;
  const { tips } = await readPublicTips({ at, raceCardIds, limit });
  return Map.groupBy(tips.reverse(), ({ raceCardId }) => raceCardId);
}

/** Returns true when a tip has no result RESULT_OVERDUE_AFTER_DAYS after its race date. */
export function isResultOverdue(
  tip: { result: TipResult | null; raceDate: CalendarDate },
  today: CalendarDate,
): boolean {
  return tip.result === null && addDays(tip.raceDate, RESULT_OVERDUE_AFTER_DAYS) < today;
}
