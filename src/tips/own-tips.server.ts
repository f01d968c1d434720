import type { CalendarDate } from "#domain/calendar.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import type { Tip, TipResult } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import {
  formatTipCursor,
  parseTipCursor,
  toDateFilter,
  toIdFilter,
  toTipCursorValues,
} from "./cursor.server.ts";
import {
  JOIN_REPORTED_RACE,
  OFF_AT_COLUMN,
  SETTLEABLE_FROM,
  TIP_COLUMNS,
  withResultOverdue,
} from "./tip.server.ts";

/** A tip with all its fields, for its creator and for admins. */
export type OwnTip = OwnTipRow & {
  /** True if the race is over and the tip has no result yet. */
  canSettle: boolean;
  isResultOverdue: boolean;
};

/** A row selected with OWN_TIP_COLUMNS. */
export type OwnTipRow = Tip & {
  analysis: string;
  /** When its horse was scratched; null while it runs. */
  scratchedAt: Date | null;
};

export const OWN_TIP_COLUMNS = `${TIP_COLUMNS}, ${OFF_AT_COLUMN}, t.analysis,
  x.scratched_at as "scratchedAt"`;
export const OWN_TIP_JOINS = `join venues v on v.id = c.venue_id
  ${JOIN_REPORTED_RACE}
  left join tip_scratchings x on x.tip_id = t.id`;

/** Returns the tip of a row with its state at an instant. */
export function toOwnTip<Row extends OwnTipRow>(row: Row, at: Date): Row & OwnTip {
  const canSettle = row.result === null && computeSettleableAt(row.raceDate, row.offAt) <= at;
  return { ...withResultOverdue(row, at), canSettle };
}

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
  const rows = await queryPrepared<OwnTipRow>(
    after ? "own-tips-after" : "own-tips",
    `select ${OWN_TIP_COLUMNS}
    from race_cards c
    join tips t on t.race_card_id = c.id
    ${OWN_TIP_JOINS}
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
  return { tips: page.map((row) => toOwnTip(row, at)), next };
}

/** Counts the tips of a creator whose race is over and that have no result. */
export async function countTipsToSettle(creatorId: string, at: Date): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "tips-to-settle",
    `select count(*) from race_cards c
     join tips t on t.race_card_id = c.id and t.result is null
     ${JOIN_REPORTED_RACE}
     where c.creator_id = $1 and ${SETTLEABLE_FROM} <= $2`,
    [creatorId, at],
  );
  return row?.count ?? 0;
}
