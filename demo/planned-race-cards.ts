import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { Confidence, TipType } from "#domain/tip.ts";
import { createAnalysisWriter } from "./analysis.ts";
import type { DemoRace, Meeting } from "./meetings.ts";
import { CREATORS, type DemoCreator } from "./people.ts";
import { pickWeighted, planPrices, toChance } from "./planned-prices.ts";
import { type Random, seededRandom } from "./random.ts";

/** A race card that a demo creator publishes. */
export type PlannedRaceCard = {
  creator: DemoCreator;
  meeting: Meeting;
  publishedAt: Date;
  races: readonly DemoRace[];
};

export type PlannedTip = {
  raceNumber: number;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  confidence: Confidence;
  analysis: string;
  raceTime: string;
};

/** The number of finishing positions that count as placed. */
const PLACES = 3;

/**
 * Returns the race cards of a day. Every seed gives at least four race cards at three venues that
 * are published early on the day before, one of them with eight races and one with a single tip.
 */
export function planRaceCards(
  raceDate: CalendarDate,
  meetings: readonly Meeting[],
): PlannedRaceCard[] {
  const raceCards: PlannedRaceCard[] = [];
  const covered = new Set<string>();
  for (const creator of CREATORS) {
    const coveredMeetings = meetings
      .filter((meeting) => creator.venues.includes(meeting.venueSlug))
      .sort((a, b) => creator.venues.indexOf(a.venueSlug) - creator.venues.indexOf(b.venueSlug));
    for (const [index, meeting] of coveredMeetings.entries()) {
      if (creator.coverage === "one" && index > 0) break;
      const random = seededRandom(raceDate, meeting.venueSlug, creator.displayName);
      // The first regular creator at each venue publishes every day.
      const isRegular = !creator.hasWorkForVisitors && !creator.sinceDays;
      const mustPublish =
        isRegular && creator.coverage !== "one" && !covered.has(meeting.venueSlug);
      if (!mustPublish && !random.chance(index === 0 ? creator.activity : creator.activity * 0.6))
        continue;
      const isMain = meeting === meetings[0];
      const races = mustPublish && isMain ? meeting.races : selectRaces(creator, meeting, random);
      if (mustPublish) covered.add(meeting.venueSlug);
      const isEarly = mustPublish || creator.coverage === "one";
      raceCards.push({
        creator,
        meeting,
        races,
        publishedAt: publishedAt(raceDate, isEarly, random),
      });
    }
  }
  return raceCards;
}

function selectRaces(
  creator: DemoCreator,
  { races }: Meeting,
  random: Random,
): readonly DemoRace[] {
  if (creator.coverage === "all") return races;
  if (creator.coverage === "one") return [random.pick(races.slice(2))];
  return random
    .shuffle(races)
    .slice(0, random.between(5, races.length))
    .sort((a, b) => a.raceNumber - b.raceNumber);
}

/**
 * Returns a time on the day before: from 05:40 to 07:00 for early race cards, from 14:00 to 21:00
 * for others.
 */
function publishedAt(raceDate: CalendarDate, isEarly: boolean, random: Random): Date {
  const earliest = instantAt(addDays(raceDate, -1), isEarly ? "05:40" : "14:00").getTime();
  const minutes = random.between(0, isEarly ? 80 : 420);
  return new Date(earliest + minutes * 60_000 + random.between(0, 59) * 1000);
}

/** Returns the tips of a card with their analyses. */
export function planTips(
  { creator, meeting, races }: PlannedRaceCard,
  venueName: string,
): PlannedTip[] {
  const { raceDate, venueSlug } = meeting;
  const write = createAnalysisWriter(
    creator.voice,
    seededRandom(raceDate, venueSlug, creator.displayName, "words"),
  );
  return races.map((race) => {
    const random = seededRandom(raceDate, venueSlug, creator.displayName, race.raceNumber);
    const tipType = random.pick(creator.types);
    const horseNumber = selectHorse(creator, meeting, race, tipType, random);
    const runner = race.field[horseNumber - 1];
    const rival = race.field.find((horse) => horse.horseNumber === race.finish[1]) ?? race.field[0];
    const namedRival = rival === runner ? race.field.find((horse) => horse !== runner) : rival;
    if (!runner || !namedRival) throw new Error(`race ${race.raceNumber} has no field`);
    const confidence = chooseConfidence(creator, random);
    return {
      raceNumber: race.raceNumber,
      horseNumber,
      horseName: runner.horseName,
      tipType,
      confidence,
      raceTime: race.time,
      analysis: write(
        {
          horse: runner.horseName,
          rival: namedRival.horseName,
          draw: runner.draw,
          runners: race.field.length,
          distance: race.distanceMetres,
          isMaiden: race.raceClass.startsWith("Maiden"),
          isHandicap: race.raceClass.endsWith("Handicap"),
          isStraight: race.isStraight,
          isPolytrack: race.surface === "polytrack",
          going: meeting.going,
          windKmh: meeting.windKmh,
          venue: venueName,
          tipType,
          confidence,
        },
        creator.coverage === "one",
      ),
    };
  });
}

function chooseConfidence(creator: DemoCreator, random: Random): Confidence {
  if (creator.coverage === "one") return random.chance(0.75) ? "high" : "medium";
  return random.pick(["high", "medium", "medium", "medium", "low", "low"]);
}

/** The share of winners that creators find beyond what the prices imply. */
const SKILL = 0.02;
const MIN_BOLDNESS = 0.2;
const MAX_BOLDNESS = 12;

/**
 * Selects a horse that wins, or is placed, with the probability given by the creator's rates. Creators with high
 * rates select favourites more often. The horse can be a later non-runner, except for creators who publish one tip,
 * because their race card would be void, and for creators with `hasWorkForVisitors`, who publish after scratchings.
 */
function selectHorse(
  creator: DemoCreator,
  meeting: Meeting,
  race: DemoRace,
  tipType: TipType,
  random: Random,
): number {
  const mayNotRun = !creator.hasWorkForVisitors && creator.coverage !== "one";
  const nonRunners = mayNotRun
    ? [race.scratched, race.withdrawn].filter((number) => number !== null)
    : [];
  if (random.chance(nonRunners.length / race.field.length)) return random.pick(nonRunners);
  const prices = planPrices(meeting, race);
  const chances = [...prices].map(([number, price]) => ({ number, chance: toChance(price) }));
  if (tipType !== "win") {
    const isPlaced = random.chance(creator.placeRate);
    const candidates = chances.filter(
      ({ number }) => race.finish.indexOf(number) < PLACES === isPlaced,
    );
    const index = pickWeighted(
      candidates.map(({ chance }) => chance),
      random,
    );
    return candidates[index]?.number ?? race.finish[0] ?? 0;
  }
  const total = chances.reduce((sum, { chance }) => sum + chance, 0);
  const fair = chances.map(({ chance }) => chance / total);
  const weights = weighByBoldness(fair, creator.winRate - SKILL);
  const expected = expectWins(weights, fair);
  const skill = Math.max(0, (creator.winRate - expected) / (1 - expected));
  if (random.chance(skill)) return race.finish[0] ?? 0;
  return chances[pickWeighted(weights, random)]?.number ?? 0;
}

/**
 * Returns the weights with which a creator selects the favourite, the second favourite and so on, so that by the
 * prices alone about `rate` of the selections win. Bolder creators select outsiders more often.
 */
function weighByBoldness(fair: readonly number[], rate: number): number[] {
  let [low, high] = [MIN_BOLDNESS, MAX_BOLDNESS];
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (expectWins(weigh(fair.length, middle), fair) > rate) low = middle;
    else high = middle;
  }
  return weigh(fair.length, low);
}

function weigh(horses: number, boldness: number): number[] {
  return Array.from({ length: horses }, (_, index) => Math.exp(-index / boldness));
}

function expectWins(weights: readonly number[], fair: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, index) => sum + (weight / total) * (fair[index] ?? 0), 0);
}
