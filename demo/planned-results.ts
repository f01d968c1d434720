import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import type { ResultRunner, StartingPrice } from "#domain/race-result.ts";
import { standardPlacesPaid } from "#domain/race-result.ts";
import { settleTip } from "#domain/settlement.ts";
import type { TipType } from "#domain/tip.ts";
import type { RaceResultInput } from "#racing/racing.server.ts";
import type { DemoRace, Meeting } from "./meetings.ts";
import type { DemoCreator } from "./people.ts";
import { planPrices } from "./planned-prices.ts";
import type { PlannedRaceCard } from "./planned-race-cards.ts";
import { seededRandom } from "./random.ts";

/** The official result of a demo race, and when it is entered and confirmed. */
export type PlannedResult = {
  meeting: Meeting;
  race: DemoRace;
  /** Null for a race that was abandoned, or whose result is entered the next morning. */
  unofficialAt: Date | null;
  enteredAt: Date;
  confirmedAt: Date;
  /** The first entry. It is wrong if the result is corrected later. */
  entry: RaceResultInput;
  correction: { enteredAt: Date; confirmedAt: Date; entry: RaceResultInput } | null;
};

export const RESULT_SOURCE = "Furlong demo";
const MINUTE = 60_000;
const UNOFFICIAL_AFTER_MINUTES = 5;
const ENTERED_AFTER_MINUTES = 25;
const CONFIRMED_AFTER_MINUTES = 45;
/** After this race, results that need not be confirmed quickly are entered the next morning. */
const LAST_RACE_ENTERED_ON_THE_DAY = 4;

/** On these days of the month, a result of the main meeting is entered wrongly and corrected. */
const CORRECTED_DAYS: ReadonlySet<string> = new Set(["03", "13", "23"]);
const CORRECTED_RACE = 2;

/** All meetings of this many days have official results. */
const DAYS_WITH_ALL_RESULTS = 3;

/** Returns true for a meeting with official results. */
export function hasOfficialResults(meeting: Meeting, at: Date): boolean {
  return hasDeclaredRunners(meeting, at) && !isForgotten(meeting);
}

/**
 * Returns true for a meeting with declared runners. On older days, only the main and the abandoned meetings have
 * them, because the runners and results of all meetings would make the first start much longer.
 */
export function hasDeclaredRunners(meeting: Meeting, at: Date): boolean {
  const { raceDate, isMain, abandonedFrom } = meeting;
  return isMain || abandonedFrom !== null || raceDate > addDays(dateAt(at), -DAYS_WITH_ALL_RESULTS);
}

/**
 * Returns true for a meeting whose results nobody enters and which the tipster `longshot.lulu` forgets to mark, so
 * that visitors always find an overdue result: Scottsville, every other Sunday or so.
 */
export function isForgotten({ venueSlug, raceDate }: Meeting): boolean {
  const day = new Date(`${raceDate}T00:00:00Z`);
  return venueSlug === "scottsville" && day.getUTCDay() === 0 && day.getUTCDate() % 2 === 1;
}

/** Returns the results of a meeting by race number. `cards` are the race cards of its day. */
export function planResults(meeting: Meeting, cards: readonly PlannedRaceCard[]): PlannedResult[] {
  return meeting.races.map((race) => {
    const times = planTimes(meeting, race, cards);
    if (isAbandoned(meeting, race.raceNumber))
      return { meeting, race, ...times, entry: ABANDONED, correction: null };
    const entry = planEntry(meeting, race);
    const isCorrected =
      CORRECTED_DAYS.has(meeting.raceDate.slice(8)) &&
      meeting.isMain &&
      race.raceNumber === CORRECTED_RACE &&
      race.deadHeatAt !== 1;
    if (!isCorrected) return { meeting, race, ...times, entry, correction: null };
    const nextDay = addDays(meeting.raceDate, 1);
    return {
      meeting,
      race,
      ...times,
      entry: swapFirstTwo(entry),
      correction: {
        enteredAt: instantAt(nextDay, "08:30"),
        confirmedAt: instantAt(nextDay, "09:10"),
        entry: { ...entry, reason: "The first two horses were entered the wrong way round" },
      },
    };
  });
}

/** Returns true for a race that was not run. */
export function isAbandoned(
  { abandonedFrom }: Pick<Meeting, "abandonedFrom">,
  raceNumber: number,
): boolean {
  return abandonedFrom !== null && raceNumber >= abandonedFrom;
}

/** Returns when a meeting was abandoned, or null. */
export function findAbandonedAt({ abandonedFrom, races }: Meeting): Date | null {
  return races.find(({ raceNumber }) => raceNumber === abandonedFrom)?.offAt ?? null;
}

/**
 * Plans when the result of a race is entered and confirmed. Most results are confirmed soon after the race.
 * Creators with `hasWorkForVisitors` publish after the day, which an official result would prevent, so their races
 * are confirmed later. Some stay unconfirmed for two days, so that visitors find tips to mark and results to confirm.
 */
function planTimes(meeting: Meeting, race: DemoRace, cards: readonly PlannedRaceCard[]) {
  const { raceDate } = meeting;
  const abandonedAt = isAbandoned(meeting, race.raceNumber) ? findAbandonedAt(meeting) : null;
  const offAt = abandonedAt ?? race.offAt;
  const after = (minutes: number) => new Date(offAt.getTime() + minutes * MINUTE);
  const idleCreators = cards
    .filter(
      ({ creator, meeting: { venueSlug }, races }) =>
        creator.hasWorkForVisitors && venueSlug === meeting.venueSlug && races.includes(race),
    )
    .map(({ creator }) => creator);
  const nextDay = addDays(raceDate, 1);
  const isLastRace = race === meeting.races.at(-1);
  const waits = idleCreators.some(({ kind }) =>
    kind === "tipster" ? race.raceNumber > LAST_RACE_ENTERED_ON_THE_DAY : isLastRace,
  );
  const isEnteredOnTheDay =
    idleCreators.length === 0 ||
    abandonedAt !== null ||
    race.raceNumber <= LAST_RACE_ENTERED_ON_THE_DAY;
  return {
    unofficialAt: isEnteredOnTheDay && !abandonedAt ? after(UNOFFICIAL_AFTER_MINUTES) : null,
    enteredAt: isEnteredOnTheDay ? after(ENTERED_AFTER_MINUTES) : instantAt(nextDay, "06:05"),
    confirmedAt:
      idleCreators.length === 0
        ? after(CONFIRMED_AFTER_MINUTES)
        : waits
          ? instantAt(addDays(raceDate, 2), "20:30")
          : instantAt(nextDay, "06:30"),
  };
}

const ABANDONED: RaceResultInput = {
  status: "abandoned",
  time: null,
  starters: null,
  placesPaid: null,
  source: RESULT_SOURCE,
  sourceUrl: null,
  runners: [],
  reason: "",
};

function planEntry(meeting: Meeting, race: DemoRace): RaceResultInput {
  return {
    ...ABANDONED,
    status: "official",
    placesPaid: standardPlacesPaid(race.finish.length),
    runners: planRunners(meeting, race),
  };
}

/** Returns the runners in their finishing order, then those without a position. */
function planRunners(meeting: Meeting, race: DemoRace): ResultRunner[] {
  const { finish, scratched, withdrawn, deadHeatAt, lastOutcome } = race;
  const prices = planPrices(meeting, race);
  const placesPaid = standardPlacesPaid(finish.length);
  const runners = finish.map((number, index): ResultRunner => {
    const isLast = index === finish.length - 1;
    const position = index === deadHeatAt ? index : index + 1;
    const startingPrice = prices.get(number) ?? null;
    const winners = deadHeatAt === 1 ? 2 : 1;
    return {
      number,
      outcome: isLast ? lastOutcome : "finished",
      position: isLast && lastOutcome !== "finished" ? null : position,
      startingPrice,
      winDividendCents: position === 1 ? computeWinDividend(startingPrice, winners) : null,
      placeDividendCents: position <= placesPaid ? computePlaceDividend(startingPrice) : null,
    };
  });
  const nonRunners = [scratched, withdrawn].filter((number) => number !== null);
  return [
    ...runners,
    ...nonRunners.map(
      (number): ResultRunner => ({
        number,
        outcome: "non-runner",
        position: null,
        startingPrice: null,
        winDividendCents: null,
        placeDividendCents: null,
      }),
    ),
  ];
}

/** The tote pays less than the starting price, in steps of 10 cents, and shares a dead heat. */
function computeWinDividend(price: StartingPrice | null, winners: number): number | null {
  if (!price) return null;
  const odds = (price.numerator / price.denominator) * 0.9;
  return Math.max(100, Math.round(((odds + 1) * 10) / winners) * 10);
}

function computePlaceDividend(price: StartingPrice | null): number | null {
  if (!price) return null;
  return 100 + Math.max(10, Math.round((price.numerator / price.denominator) * 2) * 10);
}

function swapFirstTwo(entry: RaceResultInput): RaceResultInput {
  const [first, second, ...rest] = entry.runners;
  if (!first || !second) return entry;
  const { number: firstNumber, startingPrice: firstPrice } = first;
  return {
    ...entry,
    runners: [
      { ...first, number: second.number, startingPrice: second.startingPrice },
      { ...second, number: firstNumber, startingPrice: firstPrice },
      ...rest,
    ],
  };
}

/** Returns the result of a tip according to the settlement rules; null if its race was not run. */
export function deriveResult(
  meeting: Meeting,
  tip: { raceNumber: number; horseNumber: number; tipType: TipType },
): "won" | "lost" | "void" | null {
  const race = meeting.races.find(({ raceNumber }) => raceNumber === tip.raceNumber);
  if (!race || isAbandoned(meeting, tip.raceNumber)) return null;
  const { outcome } = settleTip(
    { ...tip, horseName: findHorseName(race, tip.horseNumber), isMovedToOtherSurface: false },
    {
      status: "official",
      starters: race.finish.length,
      placesPaid: standardPlacesPaid(race.finish.length),
      hasEnteredNames: false,
      runners: planRunners(meeting, race).map((runner) => ({
        ...runner,
        horseName: findHorseName(race, runner.number),
      })),
    },
  );
  return outcome === "placed" ? "won" : outcome;
}

function findHorseName({ field }: DemoRace, horseNumber: number): string {
  return field.find((runner) => runner.horseNumber === horseNumber)?.horseName ?? "";
}

/** The creator who claims winners that did not win, and how often. */
const FALSE_CLAIMANT = "longshot.lulu";
const FALSE_CLAIM_RATE = 0.2;

/** Returns the result that a creator claims for a tip, or null for no claim. Most claims agree with the result. */
export function planClaim(
  creator: DemoCreator,
  meeting: Meeting,
  tip: { raceNumber: number; horseNumber: number; tipType: TipType },
): "won" | "lost" | null {
  const result = deriveResult(meeting, tip);
  if (result === null || result === "void") return null;
  const { raceDate, venueSlug } = meeting;
  const random = seededRandom(raceDate, venueSlug, creator.accountName, tip.raceNumber, "claims");
  const isFalse =
    creator.accountName === FALSE_CLAIMANT && result === "lost" && random.chance(FALSE_CLAIM_RATE);
  return isFalse ? "won" : result;
}
