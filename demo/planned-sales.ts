import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { BUYERS, type DemoBuyer, PUNTER } from "./people.ts";
import { type PlannedRaceCard, planTips } from "./planned-race-cards.ts";
import { deriveResult, findAbandonedAt } from "./planned-results.ts";
import { type Random, seededRandom } from "./random.ts";

/** A race card that a demo punter opens. */
export type PlannedSale = { buyer: DemoBuyer; card: PlannedRaceCard; at: Date };

/** The number of punters who open the demo tipster's card just after midnight on the 1st. */
const EARLY_BUYERS = 5;

/** Returns the sales of a day in chronological order. */
export function planSales(
  raceDate: CalendarDate,
  raceCards: readonly PlannedRaceCard[],
): PlannedSale[] {
  const sales: PlannedSale[] = [];
  for (const buyer of BUYERS) {
    const random = seededRandom(raceDate, buyer.accountName, "opens");
    if (!random.chance(buyer.keenness)) continue;
    const count = random.chance(0.3) ? (random.chance(0.3) ? 3 : 2) : 1;
    for (const card of chooseCards(raceCards, count, random))
      sales.push({ buyer, card, at: saleTime(card, random) });
  }
  return addEarlySales(raceDate, raceCards, sales).sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The maximum number of race cards that the punter opens on a day. */
const PUNTER_RACE_CARDS = 3;

/**
 * Returns the race cards that the punter opens on the morning of a day: today, and on some of the days before. The first
 * two agree on as many selections as possible, so that My day has
 * something to show. The balance of the punter is the same on every day.
 */
export function planPunterSales(
  raceDate: CalendarDate,
  raceCards: readonly PlannedRaceCard[],
  { isToday }: { isToday: boolean },
): PlannedSale[] {
  const random = seededRandom(raceDate, PUNTER.accountName, "opens");
  if (!isToday && !random.chance(PUNTER.keenness)) return [];
  const at = instantAt(raceDate, "07:30").getTime();
  const candidates = raceCards
    .filter(
      ({ creator, meeting, publishedAt }) =>
        !creator.hasWorkForVisitors &&
        !creator.sinceDays &&
        publishedAt.getTime() < at &&
        meeting.abandonedFrom === null,
    )
    .map((card) => ({ card, tips: planTips(card, "") }))
    // A void tip would return coins.
    .filter(({ card, tips }) => tips.every((tip) => deriveResult(card.meeting, tip) !== "void"))
    .map(({ card, tips }) => ({
      card,
      selections: new Set(
        tips.map(({ raceNumber, horseNumber }) =>
          [card.meeting.venueSlug, raceNumber, horseNumber].join(" "),
        ),
      ),
    }));
  const chosen: typeof candidates = [];
  while (chosen.length < PUNTER_RACE_CARDS && chosen.length < candidates.length) {
    const scores = candidates.map((candidate) => {
      if (chosen.includes(candidate)) return -1;
      const others = chosen.length > 0 ? chosen : candidates.filter((each) => each !== candidate);
      return Math.max(
        0,
        ...others.map(({ selections }) => countAgreements(candidate.selections, selections)),
      );
    });
    const best = candidates[scores.indexOf(Math.max(...scores))];
    if (best) chosen.push(best);
  }
  return chosen.map(({ card }, index) => ({
    buyer: PUNTER,
    card,
    at: new Date(at + index * 40_000),
  }));
}

function countAgreements(selections: Set<string>, others: Set<string>): number {
  return [...selections].filter((selection) => others.has(selection)).length;
}

/** Chooses different race cards, weighted by the appeal of their creators. */
function chooseCards(
  raceCards: readonly PlannedRaceCard[],
  count: number,
  random: Random,
): PlannedRaceCard[] {
  const candidates = [...raceCards];
  const chosen: PlannedRaceCard[] = [];
  while (chosen.length < count && candidates.length > 0) {
    const appeal = candidates.reduce((sum, card) => sum + card.creator.appeal, 0);
    let roll = random.next() * appeal;
    const index = candidates.findIndex((card) => {
      roll -= card.creator.appeal;
      return roll < 0;
    });
    chosen.push(...candidates.splice(Math.max(0, index), 1));
  }
  return chosen;
}

/**
 * Returns a time on the evening before (15 %), on the morning of the day (75 %) or after the first
 * off (10 %).
 */
function saleTime({ meeting, publishedAt, races }: PlannedRaceCard, random: Random): Date {
  const { raceDate } = meeting;
  const lastOff = races.at(-1)?.offAt ?? instantAt(raceDate, "12:00");
  const closedAt = Math.min(
    lastOff.getTime(),
    findAbandonedAt(meeting)?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const roll = random.next();
  const [startsAt, minutes] =
    roll < 0.15
      ? [instantAt(addDays(raceDate, -1), "21:10"), 140]
      : roll < 0.9
        ? [instantAt(raceDate, "07:00"), 285]
        : [instantAt(raceDate, "11:50"), 90];
  const at = startsAt.getTime() + random.between(0, minutes * 60) * 1000;
  const earliest = publishedAt.getTime() + 5 * 60_000;
  const latest = closedAt - 60_000;
  return new Date(Math.max(earliest, Math.min(at, latest)));
}

/**
 * Adds sales on the 1st of a month. Earnings become payable after 14 days and pay day is the 15th,
 * so these leave the demo tipster a payable amount on every day of the month.
 */
function addEarlySales(
  raceDate: CalendarDate,
  raceCards: readonly PlannedRaceCard[],
  sales: PlannedSale[],
): PlannedSale[] {
  const card = raceCards.find(({ creator }) => creator.accountName === "tipster");
  if (!raceDate.endsWith("-01") || !card) return sales;
  const earlySales = BUYERS.slice(0, EARLY_BUYERS).map((buyer, index) => ({
    buyer,
    card,
    at: new Date(instantAt(raceDate).getTime() + (index + 1) * 35_000),
  }));
  return [
    ...earlySales,
    ...sales.filter(
      (sale) => !earlySales.some((early) => early.buyer === sale.buyer && sale.card === card),
    ),
  ];
}
