import { findViewerByRequest } from "#accounts/accounts.server.ts";
import { findCreator } from "#creators/creators.server.ts";
import { dateAt, timeAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { type OwnRaceCard, readOwnRaceCards } from "#tips/tips.server.ts";
import { type Earning, readEarnings } from "./earnings.server.ts";
import { parseMonth, readRaceCardsOfMonth } from "./statement-month.server.ts";

const PAGE_SIZE = 500;
const HEADINGS = [
  "Sold on",
  "Sold at",
  "Venue",
  "Race date",
  "Races",
  "Coins",
  "Earned (R)",
  "Status",
  "Payable from",
  "Paid on",
  "Reversed for",
  "Less for void races (R)",
  "Less for refunded or lost payments (R)",
  "Reversed (R)",
];

/**
 * Returns the signed-in creator's earnings as a CSV file, one row per sale, newest first: all of them, or those of the
 * race cards of one month (`?month=2026-11`). A reversed sale has earned nothing, so that the column adds up to what
 * the page shows.
 */
export async function earningsStatement(c: HttpContext): Promise<Response> {
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "You are not logged in.");
  if (!(await findCreator(viewer.id)))
    return jsonError(c, 403, "Only tipsters and analysts can download earnings.");
  const monthText = c.req.query("month");
  if (monthText === undefined)
    return createCsvResponse(
      `furlong-earnings-${dateAt(now())}`,
      HEADINGS,
      readPages(viewer.id, null),
    );
  const month = parseMonth(monthText);
  if (!month) return jsonError(c, 400, "The month must be written like 2026-11.");
  const raceCards = await readRaceCardsOfMonth(viewer.id, month);
  return createCsvResponse(
    `furlong-earnings-${month.slice(0, 7)}`,
    HEADINGS,
    readPages(
      viewer.id,
      raceCards.map(({ id }) => id),
    ),
  );
}

async function* readPages(
  creatorId: string,
  raceCardIds: string[] | null,
): AsyncGenerator<(string | number)[][]> {
  let beforeSaleId: number | null = null;
  do {
    const page = await readEarnings(creatorId, { raceCardIds, beforeSaleId, limit: PAGE_SIZE });
    const raceCards = await readOwnRaceCards(creatorId, [
      ...new Set(page.earnings.map((earning) => earning.raceCardId)),
    ]);
    yield page.earnings.map((earning) => toCells(earning, raceCards.get(earning.raceCardId)));
    beforeSaleId = page.next;
  } while (beforeSaleId !== null);
}

function toCells(earning: Earning, raceCard: OwnRaceCard | undefined): (string | number)[] {
  const isReversed = earning.status === "reversed";
  const reducedCents = earning.fullEarningCents - earning.amountCents;
  return [
    dateAt(earning.soldAt),
    timeAt(earning.soldAt),
    raceCard?.venueName ?? "",
    raceCard?.raceDate ?? "",
    earning.raceCount,
    earning.coins,
    formatRands(isReversed ? 0 : earning.amountCents),
    earning.status,
    dateAt(earning.payableAt),
    earning.paidAt ? dateAt(earning.paidAt) : "",
    earning.reversalReason ?? "",
    earning.reducedFor === "void" ? formatRands(reducedCents) : "",
    earning.reducedFor === "lost" ? formatRands(reducedCents) : "",
    isReversed ? formatRands(earning.amountCents) : "",
  ];
}

function formatRands(cents: number): string {
  return (cents / 100).toFixed(2);
}
