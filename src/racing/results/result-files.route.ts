import { isCalendarDate } from "#domain/calendar.ts";
import { formatDividend, formatStartingPrice } from "#domain/race-result.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { readRaceDay } from "../race-days.server.ts";
import { findVenue } from "../venues.server.ts";
import {
  readOfficialResults,
  type StoredRaceResult,
  type StoredResultRunner,
} from "./read-results.server.ts";

const CACHE_CONTROL = "public, max-age=60";
const COLUMNS = [
  "race",
  "off",
  "status",
  "starters",
  "places_paid",
  "position",
  "number",
  "horse",
  "outcome",
  "starting_price",
  "tote_win",
  "tote_place",
  "source",
  "source_url",
  "version",
  "confirmed",
  "entered_by_one_person",
  "correction",
  "runners_declared",
];

/**
 * GET /results/:date/:file: the official results of a meeting as `<venue>.csv`. One row per runner; a race that was not
 * run has one row without a runner.
 */
export async function serveResultFile(c: HttpContext): Promise<Response> {
  const date = c.req.param("date") ?? "";
  const slug = /^([a-z0-9-]+)\.csv$/.exec(c.req.param("file") ?? "")?.[1];
  const venue = slug && isCalendarDate(date) ? await findVenue(slug) : null;
  if (!venue || venue.slug !== slug || !(await readRaceDay(venue.id, date)))
    return jsonError(c, 404, "No such meeting.");
  const results = await readOfficialResults({ venueId: venue.id, raceDate: date });
  return createCsvResponse(
    `furlong-results-${date}-${slug}`,
    COLUMNS,
    toRows(results),
    CACHE_CONTROL,
  );
}

async function* toRows(results: StoredRaceResult[]): AsyncGenerator<(string | number)[][]> {
  for (const result of results)
    yield (result.runners.length > 0 ? result.runners : [null]).map((runner) => [
      result.raceNumber,
      result.offAt?.toISOString() ?? "",
      result.status,
      result.starters ?? "",
      result.placesPaid,
      ...toCells(runner),
      result.source,
      result.sourceUrl ?? "",
      result.version,
      result.confirmedAt?.toISOString() ?? "",
      result.isEnteredByOnePerson ? "yes" : "no",
      result.reason,
      isDeclared(result),
    ]);
}

/** Whether the runners of a race that was run were declared: without them, tips are settled by number and name. */
function isDeclared({ runners, hasEnteredNames }: StoredRaceResult): "yes" | "no" | "" {
  if (runners.length === 0) return "";
  return hasEnteredNames || runners.some(({ horseName }) => horseName === null) ? "no" : "yes";
}

function toCells(runner: StoredResultRunner | null): (string | number)[] {
  if (!runner) return Array<string>(7).fill("");
  const { position, number, horseName, outcome, startingPrice } = runner;
  const { winDividendCents, placeDividendCents } = runner;
  return [
    position ?? "",
    number,
    horseName ?? "",
    outcome,
    startingPrice ? formatStartingPrice(startingPrice) : "",
    winDividendCents === null ? "" : formatDividend(winDividendCents),
    placeDividendCents === null ? "" : formatDividend(placeDividendCents),
  ];
}
