import { dateAt, instantAt } from "#domain/calendar.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { withClockAt } from "#platform/clock.server.ts";
import type { Venue } from "#racing/racing.server.ts";
import { findOpenedCards, unlockRaceCardAs } from "#sales/sales.server.ts";
import { readRaceCardsBetween } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { People } from "./make-people.server.ts";
import { raceCardKey } from "./make-race-cards.server.ts";
import { type DemoBuyer, PUNTER } from "./people.ts";
import { type PlannedSale, planPunterSales, planSales } from "./planned-sales.ts";
import { seededRandom } from "./random.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

/** The coin packs that most punters buy. */
const PACKS = ["starter_4", "value_8", "value_8", "pro_12", "pro_12", "high_roller_20"];
const KEEN_PACKS = ["pro_12", "high_roller_20", "high_roller_20", "thunder_strike_40"];

/** The packs with the coins for one, two and three race cards. */
const EXACT_PACKS = ["starter_4", "value_8", "pro_12"];

/**
 * Opens the planned race cards of the days before today in chronological order, and buys coins when
 * a balance is too low. Only the punter opens race cards for today, so that visitors can make the other sales.
 */
export async function makeSales(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const published = await readRaceCardsBetween(first.raceDate, last.raceDate);
  const raceCardIds = new Map(
    published.map((card) => [
      raceCardKey(card.creatorId, card.venueId, card.raceDate),
      card.raceCardId,
    ]),
  );
  const findRaceCardId = ({ card: { creator, meeting } }: PlannedSale) =>
    raceCardIds.get(
      raceCardKey(
        people.get(creator.accountName) ?? "",
        venues.get(meeting.venueSlug)?.id ?? "",
        meeting.raceDate,
      ),
    );

  const buyers = new Map<DemoBuyer, Buyer>();
  const opened = published.map((card) => card.raceCardId);
  const today = instantAt(dateAt(at));
  const sales = days
    .flatMap(({ raceDate, cards }) => [
      ...planSales(raceDate, cards),
      ...planPunterSales(raceDate, cards, { isToday: raceDate === dateAt(at) }),
    ])
    .filter(({ buyer, at: soldAt }) => (buyer === PUNTER ? soldAt <= at : soldAt < today))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const unlocks: PlannedUnlock[] = [];
  for (const sale of sales) {
    const raceCardId = findRaceCardId(sale);
    const userId = people.get(sale.buyer.accountName);
    if (!raceCardId || !userId) continue;
    const buyer = buyers.get(sale.buyer) ?? (await readBuyer(userId, opened));
    buyers.set(sale.buyer, buyer);
    if (!buyer.opened.has(raceCardId)) unlocks.push({ sale, raceCardId, buyer });
  }
  for (const unlocksOfDay of Map.groupBy(unlocks, (unlock) => dateAt(unlock.sale.at)).values()) {
    const byBuyer = Map.groupBy(unlocksOfDay, (unlock) => unlock.buyer);
    await runInOrderPerKey(
      [...byBuyer.values()],
      (buyerUnlocks) => buyerUnlocks[0]?.buyer.userId ?? "",
      buyCoinsFor,
    );
    // Sales must be created in chronological order, because lists sort them by id.
    for (const unlock of unlocksOfDay) await openRaceCard(unlock);
  }
}

type PlannedUnlock = { sale: PlannedSale; raceCardId: string; buyer: Buyer };
type Buyer = { userId: string; coins: number; opened: Set<string> };

async function readBuyer(userId: string, raceCardIds: string[]): Promise<Buyer> {
  const { balanceCoins } = await readWallet(userId);
  return { userId, coins: balanceCoins, opened: await findOpenedCards(userId, raceCardIds) };
}

/**
 * Buys the coins that are missing for a buyer's race cards of a day, just before the first one. The coins of the punter
 * are for visitors, so the punter buys the coins for each race card.
 */
async function buyCoinsFor(unlocks: PlannedUnlock[]): Promise<void> {
  const [first] = unlocks;
  if (!first) return;
  const { buyer, sale } = first;
  if (sale.buyer === PUNTER) {
    await makeDemoPurchase({
      userId: buyer.userId,
      coinPackId: EXACT_PACKS[unlocks.length - 1] ?? "pro_12",
      at: new Date(sale.at.getTime() - 45_000),
    });
    return;
  }
  for (let count = 0; buyer.coins < unlocks.length * CARD_PRICE_COINS; count += 1) {
    const random = seededRandom(sale.at.getTime(), sale.buyer.accountName, "buys", count);
    await makeDemoPurchase({
      userId: buyer.userId,
      coinPackId: random.pick(sale.buyer.keenness > 0.5 ? KEEN_PACKS : PACKS),
      at: new Date(sale.at.getTime() - random.between(20, 110) * 1000),
    });
    buyer.coins = (await readWallet(buyer.userId)).balanceCoins;
  }
}

async function openRaceCard({ sale, raceCardId, buyer }: PlannedUnlock): Promise<void> {
  const unlock = await withClockAt(sale.at, () => unlockRaceCardAs(buyer.userId, { raceCardId }));
  if (!unlock.ok) return;
  buyer.opened.add(raceCardId);
  buyer.coins = unlock.balanceCoins;
}
