import { readMemberSince, type Viewer } from "#accounts/accounts.server.ts";
import { computeTrackRecord } from "#domain/track-record.ts";
import { listOrders, listUnspentCoins, readPurchases } from "#payments/payments.server.ts";
import { countOpened, readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet, type StatementLine } from "#wallet/wallet.server.ts";
import { readRaceCardsOfStatement } from "../statement-race-cards.server.ts";

const LATEST_COUNT = 10;
const STATEMENT_PAGE_SIZE = 20;

/** An opened race card with the results of its races so far. */
export type OpenedRaceCardRow = {
  raceCardId: string;
  venueName: string;
  raceDate: string;
  creatorName: string;
  openedAt: Date;
  races: number;
  won: number;
  settled: number;
};

/** A line of the statement, with the race card that it paid for, if any. */
export type ProfileStatementLine = Omit<StatementLine, "reference"> & {
  raceCard: StatementRaceCard | null;
};
type StatementRaceCard = { raceCardId: string; name: string };

/** Reads the data of the viewer's own profile page. */
export async function readProfile(viewer: Viewer, beforeLineId: number | null) {
  const [memberSince, wallet, openedTotals, purchases, delayedOrders, latestRaceCards, statement] =
    await Promise.all([
      readMemberSince(viewer.id),
      readWallet(viewer.id),
      countOpened(viewer.id),
      readPurchases(viewer.id, { limit: LATEST_COUNT }),
      listOrders(viewer.id, { status: "delayed", limit: LATEST_COUNT }),
      readOpenedCards(viewer.id, { limit: LATEST_COUNT }),
      readStatement(viewer.id, { beforeId: beforeLineId ?? undefined, limit: STATEMENT_PAGE_SIZE }),
    ]);
  const unspentCoins = purchases.some(({ isCancellable }) => isCancellable)
    ? await listUnspentCoins(viewer.id, wallet.balanceCoins)
    : [];
  const [statementRaceCards, summaries] = await Promise.all([
    readRaceCardsOfStatement(statement.lines),
    readRaceCardSummaries(latestRaceCards.cards.map(({ raceCardId }) => raceCardId)),
  ]);
  return {
    name: viewer.name,
    email: viewer.email,
    emailVerified: viewer.emailVerified,
    roles: viewer.roles,
    memberSince,
    wallet,
    openedTotals,
    purchases: purchases.map(
      ({ id, coinPackTitle, coins, amountCents, refundedCents, boughtAt, isCancellable }) => ({
        id,
        isCancellable:
          isCancellable &&
          !wallet.isFrozen &&
          unspentCoins.some(({ purchaseId, isRefundable }) => isRefundable && purchaseId === id),
        coinPackTitle,
        coins,
        amountCents,
        refundedCents,
        boughtAt,
      }),
    ),
    delayedOrders: delayedOrders.map(
      ({ id, coinPackTitle, amountCents, sessionId, orderedAt }) => ({
        id,
        coinPackTitle,
        amountCents,
        sessionId,
        orderedAt,
      }),
    ),
    openedRaceCards: latestRaceCards.cards.flatMap((raceCard): OpenedRaceCardRow[] => {
      const summary = summaries.get(raceCard.raceCardId);
      if (!summary) return [];
      const { won, settled } = computeTrackRecord(raceCard.tips);
      return [
        {
          raceCardId: raceCard.raceCardId,
          venueName: summary.venue.name,
          raceDate: summary.raceDate,
          creatorName: summary.creator.name,
          openedAt: raceCard.openedAt,
          races: raceCard.tips.length,
          won,
          settled,
        },
      ];
    }),
    statement: {
      lines: statement.lines.map((statementLine): ProfileStatementLine => {
        const { reference: _, ...line } = statementLine;
        const summary = statementRaceCards.get(line.id);
        return {
          ...line,
          raceCard: summary
            ? { raceCardId: summary.id, name: `${summary.venue.name}, ${summary.creator.name}` }
            : null,
        };
      }),
      isFirst: beforeLineId === null,
      next: statement.next,
    },
  };
}

export type Profile = Awaited<ReturnType<typeof readProfile>>;
