import { dateAt } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import type { Surface } from "#domain/race-day.ts";
import type { SettledBet, VoidReason } from "#domain/settlement.ts";
import type { Tip } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { BET_COLUMNS, type BetColumns, withBets } from "./bets.server.ts";
import { formatTipCursor, parseTipCursor, toTipCursorValues } from "./cursor.server.ts";
import { TIP_COLUMNS } from "./tip.server.ts";

/**
 * Why a tip counts in the figures or not. `counted` is officially settled; `claimed` has only the tipster's word;
 * `set-by-admin` a result that an admin entered for this tip.
 */
export const TIP_STATUSES = [
  "counted",
  "void",
  "late",
  "claimed",
  "set-by-admin",
  "no-result",
] as const;
export type TipStatus = (typeof TIP_STATUSES)[number];

/** The official settlement of a tip. */
export type RecordedSettlement = {
  /** The version of the race's result, and of the rules. */
  version: number;
  rules: string;
  outcome: "won" | "placed" | "lost" | "void";
  voidReason: VoidReason | null;
  position: number | null;
  deadHeatCount: number;
  startingPrice: { numerator: number; denominator: number } | null;
  win: SettledBet | null;
  place: SettledBet | null;
  expectedWin: number | null;
  favouriteReturnCents: number | null;
};

/** A tip of a public record, whose selection is public, as the downloads have it. */
export type RecordedTip = Omit<Tip, "venueName" | "isClaim" | "isOfficial"> & {
  venueSlug: string;
  distanceMetres: number | null;
  surface: Surface | null;
  status: TipStatus;
  settlement: RecordedSettlement | null;
};

type Row = Tip &
  Pick<RecordedTip, "venueSlug" | "distanceMetres" | "surface"> &
  BetColumns &
  Omit<RecordedSettlement, "version" | "startingPrice" | "win" | "place"> & {
    version: number | null;
    numerator: number | null;
    denominator: number | null;
  };

/**
 * Returns a page of a creator's tips that are public at an instant, oldest race date first, hidden tips included.
 */
export async function readRecordedTips(
  creatorId: string,
  { at, cursor, limit }: { at: Date; cursor: string | null; limit: number },
): Promise<{ tips: RecordedTip[]; next: string | null }> {
  const after = parseTipCursor(cursor);
  const rows = await queryPrepared<Row>(
    // Only a cursor adds a condition, so that every plan starts at it.
    after ? "recorded-tips-after" : "recorded-tips",
    `select ${TIP_COLUMNS}, v.slug as "venueSlug",
      coalesce(q.off_at, r.off_at, t.entered_off_at) as "offAt", r.distance_metres as "distanceMetres",
      r.surface, s.version, s.rules, s.outcome, s.void_reason as "voidReason", s.position,
      s.dead_heat_count as "deadHeatCount", u.starting_price_numerator as numerator,
      u.starting_price_denominator as denominator, ${BET_COLUMNS},
      s.expected_win as "expectedWin", s.favourite_return_cents as "favouriteReturnCents"
    from race_cards c
    join venues v on v.id = c.venue_id
    join tips t on t.race_card_id = c.id
    left join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
    left join race_results q on q.race_day_id = s.race_day_id and q.race_number = s.race_number
      and q.version = s.version
    left join result_runners u on u.race_day_id = s.race_day_id and u.race_number = s.race_number
      and u.version = s.version and u.number = s.runner_number
    left join lateral ( -- race by race, so that no plan reads all races
      select o.off_at, o.distance_metres, o.surface from race_days d
      join races o on o.race_day_id = d.id
      where d.venue_id = c.venue_id and d.race_date = c.race_date and o.race_number = t.race_number
      limit 1
    ) r on true
    where c.creator_id = $1 and ${isRevealed("$2::date")}
      ${after ? "and c.race_date >= $4::date and (c.race_date, c.id, t.race_number) > ($4, $5::uuid, $6::int)" : ""}
    order by c.race_date, c.id, t.race_number limit $3`,
    [creatorId, dateAt(at), limit + 1, ...toTipCursorValues(after)],
  );
  const { page, next } = toPage(rows, limit, formatTipCursor);
  return { tips: page.map(toRecordedTip), next };
}

function toRecordedTip(row: Row): RecordedTip {
  return {
    id: row.id,
    raceCardId: row.raceCardId,
    raceDate: row.raceDate,
    venueSlug: row.venueSlug,
    raceNumber: row.raceNumber,
    offAt: row.offAt,
    distanceMetres: row.distanceMetres,
    surface: row.surface,
    horseNumber: row.horseNumber,
    horseName: row.horseName,
    tipType: row.tipType,
    confidence: row.confidence,
    publishedAt: row.publishedAt,
    isLate: row.isLate,
    isHidden: row.isHidden,
    status: toStatus(row),
    result: row.result,
    claimedResult: row.claimedResult,
    settlement: row.version === null ? null : { ...toSettlement(row), version: row.version },
  };
}

function toSettlement(row: Row): Omit<RecordedSettlement, "version"> {
  const { numerator, denominator, win, place } = withBets(row);
  return {
    rules: row.rules,
    outcome: row.outcome,
    voidReason: row.voidReason,
    position: row.position,
    deadHeatCount: row.deadHeatCount,
    startingPrice: numerator === null || denominator === null ? null : { numerator, denominator },
    win,
    place,
    expectedWin: row.expectedWin,
    favouriteReturnCents: row.favouriteReturnCents,
  };
}

function toStatus({ result, version, isLate, isClaim }: Row): TipStatus {
  if (result === null) return "no-result";
  if (result === "void") return "void";
  if (isClaim) return "claimed";
  if (version === null) return "set-by-admin";
  return isLate ? "late" : "counted";
}
