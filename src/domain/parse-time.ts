const TIME_OF_DAY = /^([01]?\d|2[0-3])[:.h]?([0-5]\d)$/i;

/** The message for an invalid off time. */
export const INVALID_OFF_TIME_MESSAGE = "Off time must use the 24-hour clock, such as 14:05";

/** Parses a 24-hour time of day such as `14:05`, `1405` or `14h05`. Returns `HH:MM`, or null. */
export function parseTime(text: string): string | null {
  const [, hours, minutes] = TIME_OF_DAY.exec(text.trim()) ?? [];
  return hours && minutes ? `${hours.padStart(2, "0")}:${minutes}` : null;
}
