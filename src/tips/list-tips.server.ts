import { eq, inArray } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import type { TipResult } from "#domain/tip.ts";
import { database, pool, queryPrepared } from "#platform/database.server.ts";
import { addCursor, ascending, type SortOrder, toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts, fullTextQuery } from "#platform/query-parts.server.ts";
import { toIdFilter } from "./cursor.server.ts";
import { type OwnTip, SETTLEABLE_FROM } from "./own-tips.server.ts";
import { isResultOverdue, RESULT_OVERDUE_AFTER_DAYS } from "./public-tips.server.ts";
import { raceCards, tips } from "./tables.server.ts";

/** A tip in the admin list. */
export type ListedTip = OwnTip & {
  creatorId: string;
  creatorName: string;
  isDeleted: boolean;
};

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
export type ListedTipState = "active" | "hidden" | "to-settle" | "overdue";

type Row = Omit<ListedTip, "canSettle" | "isResultOverdue">;

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
  state?: ListedTipState | null;
  creatorId?: string | null;
  venueId?: string | null;
  raceCardId?: string | null;
  search?: string | null;
  order?: TipOrder;
  cursor?: string | null;
  limit?: number;
}): Promise<{ tips: ListedTip[]; next: string | null }> {
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
  const { rows } = await pool().query<Row>(
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", c.venue_id as "venueId",
      v.name as "venueName", c.creator_id as "creatorId", k.display_name as "creatorName",
      t.race_number as "raceNumber", coalesce(r.off_at, t.entered_off_at) as "offAt",
      t.horse_number as "horseNumber", t.horse_name as "horseName", t.tip_type as "tipType",
      t.confidence, t.analysis, t.tip_text as "tipText", t.result, t.is_claim as "isClaim",
      t.claimed_result as "claimedResult", t.settlement_version is not null as "isOfficial",
      t.settled_at as "settledAt", t.published_at as "publishedAt", t.is_late as "isLate",
      x.scratched_at as "scratchedAt", t.is_active as "isActive",
      t.deleted_at is not null as "isDeleted"
    from ${isUnsettled ? UNSETTLED_TIPS : ALL_TIPS}
    join creators k on k.user_id = c.creator_id
    join venues v on v.id = c.venue_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    left join tip_scratchings x on x.tip_id = t.id
    ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  const tips = page.map((tip) => ({
    ...tip,
    canSettle: tip.result === null && computeSettleableAt(tip.raceDate, tip.offAt) <= at,
    isResultOverdue: isResultOverdue(tip, dateAt(at)),
  }));
  return { tips, next };
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

export type TipDescription = {
  id: string;
  raceCardId: string;
  venueId: string;
  raceDate: CalendarDate;
  raceNumber: number;
  horseName: string;
};

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
