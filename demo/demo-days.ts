import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { type Meeting, planMeetings } from "./meetings.ts";
import { type PlannedRaceCard, planRaceCards } from "./planned-race-cards.ts";

/** The length of the demo's history in days. */
export const DAYS_OF_HISTORY = 60;

/** The planned meetings and race cards of one day. */
export type DemoDay = { raceDate: CalendarDate; meetings: Meeting[]; cards: PlannedRaceCard[] };

/** Plans the given number of past days, today and tomorrow. */
export function planDemoDays(at: Date, daysBack: number): DemoDay[] {
  const today = dateAt(at);
  return Array.from({ length: daysBack + 2 }, (_, index) => {
    const raceDate = addDays(today, index - daysBack);
    const meetings = planMeetings(raceDate);
    return { raceDate, meetings, cards: planRaceCards(raceDate, meetings) };
  });
}
