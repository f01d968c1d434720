import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { Confidence, TipType } from "#domain/tip.ts";
import { writerOf } from "./analysis.ts";
import { type Dice, dice } from "./dice.ts";
import type { DemoRace, Meeting } from "./meetings.ts";
import { CREATORS, type DemoCreator } from "./people.ts";

/** A card that a creator of the demo writes: where, for when, published at what instant. */
export type PlannedCard = {
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

/** A horse is placed when it is among the first three. */
const PLACES = 3;

/**
 * Who writes what for the meetings of a day. Whatever the dice say, at least four cards at three venues
 * are published early on the day before, one of them with eight races and one with a single tip.
 */
export function cardsFor(raceDate: CalendarDate, meetings: readonly Meeting[]): PlannedCard[] {
  const cards: PlannedCard[] = [];
  const covered = new Set<string>();
  for (const creator of CREATORS) {
    const writesAt = meetings
      .filter((meeting) => creator.venues.includes(meeting.venueSlug))
      .sort((a, b) => creator.venues.indexOf(a.venueSlug) - creator.venues.indexOf(b.venueSlug));
    for (const [index, meeting] of writesAt.entries()) {
      if (creator.takes === "one" && index > 0) break;
      const chance = dice(raceDate, meeting.venueSlug, creator.displayName);
      // The first regular at each venue never misses a day.
      const isRegular = !creator.isIdleNow && !creator.sinceDays;
      const mustWrite = isRegular && creator.takes !== "one" && !covered.has(meeting.venueSlug);
      if (!mustWrite && !chance.chance(index === 0 ? creator.activity : creator.activity * 0.6))
        continue;
      const isMain = meeting === meetings[0];
      const races = mustWrite && isMain ? meeting.races : racesOf(creator, meeting, chance);
      if (mustWrite) covered.add(meeting.venueSlug);
      const isEarly = mustWrite || creator.takes === "one";
      cards.push({ creator, meeting, races, publishedAt: publishedAt(raceDate, isEarly, chance) });
    }
  }
  return cards;
}

function racesOf(creator: DemoCreator, { races }: Meeting, chance: Dice): readonly DemoRace[] {
  if (creator.takes === "all") return races;
  if (creator.takes === "one") return [chance.pick(races.slice(2))];
  return chance
    .shuffle(races)
    .slice(0, chance.between(5, races.length))
    .sort((a, b) => a.raceNumber - b.raceNumber);
}

/** Early is before the morning of the day before is over; the others follow until that evening. */
function publishedAt(raceDate: CalendarDate, isEarly: boolean, chance: Dice): Date {
  const from = instantAt(addDays(raceDate, -1), isEarly ? "05:40" : "14:00").getTime();
  const minutes = chance.between(0, isEarly ? 80 : 420);
  return new Date(from + minutes * 60_000 + chance.between(0, 59) * 1000);
}

/** What a creator selects in each race of a card, and the reasons they give. */
export function tipsOf({ creator, meeting, races }: PlannedCard, venueName: string): PlannedTip[] {
  const { raceDate, venueSlug } = meeting;
  const write = writerOf(creator.voice, dice(raceDate, venueSlug, creator.displayName, "words"));
  return races.map((race) => {
    const chance = dice(raceDate, venueSlug, creator.displayName, race.raceNumber);
    const tipType = chance.pick(creator.types);
    const horseNumber = selection(creator, race, tipType, chance);
    const runner = race.field[horseNumber - 1];
    const rival = race.field.find((each) => each.horseNumber === race.finish[1]) ?? race.field[0];
    const other = rival === runner ? race.field.find((each) => each !== runner) : rival;
    if (!runner || !other) throw new Error(`race ${race.raceNumber} has no field`);
    const confidence = confidenceOf(creator, chance);
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
          rival: other.horseName,
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
        creator.takes === "one",
      ),
    };
  });
}

function confidenceOf(creator: DemoCreator, chance: Dice): Confidence {
  if (creator.takes === "one") return chance.chance(0.75) ? "high" : "medium";
  return chance.pick(["high", "medium", "medium", "medium", "low", "low"]);
}

/** The creator finds a winner (or a placed horse) as often as their record says they do. */
function selection(creator: DemoCreator, race: DemoRace, tipType: TipType, chance: Dice): number {
  const counting = tipType === "win" ? 1 : PLACES;
  const isRight = chance.chance(tipType === "win" ? creator.wins : creator.places);
  const from = isRight ? race.finish.slice(0, counting) : race.finish.slice(counting);
  return chance.pick(from);
}

/** How a selection ended. */
export function resultOf(
  meeting: Meeting,
  tip: { raceNumber: number; horseNumber: number; tipType: TipType },
): "won" | "lost" {
  const race = meeting.races.find((each) => each.raceNumber === tip.raceNumber);
  const counting = tip.tipType === "win" ? 1 : PLACES;
  return race?.finish.slice(0, counting).includes(tip.horseNumber) ? "won" : "lost";
}
