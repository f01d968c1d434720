import { dateAt, instantAt } from "#domain/calendar.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { withClockAt } from "#platform/clock.server.ts";
import type { Venue } from "#racing/racing.server.ts";
import { findOpenedCards, unlockRaceCardAs } from "#sales/sales.server.ts";
import { readRaceCardsOfDays } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { dice } from "./dice.ts";
import { keyOf } from "./make-cards.server.ts";
import type { People } from "./make-people.server.ts";
import type { DemoBuyer } from "./people.ts";
import { type PlannedSale, salesFor } from "./sales.ts";
import { withLanes } from "./with-lanes.ts";
import type { DemoDay } from "./world.ts";

/** What a demo punter buys: mostly small packs, the keen ones larger. */
const PACKS = ["starter_4", "value_8", "value_8", "pro_12", "pro_12", "high_roller_20"];
const KEEN_PACKS = ["pro_12", "high_roller_20", "high_roller_20", "thunder_strike_40"];

/**
 * Lets the demo's punters open what they were going to open before today began, one after the other as
 * it happened, buying coins where they run out. Today is left to whoever tries the demo.
 */
export async function makeSales(
  days: readonly DemoDay[],
  people: People,
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const published = await readRaceCardsOfDays(first.raceDate, last.raceDate);
  const ids = new Map(
    published.map((card) => [keyOf(card.creatorId, card.venueId, card.raceDate), card.raceCardId]),
  );
  const idOf = ({ card: { creator, meeting } }: PlannedSale) =>
    ids.get(
      keyOf(
        people.get(creator.mailbox) ?? "",
        venues.get(meeting.venueSlug)?.id ?? "",
        meeting.raceDate,
      ),
    );

  const buyers = new Map<DemoBuyer, Buyer>();
  const opened = published.map((card) => card.raceCardId);
  const today = instantAt(dateAt(at));
  const sales = days
    .flatMap((day) => salesFor(day.raceDate, day.cards))
    .filter((sale) => sale.at < today)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const wishes: Wish[] = [];
  for (const sale of sales) {
    const raceCardId = idOf(sale);
    const userId = people.get(sale.buyer.mailbox);
    if (!raceCardId || !userId) continue;
    const buyer = buyers.get(sale.buyer) ?? (await buyerOf(userId, opened));
    buyers.set(sale.buyer, buyer);
    if (!buyer.opened.has(raceCardId)) wishes.push({ sale, raceCardId, buyer });
  }
  for (const ofDay of Map.groupBy(wishes, (wish) => dateAt(wish.sale.at)).values()) {
    const byBuyer = Map.groupBy(ofDay, (wish) => wish.buyer);
    await withLanes([...byBuyer.values()], (own) => own[0]?.buyer.userId ?? "", buyCoinsFor);
    // Sales are numbered as they come, and lists of them go by the number.
    for (const wish of ofDay) await open(wish);
  }
}

type Wish = { sale: PlannedSale; raceCardId: string; buyer: Buyer };
type Buyer = { userId: string; coins: number; opened: Set<string> };

async function buyerOf(userId: string, raceCardIds: string[]): Promise<Buyer> {
  const { balanceCoins } = await readWallet(userId);
  return { userId, coins: balanceCoins, opened: await findOpenedCards(userId, raceCardIds) };
}

/** Buys what a punter's cards of a day cost, as far as it is not in the wallet, just before the first. */
async function buyCoinsFor(wishes: Wish[]): Promise<void> {
  const [first] = wishes;
  if (!first) return;
  const { buyer, sale } = first;
  for (let nth = 0; buyer.coins < wishes.length * CARD_PRICE_COINS; nth += 1) {
    const chance = dice(sale.at.getTime(), sale.buyer.mailbox, "buys", nth);
    await makeDemoPurchase({
      userId: buyer.userId,
      packageId: chance.pick(sale.buyer.keenness > 0.5 ? KEEN_PACKS : PACKS),
      at: new Date(sale.at.getTime() - chance.between(20, 110) * 1000),
    });
    buyer.coins = (await readWallet(buyer.userId)).balanceCoins;
  }
}

async function open({ sale, raceCardId, buyer }: Wish): Promise<void> {
  const unlock = await withClockAt(sale.at, () => unlockRaceCardAs(buyer.userId, { raceCardId }));
  if (!unlock.ok) return;
  buyer.opened.add(raceCardId);
  buyer.coins = unlock.balanceCoins;
}
