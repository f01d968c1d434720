import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { GOINGS, WEATHERS } from "#domain/race-day.ts";
import { MAX_RACES } from "#domain/tip.ts";

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

/** Returns true when the off times increase strictly with the race number. */
function isInOrder(races: { raceNumber: number; time: string }[]): boolean {
  const byNumber = [...races].sort((a, b) => a.raceNumber - b.raceNumber);
  return byNumber.every(({ raceNumber, time }, index) => {
    const previous = byNumber[index - 1];
    return !previous || previous.raceNumber === raceNumber || previous.time < time;
  });
}

/** The race day form. Its off times replace those entered before. */
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
  source: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Please enter the source"),
    v.maxLength(80, "Source must be at most 80 characters long"),
  ),
  offTimes: v.pipe(
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
      }),
    ),
    v.check(
      (races) => new Set(races.map((race) => race.raceNumber)).size === races.length,
      "Enter each race only once",
    ),
    v.check(isInOrder, "Each race goes off after the one before it"),
  ),
});

export type RaceDayInput = v.InferOutput<typeof raceDayInput>;
