import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import { UNKNOWN_OFF_TIME } from "#domain/race-day.ts";
import type { Tip } from "#domain/tip.ts";
import type { OpenedTip } from "./opened-cards.server.ts";

/** A selection of a race card that the viewer has opened for the day. */
export type DaySelection = Omit<OpenedTip, "offAt" | "publishedAt"> &
  Pick<Tip, "raceCardId" | "venueName" | "offAt"> & { tipsterName: string };

/** A race of the day with the selections of every opened race card. */
export type DayRace = Pick<Tip, "venueName" | "raceNumber" | "offAt"> & {
  selections: DaySelection[];
};

/** One horse of a race, with everyone who selected it. */
export type SelectedHorse = Pick<Tip, "horseNumber" | "horseName"> & {
  selections: DaySelection[];
};

/** Groups selections by race. Sorts the races by off time, with races without one last. */
export function groupByRace(selections: readonly DaySelection[]): DayRace[] {
  const races = new Map<string, DayRace>();
  for (const selection of selections) {
    const { venueName, raceNumber, offAt } = selection;
    const key = `${venueName} ${raceNumber}`;
    const race = races.get(key) ?? { venueName, raceNumber, offAt: null, selections: [] };
    races.set(key, race);
    // An off time that only one of the tipsters has entered applies to all selections.
    race.offAt ??= offAt;
    race.selections.push(selection);
  }
  return [...races.values()].sort(compareRaces);
}

function compareRaces(a: DayRace, b: DayRace): number {
  const getOffTime = ({ offAt }: DayRace) => offAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return (
    getOffTime(a) - getOffTime(b) ||
    a.venueName.localeCompare(b.venueName) ||
    a.raceNumber - b.raceNumber
  );
}

/**
 * Splits the races of a day into those with the next off, later races, and races that have been run. Races with the
 * same next off are all next. A race without an off time is never next.
 */
export function splitRaces(
  races: readonly DayRace[],
  raceDate: CalendarDate,
  now: Date,
): { next: DayRace[]; later: DayRace[]; run: DayRace[] } {
  const hasRun = (race: DayRace) =>
    (race.offAt ?? instantAt(raceDate, UNKNOWN_OFF_TIME)) <= now ||
    race.selections.every(isSettled);
  const run = races.filter(hasRun);
  const upcoming = races.filter((race) => !hasRun(race));
  const nextOff = upcoming.find(({ offAt }) => offAt)?.offAt?.getTime();
  const isNext = ({ offAt }: DayRace) => offAt !== null && offAt.getTime() === nextOff;
  return {
    next: upcoming.filter(isNext),
    later: upcoming.filter((race) => !isNext(race)),
    run,
  };
}

/** Groups the selections of a race by horse. The horse that most tipsters selected comes first. */
export function groupByHorse({ selections }: DayRace): SelectedHorse[] {
  const horses = new Map<number, SelectedHorse>();
  for (const selection of selections) {
    const { horseNumber, horseName } = selection;
    const horse = horses.get(horseNumber) ?? {
      horseNumber,
      horseName,
      selections: [],
    };
    horses.set(horseNumber, horse);
    horse.selections.push(selection);
  }
  return [...horses.values()].sort(
    (a, b) => b.selections.length - a.selections.length || a.horseNumber - b.horseNumber,
  );
}

/** The outcome of the selections of one or more days. Excludes void and late selections, which do not count. */
export type DayTally = {
  won: number;
  /** The selections with an official result. */
  settled: number;
  /** The selections without an official result, including those with a claimed result. */
  waiting: number;
};

/** Counts the selections by their official results. A selection with a claimed result counts as waiting. */
export function countResults(
  selections: readonly Pick<DaySelection, "result" | "isClaim" | "isLate">[],
): DayTally {
  const counted = selections.filter(({ result, isLate }) => result !== "void" && !isLate);
  const settled = counted.filter(isSettled);
  return {
    won: settled.filter(({ result }) => result === "won").length,
    settled: settled.length,
    waiting: counted.length - settled.length,
  };
}

function isSettled({ result, isClaim }: Pick<DaySelection, "result" | "isClaim">): boolean {
  return result !== null && !isClaim;
}

/** Returns the tally in words, such as '4 of 9 won' or '3 of 5 won, 4 without a result'. */
export function describeTally({ won, settled, waiting }: DayTally): string {
  if (settled === 0) {
    // A void tip does not say that its race was not run: its horse can be a non-runner.
    return waiting > 0 ? "no results yet" : "no tips that count";
  }
  return `${won} of ${settled} won${waiting > 0 ? `, ${waiting} without a result` : ""}`;
}
