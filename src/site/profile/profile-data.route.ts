import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { readMemberSince, requireViewer } from "#identity/identity.server.ts";
import { readPurchases } from "#payments/payments.server.ts";
import { readCheckpointEmailSetting } from "#proof/proof.server.ts";
import { readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";

const PAGE_SIZE = 200;
const MAX_PURCHASES = 1_000_000;

/** GET /profile/data: the viewer's personal data as a JSON file. */
export async function loader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<Response> {
  const viewer = await requireViewer(context as RouterContextProvider, request);
  const [memberSince, wallet, purchases, openedRaceCards, statement, wantsCheckpointEmail] =
    await Promise.all([
      readMemberSince(viewer.id),
      readWallet(viewer.id),
      readPurchases(viewer.id, { limit: MAX_PURCHASES }),
      readAllOpenedRaceCards(viewer.id),
      readFullStatement(viewer.id),
      readCheckpointEmailSetting(viewer.id),
    ]);
  const { name, email, emailVerified, roles } = viewer;
  const personalData = {
    account: { name, email, emailVerified, roles, memberSince },
    emails: { dayCheckpoint: wantsCheckpointEmail },
    wallet,
    purchases,
    openedRaceCards,
    statement,
  };
  return new Response(JSON.stringify(personalData, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="furlong-my-data.json"',
      "Cache-Control": "no-store",
    },
  });
}

async function readAllOpenedRaceCards(userId: string) {
  const rows = [];
  let beforeSaleId: number | undefined;
  do {
    const { cards, next } = await readOpenedCards(userId, { beforeSaleId, limit: PAGE_SIZE });
    const summaries = await readRaceCardSummaries(cards.map((raceCard) => raceCard.raceCardId));
    for (const { raceCardId, openedAt, tips } of cards) {
      const summary = summaries.get(raceCardId);
      rows.push({
        venue: summary?.venue.name,
        raceDate: summary?.raceDate,
        tipster: summary?.creator.name,
        openedAt,
        tips,
      });
    }
    beforeSaleId = next ?? undefined;
  } while (beforeSaleId !== undefined);
  return rows;
}

async function readFullStatement(userId: string) {
  const rows = [];
  let beforeId: number | undefined;
  do {
    const { lines, next } = await readStatement(userId, { beforeId, limit: PAGE_SIZE });
    rows.push(...lines);
    beforeId = next ?? undefined;
  } while (beforeId !== undefined);
  return rows;
}
