import { type CalendarDate, dateAt, formatDate, timeAt } from "#domain/calendar.ts";

/** The race card that a buyer of coins wants to open. Contains no selection. */
export type RequestedRaceCard = {
  id: string;
  venue: string;
  tipster: string;
  raceDate: CalendarDate;
  /** What this buyer can do with it: open it, read it, or neither. */
  state: "on-sale" | "opened" | "off-sale";
  races: { offAt: Date | null }[];
  /** The server's time when it was read. */
  readAt: Date;
};

/** Returns the name of a race card in a sentence: 'Turffontein by Nap Hand'. */
export function formatRaceCardName({ venue, tipster }: { venue: string; tipster: string }): string {
  return `${venue} by ${tipster}`;
}

/** Returns the path of the page that sells coins for opening a race card. */
export function buildBuyCoinsPath(raceCardId: string | null): string {
  return raceCardId ? `/buy-coins?card=${raceCardId}` : "/buy-coins";
}

/** Returns a text such as 'First race to come: 14:45.', with the date on another day; empty without a known time. */
export function describeFirstRace({ races, raceDate }: RequestedRaceCard, now: Date): string {
  const offs = races.flatMap(({ offAt }) => (offAt && offAt > now ? [offAt.getTime()] : []));
  if (offs.length === 0) return "";
  const date = raceDate === dateAt(now) ? "" : `${formatDate(raceDate, "short")}, `;
  return `First race to come: ${date}${timeAt(new Date(Math.min(...offs)))}.`;
}
