import { type CalendarDate, isCalendarDate } from "#domain/calendar.ts";

/** Returns readers for the query parameters of a list. Unknown values are ignored. */
export function readListParams(request: Request) {
  const searchParams = new URL(request.url).searchParams;
  return {
    /** Free text, or null when there is none. */
    readText(name: string): string | null {
      return searchParams.get(name)?.trim().slice(0, 100) || null;
    },
    /** One of the choices, or null. */
    readChoice<const Choice extends string>(
      name: string,
      choices: readonly Choice[],
    ): Choice | null {
      const value = searchParams.get(name);
      return choices.find((choice) => choice === value) ?? null;
    },
    /** A whole number above zero, or null. */
    readNumber(name: string): number | null {
      const value = Number(searchParams.get(name));
      return Number.isSafeInteger(value) && value > 0 ? value : null;
    },
    /** A date, or null. */
    readDate(name: string): CalendarDate | null {
      const value = searchParams.get(name) ?? "";
      return isCalendarDate(value) ? value : null;
    },
    /** The cursor: the last item of the previous page. */
    cursor: searchParams.get("after"),
  };
}

/** Returns the keys of a lookup table as the choices of `readChoice`. */
export function listKeys<Key extends string>(table: Record<Key, unknown>): Key[] {
  return Object.keys(table) as Key[];
}
