import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { cardsFor, type PlannedCard } from "./cards.ts";
import { type Meeting, meetingsOn } from "./meetings.ts";

/** So many days of history the demo's world has behind it. */
export const DAYS_OF_HISTORY = 60;

/** One day of the demo's world, as it was always going to be. */
export type DemoDay = { raceDate: CalendarDate; meetings: Meeting[]; cards: PlannedCard[] };

/** The days of the demo's world at an instant: so many that have been, today and tomorrow. */
export function daysAt(at: Date, daysBack: number): DemoDay[] {
  const today = dateAt(at);
  return Array.from({ length: daysBack + 2 }, (_, index) => {
    const raceDate = addDays(today, index - daysBack);
    const meetings = meetingsOn(raceDate);
    return { raceDate, meetings, cards: cardsFor(raceDate, meetings) };
  });
}
