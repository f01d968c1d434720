import { eq, inArray } from "drizzle-orm";
import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { settleableFrom } from "#domain/race-day.ts";
import type { TipResult } from "#domain/tip.ts";
import { database, pool, prepared } from "#platform/database.server.ts";
import { fullTextQuery, queryParts } from "#platform/query-parts.server.ts";
import { idFilter } from "./cursor.server.ts";
import type { OwnTip } from "./own-tips.server.ts";
import { isResultOverdue, RESULT_OVERDUE_AFTER_DAYS } from "./public-tips.server.ts";
import { raceCards, tips } from "./tables.server.ts";

/** A tip in the operator's list. */
export type ListedTip = OwnTip & {
  creatorId: string;
  creatorName: string;
  isDeleted: boolean;
};

/** A batch is published in one instant: its races stand in the order in which they are run. */
export const TIP_ORDERS = {
  newest: {
    by: "t.published_at desc, t.race_card_id desc, t.race_number, t.id desc",
    place: "t.published_at, t.race_card_id, -t.race_number, t.id",
    after: "<",
  },
  oldest: {
    by: "t.published_at, t.race_card_id, t.race_number, t.id",
    place: "t.published_at, t.race_card_id, t.race_number, t.id",
    after: ">",
  },
} as const;
export type TipOrder = keyof typeof TIP_ORDERS;

/** What waits for a result is entered meeting by meeting and race by race, whoever wrote about it. */
const MEETING_ORDERS: Record<TipOrder, string> = {
  newest: "date 'epoch' - c.race_date, v.name, t.race_number, c.id",
  oldest: "c.race_date - date 'epoch', v.name, t.race_number, c.id",
};
// The few that wait, each with its card: a join in the order of the days would read all there ever were.
const WAITING = `(select * from tips where result is null offset 0) t
    cross join lateral (select * from race_cards where id = t.race_card_id offset 0) c`;
const EVERY_TIP = "tips t join race_cards c on c.id = t.race_card_id";

/** 'to-settle': over and without a result. 'overdue': for more than three days. */
export type ListedTipState = "active" | "hidden" | "to-settle" | "overdue";

type Row = Omit<ListedTip, "canSettle" | "isResultOverdue">;

/**
 * Every tip for the operator, from the one after the cursor on: all, or those in a state, of a creator,
 * a venue or a card, or whose horse a search finds. By when they were published; what waits for a result
 * by race day, meeting and race.
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
  const { place, meet, where, values } = queryParts();
  const waits = state === "to-settle" || state === "overdue";
  const { by, after } = waits ? { by: MEETING_ORDERS[order], after: ">" } : TIP_ORDERS[order];
  const words = fullTextQuery(search);
  if (state === "active") meet("t.hidden_at is null");
  if (state === "hidden") meet("t.hidden_at is not null");
  if (state === "to-settle") meet(`${SETTLES_FROM} <= ${place(at)}`);
  if (state === "overdue") meet(`c.race_date <= ${place(overdueUntil(at))}::date`);
  if (creatorId) meet(`c.creator_id = ${place(idFilter(creatorId))}`);
  if (venueId) meet(`c.venue_id = ${place(idFilter(venueId))}`);
  if (raceCardId) meet(`t.race_card_id = ${place(idFilter(raceCardId))}`);
  if (words) meet(`to_tsvector('simple', t.horse_name) @@ ${place(words)}::tsquery`);
  if (cursor && isId(cursor)) {
    const ordered = waits ? by : TIP_ORDERS[order].place;
    meet(
      `(${ordered}) ${after} (select ${ordered} from tips t join race_cards c on c.id = t.race_card_id
        join venues v on v.id = c.venue_id where t.id = ${place(cursor)})`,
    );
  }
  const { rows } = await pool().query<Row>(
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", c.venue_id as "venueId",
      v.name as "venueName", c.creator_id as "creatorId", k.display_name as "creatorName",
      t.race_number as "raceNumber", coalesce(r.off_at, t.given_off_at) as "offAt",
      t.horse_number as "horseNumber", t.horse_name as "horseName", t.tip_type as "tipType",
      t.confidence, t.analysis, t.tip_text as "tipText", t.result, t.settled_at as "settledAt",
      t.published_at as "publishedAt", t.is_late as "isLate", t.is_active as "isActive",
      t.deleted_at is not null as "isDeleted"
    from ${waits ? WAITING : EVERY_TIP}
    join creators k on k.user_id = c.creator_id
    join venues v on v.id = c.venue_id
    left join race_offs r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    ${where()} order by ${by} limit ${place(limit + 1)}`,
    values,
  );
  const tips = rows.slice(0, limit).map((tip) => ({
    ...tip,
    canSettle: tip.result === null && settleableFrom(tip.raceDate, tip.offAt) <= at,
    isResultOverdue: isResultOverdue(tip, dateAt(at)),
  }));
  return { tips, next: rows.length > limit ? (tips.at(-1)?.id ?? null) : null };
}

const SETTLES_FROM = `coalesce(r.off_at, t.given_off_at,
  (c.race_date + time '18:00') at time zone 'Africa/Johannesburg')`;

/** The last race date whose tips show as unmarked where they have no result. */
function overdueUntil(at: Date): string {
  return addDays(dateAt(at), -RESULT_OVERDUE_AFTER_DAYS - 1);
}

/** How many tips there are, hidden ones and all. */
export async function countTips(): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    "count-tips",
    // The records count all but the void ones, which are few.
    `select (select coalesce(sum(tips), 0) from creator_records)
       + (select count(*) from tips where result = 'void') as count`,
    [],
  );
  return row?.count ?? 0;
}

/** How many tips have waited for a result for more than three days. */
export async function countOverdueTips(at: Date): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    "count-overdue-tips",
    // The few that wait, each with its card: a join would read all cards there ever were.
    `select count(*) from tips t
     cross join lateral (select c.race_date from race_cards c where c.id = t.race_card_id offset 0) c
     where t.result is null and c.race_date <= $1::date`,
    [overdueUntil(at)],
  );
  return row?.count ?? 0;
}

/** Every result a tip was given, newest first, with who gave it and why. */
export type ResultEntry = {
  tipId: string;
  result: TipResult | null;
  actorId: string;
  reason: string;
  createdAt: Date;
};

/** The results that these tips were given, newest first. */
export async function readResultEntries(...tipIds: string[]): Promise<ResultEntry[]> {
  const ids = tipIds.filter(isId);
  if (ids.length === 0) return [];
  return await prepared<ResultEntry>(
    "result-entries",
    `select tip_id as "tipId", result, actor_id as "actorId", reason, created_at as "createdAt"
    from result_entries where tip_id = any($1::uuid[]) order by id desc`,
    [ids],
  );
}

export type TipName = {
  id: string;
  venueId: string;
  raceDate: CalendarDate;
  raceNumber: number;
  horseName: string;
};

/** What names each of these tips to a person, hidden and deleted ones too. */
export async function readTipNames(tipIds: readonly string[]): Promise<TipName[]> {
  if (tipIds.length === 0) return [];
  return await database()
    .select({
      id: tips.id,
      venueId: raceCards.venueId,
      raceDate: raceCards.raceDate,
      raceNumber: tips.raceNumber,
      horseName: tips.horseName,
    })
    .from(tips)
    .innerJoin(raceCards, eq(raceCards.id, tips.raceCardId))
    .where(inArray(tips.id, [...tipIds]));
}
