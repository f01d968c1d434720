import { eq, inArray } from "drizzle-orm";
import { addDays, dateAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import type { Tip, TipResult } from "#domain/tip.ts";
import { database, pool, queryPrepared } from "#platform/database.server.ts";
import { addCursor, ascending, type SortOrder, toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts, fullTextQuery } from "#platform/query-parts.server.ts";
import { toIdFilter } from "./cursor.server.ts";
import {
  OWN_TIP_COLUMNS,
  OWN_TIP_JOINS,
  type OwnTip,
  type OwnTipRow,
  toOwnTip,
} from "./own-tips.server.ts";
import { raceCards, tips } from "./tables.server.ts";
import { RESULT_OVERDUE_AFTER_DAYS, SETTLEABLE_FROM } from "./tip.server.ts";

/** A tip as admins see it. */
export type AdminTip = OwnTip & AdminTipRow;
type AdminTipRow = OwnTipRow & { creatorId: string; creatorName: string; isDeleted: boolean };

/**
 * All tips of a batch have the same time of publication, so within a batch they are sorted by race
 * number.
 */
export const TIP_ORDERS = {
  newest: {
    orderBy: "t.published_at desc, t.race_card_id desc, t.race_number, t.id desc",
    key: "t.published_at, t.race_card_id, -t.race_number, t.id",
    comparison: "<",
  } satisfies SortOrder,
  oldest: ascending("t.published_at", "t.race_card_id", "t.race_number", "t.id"),
};
export type TipOrder = keyof typeof TIP_ORDERS;

/**
 * Tips without a result are sorted by meeting and race, because results are entered in that order.
 */
const MEETING_ORDERS: Record<TipOrder, SortOrder> = {
  newest: ascending("date 'epoch' - c.race_date", "v.name", "t.race_number", "c.id"),
  oldest: ascending("c.race_date - date 'epoch'", "v.name", "t.race_number", "c.id"),
};
// Few tips are unsettled. The lateral join finds the race card of each; a plain join would read all
// race cards.
const UNSETTLED_TIPS = `(select * from tips where result is null offset 0) t
    cross join lateral (select * from race_cards where id = t.race_card_id offset 0) c`;
const ALL_TIPS = "tips t join race_cards c on c.id = t.race_card_id";

/** 'to-settle': the race is over and there is no result. 'overdue': for more than three days. */
export type AdminTipState = "active" | "hidden" | "to-settle" | "overdue";

/**
 * Returns a page of all tips for an admin, starting after the cursor, filtered by state,
 * creator, venue, race card or horse name. Sorted by time of publication; unsettled tips by race
 * date, meeting and race.
 */
export async function listTips({
  at,
  state = null,
  creatorId = null,
  venueId = null,
  raceCardId = null,
  search = null,
  order = "newest",
  cursor,
  limit = 20,
}: {
  at: Date;
  state?: AdminTipState | null;
  creatorId?: string | null;
  venueId?: string | null;
  raceCardId?: string | null;
  search?: string | null;
  order?: TipOrder;
  cursor?: string | null;
  limit?: number;
}): Promise<{ tips: AdminTip[]; next: string | null }> {
  const query = createQueryParts();
  const { bind, addCondition, where, values } = query;
  const isUnsettled = state === "to-settle" || state === "overdue";
  const sortOrder = (isUnsettled ? MEETING_ORDERS : TIP_ORDERS)[order];
  const searchQuery = fullTextQuery(search);
  if (state === "active") addCondition("t.hidden_at is null");
  if (state === "hidden") addCondition("t.hidden_at is not null");
  if (state === "to-settle") addCondition(`${SETTLEABLE_FROM} <= ${bind(at)}`);
  if (state === "overdue") addCondition(`c.race_date <= ${bind(findLastOverdueDate(at))}::date`);
  if (creatorId) addCondition(`c.creator_id = ${bind(toIdFilter(creatorId))}`);
  if (venueId) addCondition(`c.venue_id = ${bind(toIdFilter(venueId))}`);
  if (raceCardId) addCondition(`t.race_card_id = ${bind(toIdFilter(raceCardId))}`);
  if (searchQuery)
    addCondition(`to_tsvector('simple', t.horse_name) @@ ${bind(searchQuery)}::tsquery`);
  addCursor(query, sortOrder, cursor, {
    from: `${ALL_TIPS} join venues v on v.id = c.venue_id`,
    idColumn: "t.id",
  });
  const { rows } = await pool().query<AdminTipRow>(
    `select ${OWN_TIP_COLUMNS}, c.creator_id as "creatorId", k.display_name as "creatorName",
      t.deleted_at is not null as "isDeleted"
    from ${isUnsettled ? UNSETTLED_TIPS : ALL_TIPS}
    join creators k on k.user_id = c.creator_id
    ${OWN_TIP_JOINS}
    ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { tips: page.map((row) => toOwnTip(row, at)), next };
}

/** Returns the latest race date whose unsettled tips are overdue. */
export function findLastOverdueDate(at: Date): string {
  return addDays(dateAt(at), -RESULT_OVERDUE_AFTER_DAYS - 1);
}

/** Counts all tips, hidden and void ones included. */
export async function countTips(): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "count-tips",
    // The records count all tips except void ones, which are few.
    `select (select coalesce(sum(tips), 0) from creator_records)
       + (select count(*) from tips where result = 'void') as count`,
    [],
  );
  return row?.count ?? 0;
}

/** A result that was entered for a tip, with its author and reason. */
export type ResultEntry = {
  tipId: string;
  result: TipResult | null;
  actorId: string;
  reason: string;
  createdAt: Date;
};

/** Returns every result entered for these tips, corrections included, newest first. */
export async function readResultEntries(...tipIds: string[]): Promise<ResultEntry[]> {
  const ids = tipIds.filter(isId);
  if (ids.length === 0) return [];
  return await queryPrepared<ResultEntry>(
    "result-entries",
    `select tip_id as "tipId", result, actor_id as "actorId", reason, created_at as "createdAt"
    from result_entries where tip_id = any($1::uuid[]) order by id desc`,
    [ids],
  );
}

export type TipDescription = Pick<
  Tip,
  "id" | "raceCardId" | "raceDate" | "raceNumber" | "horseName"
> & { venueId: string };

/**
 * Returns the venue, date, race and horse of these tips, including hidden and deleted ones.
 */
export async function readTipDescriptions(tipIds: readonly string[]): Promise<TipDescription[]> {
  if (tipIds.length === 0) return [];
  return await database()
    .select({
      id: tips.id,
      raceCardId: tips.raceCardId,
      venueId: raceCards.venueId,
      raceDate: raceCards.raceDate,
      raceNumber: tips.raceNumber,
      horseName: tips.horseName,
    })
    .from(tips)
    .innerJoin(raceCards, eq(raceCards.id, tips.raceCardId))
    .where(inArray(tips.id, [...tipIds]));
}
