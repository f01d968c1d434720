import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { composeTeaser } from "#domain/teaser.ts";
import type { Confidence, LockedTip, TipType } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { formatCursor, toPage } from "#platform/keyset-paging.server.ts";
import { parseInstantCursor, toDateFilter, toIdFilter } from "./cursor.server.ts";
import {
  RACE_CARD_SUMMARY_COLUMNS,
  type RaceCardSummary,
  type RaceCardSummaryRow,
  toRaceCardSummary,
} from "./race-cards.server.ts";

/** A race of a race card before it is opened or public. */
export type RacePreview = LockedTip & { isOver: boolean };

/** The public preview of a race card. Contains no selection. */
export type RaceCardPreview = RaceCardSummary & {
  races: RacePreview[];
  racesRun: number;
  /** The selections that are not sold, because their horses are scratched. */
  scratchedRaces: number;
  /** The next off time in the future; null when none is known. */
  nextOffAt: Date | null;
  /** When the race card goes off sale. */
  closesAt: Date;
  isOnSale: boolean;
  /** True when the creator is suspended. The race card is then not on sale. */
  isSuspended: boolean;
  /** True when an off time is reported for at least one of its races. */
  isMeetingConfirmed: boolean;
  teaser: string;
  priceCoins: number;
};

export type PreviewRow = RaceCardSummaryRow & {
  isSuspended: boolean;
  raceNumbers: number[];
  offAts: (Date | null)[];
  tipTypes: TipType[];
  confidences: Confidence[];
  scratchedRaces: number;
  nextOffAt: Date | null;
  closesAt: Date;
  isMeetingConfirmed: boolean;
  sortAt: Date;
};

/**
 * Selects the previews of race cards at the instant $1, without any paid column. Void, hidden
 * and scratched races are left out because they are not sold.
 */
export const RACE_CARD_PREVIEWS = `
  select ${RACE_CARD_SUMMARY_COLUMNS}, k.suspended_at is not null as "isSuspended",
    o.race_numbers as "raceNumbers", o.off_ats as "offAts", o.tip_types as "tipTypes",
    o.confidences, (
      select count(*)::integer from tip_scratchings x join tips t on t.id = x.tip_id
      where x.race_card_id = c.id and x.scratched_at is not null and t.hidden_at is null and t.result is null
    ) as "scratchedRaces", o.next_off_at as "nextOffAt", o.closes_at as "closesAt",
    o.is_meeting_confirmed as "isMeetingConfirmed",
    coalesce(o.next_off_at, o.closes_at) as "sortAt"
  from race_cards c
  join venues v on v.id = c.venue_id
  join creators k on k.user_id = c.creator_id
  left join creator_records n on n.creator_id = c.creator_id
  cross join lateral (
    select array_agg(t.race_number order by t.race_number) as race_numbers,
      array_agg(t.off_at order by t.race_number) as off_ats,
      array_agg(t.tip_type order by t.race_number) as tip_types,
      array_agg(t.confidence order by t.race_number) as confidences,
      min(t.off_at) filter (where t.off_at > $1) as next_off_at,
      assumed_off_at(c.race_date, max(t.reported_off_at), max(t.entered_off_at)) as closes_at,
      bool_or(t.reported_off_at is not null) as is_meeting_confirmed
    from (
      select t.race_number, t.tip_type, t.confidence, coalesce(r.off_at, t.entered_off_at) as off_at,
        r.off_at as reported_off_at, t.entered_off_at
      from tips t
      left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
        and r.race_number = t.race_number
      where t.race_card_id = c.id and t.hidden_at is null and t.result is distinct from 'void'
        and not exists (select from tip_scratchings x where x.tip_id = t.id and x.scratched_at is not null)
    ) t
    having count(*) > 0
  ) o`;

export function toRaceCardPreview(row: PreviewRow, at: Date): RaceCardPreview {
  const races = row.raceNumbers.map((raceNumber, index): RacePreview => {
    const offAt = row.offAts[index] ?? null;
    return {
      raceNumber,
      offAt,
      isOver: offAt !== null && offAt <= at,
      tipType: row.tipTypes[index] as TipType,
      confidence: row.confidences[index] as Confidence,
    };
  });
  return {
    ...toRaceCardSummary(row),
    races,
    racesRun: races.filter((race) => race.isOver).length,
    scratchedRaces: row.scratchedRaces,
    nextOffAt: row.nextOffAt,
    closesAt: row.closesAt,
    isMeetingConfirmed: row.isMeetingConfirmed,
    isOnSale: !row.isSuspended && row.closesAt > at,
    isSuspended: row.isSuspended,
    teaser: composeTeaser({ venueName: row.venueName, races }),
    priceCoins: CARD_PRICE_COINS,
  };
}

/** Returns a page of the race cards on sale at an instant, soonest off first, after the cursor. */
export async function listRaceCardsOnSale({
  at,
  venueId = null,
  creatorId = null,
  raceDate = null,
  cursor,
  limit = 20,
}: {
  at: Date;
  venueId?: string | null;
  creatorId?: string | null;
  raceDate?: CalendarDate | null;
  cursor?: string | null;
  limit?: number;
}): Promise<{ raceCards: RaceCardPreview[]; next: string | null }> {
  const after = parseInstantCursor(cursor);
  const rows = await queryPrepared<PreviewRow>(
    "race-cards-on-sale",
    `select * from (${RACE_CARD_PREVIEWS}
      where c.race_date >= $2 and k.suspended_at is null and o.closes_at > $1
        and ($3::uuid is null or c.venue_id = $3) and ($4::uuid is null or c.creator_id = $4)
        and ($5::date is null or c.race_date = $5)
    ) f
    where $6::timestamptz is null or (f."sortAt", f.id) > ($6, $7::uuid)
    order by f."sortAt", f.id limit $8`,
    [
      at,
      dateAt(at),
      toIdFilter(venueId),
      toIdFilter(creatorId),
      toDateFilter(raceDate),
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
    ],
  );
  const { page, next } = toPage(rows, limit, ({ sortAt, id }) =>
    formatCursor(sortAt.getTime(), id),
  );
  return { raceCards: page.map((row) => toRaceCardPreview(row, at)), next };
}

/**
 * Returns the preview of a race card at an instant, on sale or not. Returns null if it is unknown
 * or all its races are hidden or void.
 */
export async function readPublicRaceCard(
  raceCardId: string,
  at: Date,
): Promise<RaceCardPreview | null> {
  if (!isId(raceCardId)) return null;
  const [row] = await queryPrepared<PreviewRow>(
    "race-card-public",
    `${RACE_CARD_PREVIEWS} where c.id = $2`,
    [at, raceCardId],
  );
  return row ? toRaceCardPreview(row, at) : null;
}

/** Returns the preview of a race card that is on sale now, otherwise null. */
export async function findRaceCardOnSale(raceCardId: string): Promise<RaceCardPreview | null> {
  const raceCard = await readPublicRaceCard(raceCardId, now());
  return raceCard?.isOnSale ? raceCard : null;
}
