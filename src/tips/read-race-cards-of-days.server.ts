import type { CalendarDate } from "#domain/calendar.ts";
import type { TipResult, TipType } from "#domain/tip.ts";
import { prepared } from "#platform/database.server.ts";

/** A race card with what its author selected in it. Not for anybody's eyes before it is public. */
export type RaceCardOfDay = {
  raceCardId: string;
  creatorId: string;
  venueId: string;
  raceDate: CalendarDate;
  tips: {
    id: string;
    raceNumber: number;
    horseNumber: number;
    tipType: TipType;
    result: TipResult | null;
  }[];
};

/** Every race card from one day to another, both included; for the demo, which settles them itself. */
export async function readRaceCardsOfDays(
  from: CalendarDate,
  to: CalendarDate,
): Promise<RaceCardOfDay[]> {
  return await prepared<RaceCardOfDay>(
    "race-cards-of-days",
    `select c.id as "raceCardId", c.creator_id as "creatorId", c.venue_id as "venueId",
      c.race_date as "raceDate", json_agg(json_build_object('id', t.id,
        'raceNumber', t.race_number, 'horseNumber', t.horse_number, 'tipType', t.tip_type,
        'result', t.result) order by t.race_number) as tips
    from race_cards c join tips t on t.race_card_id = c.id
    where c.race_date between $1 and $2
    group by c.id order by c.race_date, c.id`,
    [from, to],
  );
}
