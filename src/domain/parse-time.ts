const WRITTEN = /^([01]?\d|2[0-3])[:.h]?([0-5]\d)$/i;

/** What is said where an off time cannot be read. */
export const NOT_A_TIME = "Off time must be in 24 hours, such as 14:05";

/** Reads a time of day in 24 hours, as in `14:05`, `1405` or `14h05`. Returns `HH:MM`, or null. */
export function parseTime(text: string): string | null {
  const [, hours, minutes] = WRITTEN.exec(text.trim()) ?? [];
  return hours && minutes ? `${hours.padStart(2, "0")}:${minutes}` : null;
}
