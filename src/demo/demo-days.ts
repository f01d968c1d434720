import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { type Meeting, meetingsOn } from "./meetings.ts";
import { cardsFor, type PlannedCard } from "./planned-cards.ts";

/** The length of the demo's history in days. */
export const DAYS_OF_HISTORY = 60;

/** The predetermined meetings and race cards of one day. */
export type DemoDay = { raceDate: CalendarDate; meetings: Meeting[]; cards: PlannedCard[] };

/** Returns the given number of past days, today and tomorrow. */
export function demoDaysAt(at: Date, daysBack: number): DemoDay[] {
  const today = dateAt(at);
  return Array.from({ length: daysBack + 2 }, (_, index) => {
    const raceDate = addDays(today, index - daysBack);
    const meetings = meetingsOn(raceDate);
    return { raceDate, meetings, cards: cardsFor(raceDate, meetings) };
  });
}
