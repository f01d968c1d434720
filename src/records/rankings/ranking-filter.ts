import { addDays, type CalendarDate, formatMonth, isCalendarDate } from "#domain/calendar.ts";
import { TIP_TYPES, type TipType } from "#domain/tip.ts";

/** The filter of a ranking, as parsed from the URL. */
export type ParsedRankingFilter = {
  /** `all`, `30-days` or a month, `YYYY-MM`. */
  period: string;
  /** Slug of the venue; empty for all. */
  venue: string;
  type: TipType | "";
  /** The criterion of the ranking: the win rate, or the profit at the starting price. */
  order: RankingOrder;
};

export const RANKING_ORDERS = ["win-rate", "profit"] as const;
export type RankingOrder = (typeof RANKING_ORDERS)[number];

const MONTH_COUNT = 12;
const RECENT_DAYS = 30;

/** Returns the periods that a visitor can select today, with their labels. */
export function listRankingPeriods(today: CalendarDate): { value: string; label: string }[] {
  let firstOfMonth = `${today.slice(0, 7)}-01`;
  const months = Array.from({ length: MONTH_COUNT }, () => {
    const month = { value: firstOfMonth.slice(0, 7), label: formatMonth(firstOfMonth) };
    firstOfMonth = `${addDays(firstOfMonth, -1).slice(0, 7)}-01`;
    return month;
  });
  return [
    { value: "all", label: "All time" },
    { value: "30-days", label: "Last 30 days" },
    ...months,
  ];
}

/** Parses the filter of a URL. Invalid values are replaced by the defaults. */
export function parseRankingFilter(
  search: URLSearchParams,
  { today, venues }: { today: CalendarDate; venues: readonly { slug: string }[] },
): ParsedRankingFilter {
  const period = search.get("period") ?? "";
  const venue = search.get("venue") ?? "";
  const type = search.get("type") ?? "";
  return {
    period: listRankingPeriods(today).some((option) => option.value === period) ? period : "all",
    venue: venues.some(({ slug }) => slug === venue) ? venue : "",
    type: TIP_TYPES.find((tipType) => tipType === type) ?? "",
    order: RANKING_ORDERS.find((order) => order === search.get("order")) ?? "win-rate",
  };
}

/** Parses the page number of a URL, starting at 1. */
export function parsePage(search: URLSearchParams): number {
  const page = search.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/** Returns the first and last date of a period; null for all time. */
export function toDateRange(
  period: string,
  today: CalendarDate,
): { from: CalendarDate | null; until: CalendarDate | null } {
  if (period === "30-days") return { from: addDays(today, 1 - RECENT_DAYS), until: today };
  const from = `${period}-01`;
  if (!isCalendarDate(from)) return { from: null, until: null };
  const nextMonth = `${addDays(from, 31).slice(0, 7)}-01`;
  return { from, until: addDays(nextMonth, -1) };
}
