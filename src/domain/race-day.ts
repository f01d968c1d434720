import { type CalendarDate, instantAt } from "./calendar.ts";

/** The longest name of a race, in characters: sponsors' names make them long. */
export const MAX_RACE_NAME = 120;
/** The maximum length of the source of a report, a change or a result. */
export const MAX_SOURCE = 80;

export const GOINGS = ["Fast", "Good", "Soft", "Heavy"] as const;
export type Going = (typeof GOINGS)[number];

export const SURFACES = ["turf", "polytrack", "sand"] as const;
export type Surface = (typeof SURFACES)[number];

export const WEATHERS = ["sunny", "cloudy", "rainy", "windy"] as const;
export type Weather = (typeof WEATHERS)[number];

/** The assumed off time of a race without a reported one. */
export const UNKNOWN_OFF_TIME = "18:00";

/** Returns when a race can be settled: at its off, or at 18:00 on its day if the off is unknown. */
export function computeSettleableAt(raceDate: CalendarDate, offAt: Date | null): Date {
  return offAt ?? instantAt(raceDate, UNKNOWN_OFF_TIME);
}

/** `racing`: in progress. `next`: the next meeting of the day to start. `upcoming`: a later one. */
export type MeetingStatus = "racing" | "next" | "upcoming";

/** How long after its off the last race of a meeting still counts as racing. */
const LAST_RACE_DURATION_MS = 10 * 60 * 1000;

/**
 * Returns the status of each meeting of a day at an instant, in the given order. The status is null for a
 * meeting that has ended or has no known off time.
 */
export function computeMeetingStatuses(
  meetings: readonly { offTimes: readonly Date[] }[],
  at: Date,
): (MeetingStatus | null)[] {
  const spans = meetings.map(({ offTimes }) => {
    const times = offTimes.map((off) => off.getTime());
    return { first: Math.min(...times), last: Math.max(...times) };
  });
  const next = Math.min(...spans.map((span) => span.first).filter((first) => first > at.getTime()));
  return spans.map(({ first, last }) => {
    if (!Number.isFinite(first) || at.getTime() > last + LAST_RACE_DURATION_MS) return null;
    if (first <= at.getTime()) return "racing";
    return first === next ? "next" : "upcoming";
  });
}
