import { dateAt } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import type { SettledBet } from "#domain/settlement.ts";
import type { Confidence, TipResult, TipType } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { formatTipCursor, parseTipCursor, toIdFilter, toTipCursorValues } from "./cursor.server.ts";
import { type BetColumns, toBets } from "./figures/read-settled-tips.server.ts";
import { isResultOverdue, type PublicTip } from "./public-tips.server.ts";

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
export type RecordTip = PublicTip & {
  /** Null without an official settlement. */
  bets: { win: SettledBet | null; place: SettledBet | null } | null;
};

export const WHOLE_RECORD: RecordFilter = {
  venueId: null,
  tipType: null,
  confidence: null,
  result: null,
  part: null,
};

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
): Promise<{ tips: RecordTip[]; next: string | null }> {
  const after = parseTipCursor(cursor);
  const today = dateAt(at);
  const rows = await queryPrepared<
    Omit<RecordTip, "isResultOverdue" | "bets"> & BetColumns & { isSettled: boolean }
  >(
    after ? "record-tips-after" : "record-tips",
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", v.slug as "venueSlug",
      v.name as "venueName", k.slug as "creatorSlug", k.display_name as "creatorName",
      t.race_number as "raceNumber", coalesce(r.off_at, t.entered_off_at) as "offAt",
      t.horse_number as "horseNumber", t.horse_name as "horseName", t.tip_type as "tipType",
      t.confidence, t.result, t.is_claim as "isClaim", t.claimed_result as "claimedResult",
      t.settlement_version is not null as "isOfficial", t.published_at as "publishedAt",
      t.is_late as "isLate", t.hidden_at is not null as "isHidden",
      s.tip_id is not null as "isSettled", s.win_stake_cents as "winStakeCents",
      s.win_starting_price_return_cents as "winStartingPriceReturnCents",
      s.win_tote_return_cents as "winToteReturnCents", s.place_stake_cents as "placeStakeCents",
      s.place_tote_return_cents as "placeToteReturnCents"
    from race_cards c
    join tips t on t.race_card_id = c.id
    join venues v on v.id = c.venue_id
    join creators k on k.user_id = c.creator_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
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
      today,
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
  return { tips: page.map((row) => toRecordTip(row, today)), next };
}

function toRecordTip(
  row: Omit<RecordTip, "isResultOverdue" | "bets"> & BetColumns & { isSettled: boolean },
  today: string,
): RecordTip {
  const { isSettled, winStakeCents, winStartingPriceReturnCents, winToteReturnCents, ...rest } =
    row;
  const { placeStakeCents, placeToteReturnCents, ...tip } = rest;
  return {
    ...tip,
    isResultOverdue: isResultOverdue(tip, today),
    bets: isSettled ? toBets(row) : null,
  };
}
