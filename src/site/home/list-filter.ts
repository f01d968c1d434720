import { addDays, type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { LIST_PATH } from "#ui/list-path.ts";

/** The orders of the race cards on the home page. */
export const SORTS = ["soonest", "record", "here", "confidence"] as const;
export type Sort = (typeof SORTS)[number];

/** The rankings of tipsters that the home page offers. */
export const BOARDS = ["record", "sales"] as const;
export type Board = (typeof BOARDS)[number];

/** What the home page lists, as parsed from its URL. */
export type ListFilter = {
  /** Null for the first day with race cards. */
  day: CalendarDate | null;
  /** The slug of a venue; null for all. */
  venue: string | null;
  sort: Sort;
  /** The page of the list, starting at 1. */
  page: number;
  board: Board;
};

/** The query parameters that the home page depends on. */
export const LIST_PARAMETERS = ["day", "venue", "sort", "page", "board"] as const;

/** Race cards can be published this many days ahead. */
const DAYS_AHEAD = 14;

/** Parses the query of the home page. Unknown values are replaced by the defaults. */
export function parseListFilter(search: URLSearchParams, today: CalendarDate): ListFilter {
  const day = search.get("day") ?? "";
  const venue = search.get("venue") ?? "";
  const page = search.get("page") ?? "";
  return {
    day: isCalendarDate(day) && day >= today && day <= addDays(today, DAYS_AHEAD) ? day : null,
    venue: /^[a-z0-9-]{1,80}$/.test(venue) ? venue : null,
    sort: SORTS.find((sort) => sort === search.get("sort")) ?? "soonest",
    page: /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1,
    board: BOARDS.find((board) => board === search.get("board")) ?? "record",
  };
}

/** Returns the URL of the home page with this filter. Defaults are left out, except of the list without a filter. */
export function buildListPath({ day, venue, sort, page, board }: ListFilter): string {
  const search = new URLSearchParams();
  if (day) search.set("day", day);
  if (venue) search.set("venue", venue);
  if (sort !== "soonest") search.set("sort", sort);
  if (page > 1) search.set("page", `${page}`);
  if (board !== "record") search.set("board", board);
  const query = search.toString();
  return query ? `/?${query}` : LIST_PATH;
}
