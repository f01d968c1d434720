const TIME_OF_DAY = /^(00?|0?[7-9]|1\d|2[0-3])(?:[:.h]?([0-5]\d)|:([0-5]\d):00)$/i;

/** The message for an invalid off time. */
export const INVALID_OFF_TIME_MESSAGE = "Off time must use the 24-hour clock, such as 14:05";

/**
 * Parses an off time on the 24-hour clock such as `14:05`, `1405`, `14h05` or `14:05:00`. Returns `HH:MM`, or null, also
 * for 01:00 to 06:59: no race is run then, so these are times of the afternoon without "pm".
 */
export function parseTime(text: string): string | null {
  const [, hours, shortMinutes, minutes = shortMinutes] = TIME_OF_DAY.exec(text.trim()) ?? [];
  return hours && minutes ? `${hours.padStart(2, "0")}:${minutes}` : null;
}
