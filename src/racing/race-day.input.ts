import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";
import { foldHorseName, toHorseKey } from "#domain/horse-key.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { GOINGS, MAX_RACE_NAME, MAX_SOURCE, SURFACES, WEATHERS } from "#domain/race-day.ts";
import { MAX_HORSE_NAME, MAX_HORSE_NUMBER, MAX_RACES } from "#domain/tip.ts";
import { unambiguousName } from "#platform/readable-input.ts";

/** Returns the schema of an optional integer; an empty field is null. */
function optionalNumber(min: number, max: number, message: string) {
  return v.pipe(
    v.nullish(v.union([v.number(), v.string()]), null),
    v.transform((value) => (value === null || value === "" ? null : Number(value))),
    v.nullable(
      v.pipe(
        v.number(message),
        v.integer(message),
        v.minValue(min, message),
        v.maxValue(max, message),
      ),
    ),
  );
}

function optionalChoice<const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  message: string,
) {
  return v.pipe(
    v.nullish(v.string(), null),
    v.transform((value) => value || null),
    v.nullable(v.picklist(choices, message)),
  );
}

type RaceTime = { raceNumber: number; time: string };

/** Returns the first race whose off is not after the previous race's, with the previous race. Null if there is none. */
function findEarlyRace(
  races: readonly RaceTime[],
): { race: RaceTime; previous: RaceTime; index: number } | null {
  const byNumber = races
    .map((race, index) => ({ race, index }))
    .sort((a, b) => a.race.raceNumber - b.race.raceNumber);
  for (const [position, { race, index }] of byNumber.entries()) {
    const previous = byNumber[position - 1]?.race;
    if (previous && previous.raceNumber !== race.raceNumber && previous.time >= race.time)
      return { race, previous, index };
  }
  return null;
}

/** Returns the schema of an optional name; an empty field is null. */
function optionalName(maxLength: number, field: string) {
  return v.pipe(
    v.nullish(v.string(), null),
    v.transform((value) => value?.trim() || null),
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(maxLength, `${field} must be at most ${maxLength} characters long`),
        unambiguousName(field),
      ),
    ),
  );
}

/** The source of a report, a change or a result, which is shown next to it. */
export const sourceInput = v.pipe(
  v.string("Enter the source"),
  v.trim(),
  v.nonEmpty("Enter the source"),
  v.maxLength(MAX_SOURCE, `Source must be at most ${MAX_SOURCE} characters long`),
);

const HORSE_NUMBER_MESSAGE = `Horse number must be from 1 to ${MAX_HORSE_NUMBER}`;
const DRAW_MESSAGE = `Draw must be from 1 to ${MAX_HORSE_NUMBER}`;

/** The name of a horse. */
export const horseNameInput = v.pipe(
  v.string("Enter the horse"),
  v.trim(),
  v.nonEmpty("Enter the horse"),
  v.maxLength(MAX_HORSE_NAME, `Horse must be at most ${MAX_HORSE_NAME} characters long`),
  v.check((name) => !/^[=+\-@]/.test(name), "Horse must not start with =, +, - or @"),
  v.check(
    // The length first, because all checks run on a name that is too long.
    (name) =>
      name.length > MAX_HORSE_NAME || (toHorseKey(name) !== "" && foldHorseName(name) !== ""),
    "Horse must contain letters or digits",
  ),
  unambiguousName("Horse"),
);

const runnerInput = v.object({
  number: v.pipe(
    v.number(HORSE_NUMBER_MESSAGE),
    v.integer(HORSE_NUMBER_MESSAGE),
    v.minValue(1, HORSE_NUMBER_MESSAGE),
    v.maxValue(MAX_HORSE_NUMBER, HORSE_NUMBER_MESSAGE),
  ),
  horseName: horseNameInput,
  jockey: optionalName(60, "Jockey"),
  trainer: optionalName(60, "Trainer"),
  draw: optionalNumber(1, MAX_HORSE_NUMBER, DRAW_MESSAGE),
  isScratched: v.optional(v.boolean(), false),
});

export type RunnerInput = v.InferOutput<typeof runnerInput>;

/** The declared runners of a race, which replace those reported before. */
const runnersInput = v.pipe(
  v.array(runnerInput),
  v.check(
    (runners) => new Set(runners.map((runner) => runner.number)).size === runners.length,
    "Enter each horse number only once",
  ),
  v.check(
    (runners) =>
      new Set(runners.map((runner) => toHorseKey(runner.horseName))).size === runners.length,
    "Enter each horse only once",
  ),
);

/** The race day form. Its races replace those entered before. */
export const raceDayInput = v.object({
  venueId: v.pipe(v.string(), v.uuid("Please select a venue.")),
  raceDate: v.pipe(v.string(), v.check(isCalendarDate, "Please select a race date.")),
  going: optionalChoice(GOINGS, "Going must be Fast, Good, Soft or Heavy"),
  weather: optionalChoice(WEATHERS, "Weather must be sunny, cloudy, rainy or windy"),
  weatherDescription: v.pipe(
    v.nullish(v.string(), null),
    v.transform((value) => value?.trim() || null),
    v.nullable(
      v.pipe(v.string(), v.maxLength(120, "Description must be at most 120 characters long")),
    ),
  ),
  temperatureCelsius: optionalNumber(-20, 55, "Temperature must be from -20 to 55 °C"),
  humidityPercent: optionalNumber(0, 100, "Humidity must be from 0 to 100%"),
  windKmh: optionalNumber(0, 250, "Wind speed must be from 0 to 250 km/h"),
  source: sourceInput,
  races: v.pipe(
    v.array(
      v.object({
        raceNumber: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1, "Race number must be from 1 to 12"),
          v.maxValue(MAX_RACES, "Race number must be from 1 to 12"),
        ),
        time: v.pipe(
          v.string(),
          v.check((text) => parseTime(text) !== null, INVALID_OFF_TIME_MESSAGE),
          v.transform((text) => parseTime(text) ?? text),
        ),
        // Missing fields keep the reported values; null and an empty list remove them.
        name: v.optional(optionalName(MAX_RACE_NAME, "Name")),
        distanceMetres: v.optional(
          optionalNumber(400, 6000, "Distance must be from 400 to 6000 metres"),
        ),
        surface: v.optional(optionalChoice(SURFACES, "Surface must be turf, polytrack or sand")),
        runners: v.optional(runnersInput),
      }),
    ),
    v.check(
      (races) => new Set(races.map((race) => race.raceNumber)).size === races.length,
      "Enter each race only once",
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const early = findEarlyRace(dataset.value);
      if (!early) return;
      const { race, previous, index } = early;
      addIssue({
        message: `Race ${race.raceNumber} (${race.time}) must go off after race ${previous.raceNumber} (${previous.time})`,
        path: [{ type: "array", origin: "value", input: dataset.value, key: index, value: race }],
      });
    }),
  ),
});

export type RaceDayInput = v.InferOutput<typeof raceDayInput>;
