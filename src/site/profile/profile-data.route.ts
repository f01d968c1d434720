import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { readMemberSince, requireViewer } from "#accounts/accounts.server.ts";
import { readPurchases } from "#payments/payments.server.ts";
import { createTextStream, formatJsonArray } from "#platform/http/text-stream.server.ts";
import { readCheckpointEmailSetting } from "#proof/proof.server.ts";
import { readOpenedCards, readResultsEmailSetting } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";

const PAGE_SIZE = 200;

/** GET /profile/data: the viewer's personal data as a JSON file, whose lists are read as the client consumes them. */
export async function loader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<Response> {
  const viewer = await requireViewer(context as RouterContextProvider, request);
  const [memberSince, wallet, dayCheckpoint, results] = await Promise.all([
    readMemberSince(viewer.id),
    readWallet(viewer.id),
    readCheckpointEmailSetting(viewer.id),
    readResultsEmailSetting(viewer.id),
  ]);
  const { name, email, emailVerified, roles } = viewer;
  const header = {
    account: { name, email, emailVerified, roles, memberSince },
    emails: { dayCheckpoint, results },
    wallet,
  };
  return new Response(createTextStream(formatJson(header, viewer.id)), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="furlong-my-data.json"',
      "Cache-Control": "no-store",
    },
  });
}

async function* formatJson(header: object, userId: string): AsyncGenerator<string> {
  yield JSON.stringify(header, null, 2).slice(0, -2);
  const lists = {
    purchases: readPurchasePages(userId),
    openedRaceCards: readOpenedRaceCardPages(userId),
    statement: readStatementPages(userId),
  };
  for (const [name, pages] of Object.entries(lists)) {
    yield `,\n  "${name}": `;
    yield* formatJsonArray(pages);
  }
  yield "\n}\n";
}

async function* readPurchasePages(userId: string) {
  let cursor: string | undefined;
  do {
    const page = await readPurchases(userId, { cursor, limit: PAGE_SIZE });
    yield page;
    cursor = page.length < PAGE_SIZE ? undefined : page.at(-1)?.id;
  } while (cursor !== undefined);
}

async function* readOpenedRaceCardPages(userId: string) {
  let beforeSaleId: number | undefined;
  do {
    const { cards, next } = await readOpenedCards(userId, { beforeSaleId, limit: PAGE_SIZE });
    const summaries = await readRaceCardSummaries(cards.map((raceCard) => raceCard.raceCardId));
    yield cards.map(({ raceCardId, openedAt, tips }) => {
      const summary = summaries.get(raceCardId);
      return {
        venue: summary?.venue.name,
        raceDate: summary?.raceDate,
        tipster: summary?.creator.name,
        openedAt,
        tips,
      };
    });
    beforeSaleId = next ?? undefined;
  } while (beforeSaleId !== undefined);
}

async function* readStatementPages(userId: string) {
  let beforeId: number | undefined;
  do {
    const { lines, next } = await readStatement(userId, { beforeId, limit: PAGE_SIZE });
    yield lines;
    beforeId = next ?? undefined;
  } while (beforeId !== undefined);
}
