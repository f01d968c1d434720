import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { dateAt, timeAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { getGateway } from "../gateways.server.ts";
import { type ListedPurchase, listPurchases } from "../purchases.server.ts";
import type { Route } from "./+types/purchases-csv.route.ts";
import { parsePurchasesQuery } from "./parse-purchases-query.server.ts";

const PAGE_SIZE = 500;
const HEADINGS = [
  "Bought on",
  "Bought at",
  "E-mail",
  "Coin pack",
  "Coins",
  "Paid (R)",
  "Refunded (R)",
  "Dispute",
  "Coins taken back",
  "Welcome coins",
  "Session",
  "Payment",
  "Purchase",
  "Provider",
];

/** Returns all purchases that match the filters as a CSV file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const params = { ...(await parsePurchasesQuery(request)), cursor: null, limit: PAGE_SIZE };
  return createCsvResponse(`furlong-purchases-${dateAt(now())}`, HEADINGS, readPages(params));
}

async function* readPages(
  params: Parameters<typeof listPurchases>[0],
): AsyncGenerator<(string | number)[][]> {
  let cursor: string | null = null;
  do {
    const page = await listPurchases({ ...params, cursor });
    const buyers = await readUsers(page.purchases.map((purchase) => purchase.userId));
    yield page.purchases.map((purchase) =>
      toCells(purchase, buyers.get(purchase.userId)?.email ?? ""),
    );
    cursor = page.next;
  } while (cursor !== null);
}

function toCells(purchase: ListedPurchase, email: string): (string | number)[] {
  return [
    dateAt(purchase.boughtAt),
    timeAt(purchase.boughtAt),
    email,
    purchase.coinPackTitle,
    purchase.coins,
    (purchase.amountCents / 100).toFixed(2),
    (purchase.refundedCents / 100).toFixed(2),
    purchase.disputeStatus ?? "",
    purchase.recoveredCoins,
    purchase.welcomeCoins,
    purchase.sessionId,
    purchase.paymentId ?? "",
    purchase.id,
    getGateway(purchase.provider).describe().name,
  ];
}
