import { data } from "react-router";
import { listSessionStarts, readAccount } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { formatDate, formatInstant } from "#domain/calendar.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { findPurchase, type ListedPurchase } from "../purchases.server.ts";
import { listPurchaseRefunds } from "../refunds/refund-purchase.server.ts";
import type { Route } from "./+types/evidence-csv.route.ts";

const HEADINGS = ["When", "What", "Details"];
/** How many of the buyer's latest log ins and opened race cards are read. */
const MAX_EVENTS = 200;

type Event = { at: Date; what: string; details: string };

/**
 * Returns what a bank asks for in a dispute, as a CSV file: the buyer's consent, the order, log ins, the race cards
 * that the buyer opened since, and refunds. Contains no tip.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const purchase = await findPurchase(params.purchaseId);
  if (!purchase) throw data(null, { status: 404 });
  const events = await listEvents(purchase);
  return createCsvResponse(`furlong-evidence-${purchase.id}`, HEADINGS, toPages(events));
}

async function* toPages(events: Event[]): AsyncGenerator<string[][]> {
  yield events.map(({ at, what, details }) => [formatInstant(at), what, details]);
}

async function listEvents(purchase: ListedPurchase): Promise<Event[]> {
  const { userId, boughtAt } = purchase;
  const [account, sessions, { cards }, refunds] = await Promise.all([
    readAccount(userId, now()),
    listSessionStarts(userId, { before: null, limit: MAX_EVENTS }),
    readOpenedCards(userId, { limit: MAX_EVENTS }),
    listPurchaseRefunds(purchase.id),
  ]);
  // A guest's purchase opens its race card a moment before it is stored.
  const opened = cards.filter(
    ({ raceCardId, openedAt }) => openedAt >= boughtAt || raceCardId === purchase.openedRaceCardId,
  );
  const raceCards = await readRaceCardSummaries(opened.map(({ raceCardId }) => raceCardId));
  const events: Event[] = [
    {
      at: boughtAt,
      what: "Paid",
      details: `${purchase.coinPackTitle}, ${formatCoins(purchase.coins)}, ${formatRand(purchase.amountCents)}, order ${purchase.orderId}, payment ${purchase.paymentId ?? "not known"}`,
    },
    ...sessions.map(({ startedAt: at }) => ({ at, what: "Logged in", details: "" })),
    ...opened.map(({ raceCardId, openedAt: at, tips }) => {
      const raceCard = raceCards.get(raceCardId);
      const name = raceCard
        ? `${raceCard.venue.name}, ${formatDate(raceCard.raceDate)}, by ${raceCard.creator.name}`
        : raceCardId;
      return { at, what: "Race card opened", details: `${name}, races: ${tips.length}` };
    }),
    ...refunds.map(({ requestedAt: at, amountCents, status }) => ({
      at,
      what: "Refund requested",
      details: `${formatRand(amountCents)}, ${status}`,
    })),
  ];
  if (account) {
    const { createdAt: at, agreedAt, name, email, emailVerified } = account;
    const details = `${name}, ${email}, ${emailVerified ? "confirmed" : "not confirmed"}`;
    events.push({ at, what: "Account created", details });
    if (agreedAt)
      events.push({ at: agreedAt, what: "Agreed to the terms of service", details: "" });
  }
  return events.sort((a, b) => a.at.getTime() - b.at.getTime());
}
