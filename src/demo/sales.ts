import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { PlannedCard } from "./cards.ts";
import { type Dice, dice } from "./dice.ts";
import { BUYERS, type DemoBuyer } from "./people.ts";

/** A punter of the demo opens a card at an instant. */
export type PlannedSale = { buyer: DemoBuyer; card: PlannedCard; at: Date };

/** So many open the dashboard tipster's first card of a month as soon as the day begins. */
const EARLY_BIRDS = 5;

/** Who opens which cards of a day, and when; in the order of time. */
export function salesFor(raceDate: CalendarDate, cards: readonly PlannedCard[]): PlannedSale[] {
  const sales: PlannedSale[] = [];
  for (const buyer of BUYERS) {
    const chance = dice(raceDate, buyer.mailbox, "opens");
    if (!chance.chance(buyer.keenness)) continue;
    const wanted = chance.chance(0.3) ? (chance.chance(0.3) ? 3 : 2) : 1;
    for (const card of choose(cards, wanted, chance))
      sales.push({ buyer, card, at: momentFor(card, chance) });
  }
  return earlyBirds(raceDate, cards, sales).sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** So many different cards, those of a creator with more appeal more often. */
function choose(cards: readonly PlannedCard[], wanted: number, chance: Dice): PlannedCard[] {
  const left = [...cards];
  const chosen: PlannedCard[] = [];
  while (chosen.length < wanted && left.length > 0) {
    const appeal = left.reduce((sum, card) => sum + card.creator.appeal, 0);
    let roll = chance.roll() * appeal;
    const index = left.findIndex((card) => {
      roll -= card.creator.appeal;
      return roll < 0;
    });
    chosen.push(...left.splice(Math.max(0, index), 1));
  }
  return chosen;
}

/** Most decide on the morning of the day, some the evening before, some when racing has begun. */
function momentFor({ meeting, publishedAt, races }: PlannedCard, chance: Dice): Date {
  const { raceDate } = meeting;
  const lastOff = races.at(-1)?.offAt ?? instantAt(raceDate, "12:00");
  const roll = chance.roll();
  const [from, minutes] =
    roll < 0.15
      ? [instantAt(addDays(raceDate, -1), "21:10"), 140]
      : roll < 0.9
        ? [instantAt(raceDate, "07:00"), 285]
        : [instantAt(raceDate, "11:50"), 90];
  const at = from.getTime() + chance.between(0, minutes * 60) * 1000;
  const earliest = publishedAt.getTime() + 5 * 60_000;
  const latest = lastOff.getTime() - 60_000;
  return new Date(Math.max(earliest, Math.min(at, latest)));
}

/**
 * What is earned becomes payable after fourteen days, and pay day is the 15th: these sales of the 1st
 * leave the dashboard's tipster something to be paid on every day of the month.
 */
function earlyBirds(
  raceDate: CalendarDate,
  cards: readonly PlannedCard[],
  sales: PlannedSale[],
): PlannedSale[] {
  const card = cards.find((each) => each.creator.mailbox === "tipster");
  if (!raceDate.endsWith("-01") || !card) return sales;
  const birds = BUYERS.slice(0, EARLY_BIRDS).map((buyer, index) => ({
    buyer,
    card,
    at: new Date(instantAt(raceDate).getTime() + (index + 1) * 35_000),
  }));
  return [
    ...birds,
    ...sales.filter(
      (sale) => !birds.some((bird) => bird.buyer === sale.buyer && sale.card === card),
    ),
  ];
}
