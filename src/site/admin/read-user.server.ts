import { findCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { readAccount } from "#identity/identity.server.ts";
import { listOrders } from "#payments/payments.server.ts";
import { readBankDetails, readEarningsSummary } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { listMailsTo } from "#platform/mail/list-mails.server.ts";
import { countOpened, readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";

const LATEST = 8;

/** What each part of a user's page continues after: each turns its own pages. */
export type UserPageCursors = {
  statement: number | null;
  cards: number | null;
  mails: string | null;
};

/** All that the operator sees of one user; null when there is nobody of that id. */
export async function readUser(userId: string, places: UserPageCursors) {
  if (!isId(userId)) return null;
  const account = await readAccount(userId, now());
  if (!account) return null;
  const [wallet, statement, orders, opened, cards, mails, creator] = await Promise.all([
    readWallet(userId),
    readStatement(userId, { beforeId: places.statement ?? undefined, limit: LATEST }),
    listOrders(userId, { limit: LATEST }),
    countOpened(userId),
    readOpenedCards(userId, { beforeSaleId: places.cards ?? undefined, limit: LATEST }),
    listMailsTo({ userId, email: account.email }, { cursor: places.mails, limit: LATEST }),
    findCreator(userId),
  ]);
  const heads = await readRaceCardSummaries(cards.cards.map((card) => card.raceCardId));
  return {
    account,
    wallet,
    statement,
    orders,
    opened,
    cards: {
      next: cards.next,
      // What is in them is for their buyer: here they are named.
      rows: cards.cards.map((card) => {
        const head = heads.get(card.raceCardId);
        return {
          saleId: card.saleId,
          raceCardId: card.raceCardId,
          openedAt: card.openedAt,
          races: card.tips.length,
          venueName: head?.venue.name ?? "",
          raceDate: head?.raceDate ?? "",
          creatorName: head?.creator.name ?? "",
        };
      }),
    },
    mails: {
      next: mails.next,
      rows: mails.mails.map(({ id, kind, subject, createdAt, sentAt, failedAt, failure }) => ({
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
