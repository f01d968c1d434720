import { timeAt } from "#domain/calendar.ts";
import { foldHorseName } from "#domain/horse-key.ts";
import type { DeclaredRace, Runner } from "./read-declared-races.server.ts";

/** The fields of a report that are compared. Null means that a value was not reported. */
export type ComparableRaceDay = {
  going: string | null;
  weather: string | null;
  weatherDescription: string | null;
  temperatureCelsius: number | null;
  humidityPercent: number | null;
  windKmh: number | null;
  source: string | null;
  races: readonly DeclaredRace[];
};

/** A difference between two reports. `raceNumber` is null if it concerns the whole day. */
type RaceDayDifference = {
  raceNumber: number | null;
  /** The horse number; null if the difference concerns a race or the whole day. */
  number: number | null;
  field: string;
  from: string | null;
  to: string | null;
};

export const DAY_FIELDS = {
  going: "going",
  weather: "weather",
  weatherDescription: "description",
  temperatureCelsius: "temperature",
  humidityPercent: "humidity",
  windKmh: "wind",
  source: "source",
} as const;

export const RACE_FIELDS = {
  name: "name",
  distanceMetres: "distance",
  surface: "surface",
} as const;

const RUNNER_FIELDS = {
  horseName: "horse",
  jockey: "jockey",
  trainer: "trainer",
  draw: "draw",
} as const;

const toText = (value: string | number | null) => (value === null ? null : String(value));

function compareFields<Key extends string>(
  labels: Readonly<Record<Key, string>>,
  from: Readonly<Record<NoInfer<Key>, string | number | null>>,
  to: Readonly<Record<NoInfer<Key>, string | number | null>>,
): { field: string; from: string | null; to: string | null }[] {
  return (Object.keys(labels) as Key[])
    .filter((key) => from[key] !== to[key])
    .map((key) => ({ field: labels[key], from: toText(from[key]), to: toText(to[key]) }));
}

/** Compares two reports of a day. Sorts the differences by race and horse number, those of the whole day last. */
export function compareRaceDays(
  before: ComparableRaceDay,
  after: ComparableRaceDay,
): RaceDayDifference[] {
  return [
    ...pairByNumber(before.races, after.races, (race) => race.raceNumber).flatMap(
      ([raceNumber, from, to]) => compareRaces(raceNumber, from, to),
    ),
    ...compareFields(DAY_FIELDS, before, after).map((difference) => ({
      raceNumber: null,
      number: null,
      ...difference,
    })),
  ];
}

function compareRaces(
  raceNumber: number,
  from: DeclaredRace | undefined,
  to: DeclaredRace | undefined,
): RaceDayDifference[] {
  const offAts = [from, to].map((race) => (race ? timeAt(race.offAt) : null));
  const differences = [];
  if (offAts[0] !== offAts[1])
    differences.push({ field: "off", from: offAts[0] ?? null, to: offAts[1] ?? null });
  const unreported = { name: null, distanceMetres: null, surface: null };
  differences.push(...compareFields(RACE_FIELDS, from ?? unreported, to ?? unreported));
  return [
    ...differences.map((difference) => ({ raceNumber, number: null, ...difference })),
    ...pairByNumber(from?.runners ?? [], to?.runners ?? [], (runner) => runner.number).flatMap(
      ([number, previous, next]) =>
        compareRunners(previous, next).map((difference) => ({ raceNumber, number, ...difference })),
    ),
  ];
}

function compareRunners(
  from: Runner | undefined,
  to: Runner | undefined,
): { field: string; from: string | null; to: string | null }[] {
  if (!from || !to)
    return [{ field: "runner", from: from?.horseName ?? null, to: to?.horseName ?? null }];
  const differences = compareFields(RUNNER_FIELDS, from, to);
  if (from.isScratched !== to.isScratched)
    differences.push({
      field: to.isScratched ? "scratched" : "reinstated",
      from: null,
      to: to.horseName,
    });
  return differences;
}

/** Returns true if both rows name the same horse, ignoring case, accents, punctuation, spaces and the country. */
export function isSameHorse(a: Runner, b: Runner): boolean {
  return foldHorseName(a.horseName) === foldHorseName(b.horseName);
}

function pairByNumber<Item>(
  before: readonly Item[],
  after: readonly Item[],
  getNumber: (item: Item) => number,
): [number, Item | undefined, Item | undefined][] {
  const from = new Map(before.map((item) => [getNumber(item), item]));
  const to = new Map(after.map((item) => [getNumber(item), item]));
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort((a, b) => a - b)
    .map((number) => [number, from.get(number), to.get(number)]);
}

/** A race day without any reported value. */
export const UNREPORTED_RACE_DAY: ComparableRaceDay = {
  going: null,
  weather: null,
  weatherDescription: null,
  temperatureCelsius: null,
  humidityPercent: null,
  windKmh: null,
  source: null,
  races: [],
};

/**
 * Describes the differences, one per line. A new race takes one line with its number of runners, and so do
 * all new runners of a known race.
 */
export function summariseDifferences(differences: readonly RaceDayDifference[]): string[] {
  const lines: string[] = [];
  const raceNumbers = [...new Set(differences.map(({ raceNumber }) => raceNumber))];
  for (const raceNumber of raceNumbers) {
    const ofRace = differences.filter((difference) => difference.raceNumber === raceNumber);
    const off = ofRace.find(({ field }) => field === "off");
    const isNew = raceNumber !== null && off !== undefined && off.from === null;
    const isNewRunner = ({ field, from }: RaceDayDifference) => field === "runner" && from === null;
    const added = ofRace.filter(isNewRunner).length;
    const runners = `${added} ${added === 1 ? "runner" : "runners"}`;
    if (isNew)
      lines.push(`race ${raceNumber} new, off ${off.to}${added > 0 ? `, ${runners}` : ""}`);
    else if (added > 0) lines.push(`race ${raceNumber} ${runners} added`);
    if (!isNew)
      lines.push(
        ...ofRace.filter((difference) => !isNewRunner(difference)).map(describeDifference),
      );
  }
  return lines;
}

/** Describes a difference, such as "race 5 off 14:20 → 14:25" or "race 5 #9 Sea Mist scratched". */
function describeDifference({ raceNumber, number, field, from, to }: RaceDayDifference) {
  const subject = [
    raceNumber === null ? [] : `race ${raceNumber}`,
    number === null ? [] : `#${number}`,
  ].flat();
  const change =
    field === "scratched" || field === "reinstated"
      ? `${to} ${field}`
      : `${field} ${from ?? "not reported"} → ${to ?? "not reported"}`;
  return [...subject, change].join(" ");
}
