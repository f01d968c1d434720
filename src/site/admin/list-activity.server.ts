import { listUsers, readUsers } from "#accounts/accounts.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { listPurchases } from "#payments/payments.server.ts";
import { listNewestSales } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";

const MAX_EVENTS = 8;

/** A purchase, an opened race card or a new account, with the page about it. */
export type ActivityEvent = { key: string; at: Date; text: string; path: string };

/** Returns the newest purchases, opened race cards and accounts together, newest first. */
export async function listActivity(): Promise<ActivityEvent[]> {
  const limit = MAX_EVENTS;
  const [{ purchases }, sales, { users }] = await Promise.all([
    listPurchases({ limit }),
    listNewestSales(limit),
    listUsers({ limit }),
  ]);
  const [people, raceCards] = await Promise.all([
    readUsers([
      ...new Set([
        ...purchases.map(({ userId }) => userId),
        ...sales.map(({ buyerId }) => buyerId),
      ]),
    ]),
    readRaceCardSummaries([...new Set(sales.map(({ raceCardId }) => raceCardId))]),
  ]);
  const nameOf = (userId: string) => people.get(userId)?.name || "A closed account";
  return [
    ...sales.flatMap(({ id, buyerId, raceCardId, soldAt }) => {
      const raceCard = raceCards.get(raceCardId);
      return raceCard
        ? {
            key: `sale ${id}`,
            at: soldAt,
            text: `${nameOf(buyerId)} opened ${raceCard.venue.name}, ${formatDate(raceCard.raceDate, "short")}, by ${raceCard.creator.name}`,
            path: `/admin/race-cards/${raceCardId}`,
          }
        : [];
    }),
    ...purchases.map(({ id, userId, amountCents, boughtAt }) => ({
      key: `purchase ${id}`,
      at: boughtAt,
      text: `${nameOf(userId)} paid ${formatCents(amountCents)}`,
      path: `/admin/purchases/${id}`,
    })),
    ...users.map(({ id, name, emailVerified, createdAt }) => ({
      key: `account ${id}`,
      at: createdAt,
      text: `${name} signed up${emailVerified ? "" : ", not confirmed"}`,
      path: `/admin/users/${id}`,
    })),
  ]
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, MAX_EVENTS);
}
