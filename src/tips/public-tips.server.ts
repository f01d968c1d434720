import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import { MAX_RACES, type Tip, type TipType } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import {
  formatTipCursor,
  parseTipCursor,
  toDateFilter,
  toIdFilter,
  toTipCursorValues,
} from "./cursor.server.ts";
import { JOIN_REPORTED_RACE, OFF_AT_COLUMN, TIP_COLUMNS, withResultOverdue } from "./tip.server.ts";

/** A tip whose selection is public. */
export type PublicTip = PublicTipRow & { isResultOverdue: boolean };

/** A row selected with PUBLIC_TIP_COLUMNS. */
export type PublicTipRow = Tip & { venueSlug: string; creatorSlug: string; creatorName: string };

/** The columns of a public tip, except its off. */
export const PUBLIC_TIP_COLUMNS = `${TIP_COLUMNS}, v.slug as "venueSlug", k.slug as "creatorSlug",
  k.display_name as "creatorName"`;
export const PUBLIC_TIP_JOINS = `join venues v on v.id = c.venue_id
  join creators k on k.user_id = c.creator_id`;

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
  const rows = await queryPrepared<PublicTipRow>(
    after ? "public-tips-after" : "public-tips",
    `select ${PUBLIC_TIP_COLUMNS}, ${OFF_AT_COLUMN}
    from race_cards c
    join tips t on t.race_card_id = c.id
    ${PUBLIC_TIP_JOINS}
    ${JOIN_REPORTED_RACE}
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
      dateAt(at),
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
  return { tips: page.map((row) => withResultOverdue(row, at)), next };
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
