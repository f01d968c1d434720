import { timeAt } from "#domain/calendar.ts";
import { type ComparableRaceDay, DAY_FIELDS, RACE_FIELDS } from "./compare-race-days.ts";
import { formatRunners } from "./parse-runners.ts";
import type { DeclaredRace, Runner } from "./read-declared-races.server.ts";

export type ConflictSide = "mine" | "theirs";

/** A value that two people changed differently. `mine` and `theirs` are texts, empty if there is no value. */
export type RaceDayConflict = { name: string; label: string; mine: string; theirs: string };

/** Returns which value to keep, or null if nobody chose between exactly these values. */
export type FindChoice = (conflict: RaceDayConflict) => ConflictSide | null;

type MergeOptions = {
  /** The report that the form was opened with. Null if it is unknown: every difference is then a conflict. */
  opened: ComparableRaceDay | null;
  mine: ComparableRaceDay;
  theirs: ComparableRaceDay;
  findChoice: FindChoice;
};

type Field<Value> = { name: string; label: string; toText: (value: Value) => string };

/**
 * Merges two reports that began as the same one. A value that only one person changed is taken from them. A runner is
 * one value with its jockey, trainer, draw and scratching.
 */
export function mergeRaceDays({ opened, mine, theirs, findChoice }: MergeOptions): {
  merged: ComparableRaceDay;
  conflicts: RaceDayConflict[];
} {
  const conflicts = new Map<string, RaceDayConflict>();

  function choose<Value>({ name, label, toText }: Field<Value>, own: Value, other: Value): Value {
    const conflict = { name, label, mine: toText(own), theirs: toText(other) };
    const choice = findChoice(conflict);
    if (!choice) conflicts.set(name, conflict);
    return choice === "theirs" ? other : own;
  }

  function merge<Value>(field: Field<Value>, read: (day: ComparableRaceDay) => Value): Value {
    const [own, other] = [read(mine), read(theirs)];
    const { toText } = field;
    const before = opened && toText(read(opened));
    if (toText(own) === toText(other) || before === toText(own)) return other;
    return before === toText(other) ? own : choose(field, own, other);
  }

  function mergeRace(raceNumber: number): DeclaredRace[] {
    const read = (day: ComparableRaceDay) => findByNumber(day, raceNumber);
    const mergeField = <Key extends keyof typeof RACE_FIELDS>(key: Key) =>
      merge<DeclaredRace[Key] | null>(
        {
          name: `${key}-${raceNumber}`,
          label: `Race ${raceNumber}, ${RACE_FIELDS[key]}`,
          toText,
        },
        (day) => read(day)?.[key] ?? null,
      );
    const numbers = [opened, mine, theirs].flatMap((day) =>
      ((day && read(day)?.runners) ?? []).map(({ number }) => number),
    );
    const fields = {
      name: mergeField("name"),
      distanceMetres: mergeField("distanceMetres"),
      surface: mergeField("surface"),
      runners: sortUnique(numbers).flatMap((number) => {
        const runner = merge<Runner | null>(
          {
            name: `runner-${raceNumber}-${number}`,
            label: `Race ${raceNumber}, horse ${number}`,
            toText: (value) => (value ? formatRunners([value]) : ""),
          },
          (day) => read(day)?.runners.find((each) => each.number === number) ?? null,
        );
        return runner ?? [];
      }),
    };
    const off: Field<Date | null> = {
      name: `off-${raceNumber}`,
      label: `Race ${raceNumber}, off`,
      toText: (offAt) => (offAt ? timeAt(offAt) : ""),
    };
    const merged = merge(off, (day) => read(day)?.offAt ?? null);
    const { runners, ...values } = fields;
    const isEmpty = runners.length === 0 && Object.values(values).every((value) => value === null);
    // One person removed the race, the other changed it.
    const offAt =
      merged || isEmpty
        ? merged
        : choose(off, read(mine)?.offAt ?? null, read(theirs)?.offAt ?? null);
    return offAt ? [{ raceNumber, offAt, ...fields }] : [];
  }

  const mergeDayField = <Key extends keyof typeof DAY_FIELDS>(key: Key) =>
    merge<ComparableRaceDay[Key]>(
      { name: key, label: capitalise(DAY_FIELDS[key]), toText },
      (day) => day[key],
    );
  const raceNumbers = [opened, mine, theirs].flatMap((day) =>
    (day?.races ?? []).map(({ raceNumber }) => raceNumber),
  );
  const merged = {
    races: sortUnique(raceNumbers).flatMap(mergeRace),
    going: mergeDayField("going"),
    weather: mergeDayField("weather"),
    weatherDescription: mergeDayField("weatherDescription"),
    temperatureCelsius: mergeDayField("temperatureCelsius"),
    humidityPercent: mergeDayField("humidityPercent"),
    windKmh: mergeDayField("windKmh"),
    source: mergeDayField("source"),
  };
  return { merged, conflicts: [...conflicts.values()] };
}

const toText = (value: string | number | null) => String(value ?? "");

const capitalise = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const sortUnique = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);

const findByNumber = (day: ComparableRaceDay, raceNumber: number) =>
  day.races.find((race) => race.raceNumber === raceNumber);
