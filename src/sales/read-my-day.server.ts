import type { CalendarDate } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import type { DaySelection } from "./my-day.ts";
import type { OpenedTip } from "./opened-cards.server.ts";

/** The race cards that a user has opened for one day. */
export type MyDay = {
  raceCards: { id: string; venue: { id: string; name: string } }[];
  selections: DaySelection[];
};

/** Returns the race cards that the user has opened for a day, with their selections, and no others. */
export async function readMyDay(userId: string, raceDate: CalendarDate): Promise<MyDay> {
  const rows = await queryPrepared<{ race_card_id: string; tips: OpenedTip[] }>(
    "my-day",
    `select s.race_card_id, opened_tips(s.race_card_id, s.created_at) as tips
     from race_cards c join sales s on s.race_card_id = c.id and s.buyer_id = $1
     where c.race_date = $2 order by s.id`,
    [userId, raceDate],
  );
  const summaries = await readRaceCardSummaries(rows.map((row) => row.race_card_id));
  const raceCards: MyDay["raceCards"] = [];
  const selections: DaySelection[] = [];
  for (const { race_card_id: id, tips } of rows) {
    const summary = summaries.get(id);
    if (!summary) continue;
    const { venue, creator } = summary;
    raceCards.push({ id, venue: { id: venue.id, name: venue.name } });
    for (const { publishedAt: _, ...tip } of tips)
      selections.push({
        ...tip,
        offAt: tip.offAt === null ? null : new Date(tip.offAt),
        raceCardId: id,
        tipsterName: creator.name,
        venueName: venue.name,
      });
  }
  return { raceCards, selections };
}

/** Returns the number of race cards that the user has opened for a day. */
export async function countOpenedForDay(userId: string, raceDate: CalendarDate): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "opened-for-day",
    `select count(*)::integer as count
     from race_cards c join sales s on s.race_card_id = c.id and s.buyer_id = $1
     where c.race_date = $2`,
    [userId, raceDate],
  );
  return row?.count ?? 0;
}

/** Returns the ids of the creators of the last 200 race cards that the user has opened. */
export async function readOpenedCreators(userId: string): Promise<Set<string>> {
  const rows = await queryPrepared<{ creator_id: string }>(
    "opened-creators",
    `select distinct creator_id from
       (select creator_id from sales where buyer_id = $1 order by id desc limit 200) s`,
    [userId],
  );
  return new Set(rows.map((row) => row.creator_id));
}
