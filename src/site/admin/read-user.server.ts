import { findCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { readAccount } from "#identity/identity.server.ts";
import { listOrders } from "#payments/payments.server.ts";
import { readBankDetails, readEarningsSummary } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { listEmailsTo } from "#platform/mail/list-emails.server.ts";
import { countOpened, readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";

const PAGE_SIZE = 8;

/** The paging cursors of the lists on a user's page. */
export type UserPageCursors = {
  statement: number | null;
  cards: number | null;
  emails: string | null;
};

/** Reads the data of a user's admin page. Returns null for an unknown id. */
export async function readUser(userId: string, cursors: UserPageCursors) {
  if (!isId(userId)) return null;
  const account = await readAccount(userId, now());
  if (!account) return null;
  const [wallet, statement, orders, openedCounts, cards, emails, creator] = await Promise.all([
    readWallet(userId),
    readStatement(userId, { beforeId: cursors.statement ?? undefined, limit: PAGE_SIZE }),
    listOrders(userId, { limit: PAGE_SIZE }),
    countOpened(userId),
    readOpenedCards(userId, { beforeSaleId: cursors.cards ?? undefined, limit: PAGE_SIZE }),
    listEmailsTo({ userId, email: account.email }, { cursor: cursors.emails, limit: PAGE_SIZE }),
    findCreator(userId),
  ]);
  const summaries = await readRaceCardSummaries(cards.cards.map((raceCard) => raceCard.raceCardId));
  return {
    account,
    wallet,
    statement,
    orders,
    opened: openedCounts,
    cards: {
      next: cards.next,
      // The contents are visible to the buyer only.
      rows: cards.cards.map((raceCard) => {
        const summary = summaries.get(raceCard.raceCardId);
        return {
          saleId: raceCard.saleId,
          raceCardId: raceCard.raceCardId,
          openedAt: raceCard.openedAt,
          races: raceCard.tips.length,
          venueName: summary?.venue.name ?? "",
          raceDate: summary?.raceDate ?? "",
          creatorName: summary?.creator.name ?? "",
        };
      }),
    },
    emails: {
      next: emails.next,
      rows: emails.emails.map(({ id, kind, subject, createdAt, sentAt, failedAt, failure }) => ({
        id,
        kind,
        subject,
        createdAt,
        sentAt,
        failedAt,
        failure,
      })),
    },
    creator: creator
      ? {
          ...creator,
          earnings: await readEarningsSummary(userId),
          bankDetails: await readBankDetails(userId),
        }
      : null,
  };
}

export type UserDetails = NonNullable<Awaited<ReturnType<typeof readUser>>>;
