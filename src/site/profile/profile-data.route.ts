import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { readMemberSince, requireViewer } from "#identity/identity.server.ts";
import { readPurchases } from "#payments/payments.server.ts";
import { readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";

const PAGE = 200;
const ALL = 1_000_000;

/** GET /profile/data: the viewer's personal data as a JSON file. */
export async function loader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<Response> {
  const viewer = await requireViewer(context as RouterContextProvider, request);
  const [memberSince, wallet, purchases, openedRaceCards, statement] = await Promise.all([
    readMemberSince(viewer.id),
    readWallet(viewer.id),
    readPurchases(viewer.id, { limit: ALL }),
    readAllOpenedCards(viewer.id),
    readFullStatement(viewer.id),
  ]);
  const { name, email, emailVerified, roles } = viewer;
  const file = {
    account: { name, email, emailVerified, roles, memberSince },
    wallet,
    purchases,
    openedRaceCards,
    statement,
  };
  return new Response(JSON.stringify(file, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="furlong-my-data.json"',
      "Cache-Control": "no-store",
    },
  });
}

async function readAllOpenedCards(userId: string) {
  const all = [];
  let beforeSaleId: number | undefined;
  do {
    const { cards, next } = await readOpenedCards(userId, { beforeSaleId, limit: PAGE });
    const summaries = await readRaceCardSummaries(cards.map((card) => card.raceCardId));
    for (const { raceCardId, openedAt, tips } of cards) {
      const summary = summaries.get(raceCardId);
      all.push({
        venue: summary?.venue.name,
        raceDate: summary?.raceDate,
        tipster: summary?.creator.name,
        openedAt,
        tips,
      });
    }
    beforeSaleId = next ?? undefined;
  } while (beforeSaleId !== undefined);
  return all;
}

async function readFullStatement(userId: string) {
  const all = [];
  let beforeId: number | undefined;
  do {
    const { lines, next } = await readStatement(userId, { beforeId, limit: PAGE });
    all.push(...lines);
    beforeId = next ?? undefined;
  } while (beforeId !== undefined);
  return all;
}
