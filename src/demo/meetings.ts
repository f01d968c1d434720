import { addDays, type CalendarDate, instantAt, timeAt } from "#domain/calendar.ts";
import type { Going, Weather } from "#domain/race-day.ts";
import { type Dice, dice } from "./dice.ts";
import { horsesOf, type Region } from "./horses.ts";

/** A race of the demo: what it is run over, who runs, and (known to nobody before) how they finish. */
export type DemoRace = {
  raceNumber: number;
  /** `HH:MM`. */
  time: string;
  offAt: Date;
  distanceMetres: number;
  raceClass: string;
  surface: "turf" | "polytrack";
  isStraight: boolean;
  field: readonly DemoRunner[];
  /** Horse numbers in the order of the finish. */
  finish: readonly number[];
};

export type DemoRunner = { horseNumber: number; horseName: string; draw: number };

/** A meeting of the demo: one venue's racing on one day. */
export type Meeting = {
  venueSlug: string;
  raceDate: CalendarDate;
  races: readonly DemoRace[];
  going: Going;
  weather: Weather;
  weatherDescription: string;
  temperatureCelsius: number;
  humidityPercent: number;
  windKmh: number;
};

type Course = {
  surface: "turf" | "polytrack";
  distances: readonly number[];
  /** Up to here, races are run without a bend. */
  straightTo: number;
};

type Ground = {
  region: Region;
  courses: readonly [Course, ...Course[]];
  maxRaces: number;
  /** Whether rain stays in the ground. */
  drainsSlowly: boolean;
  /** Which half of the year is the wet one. */
  wet: "summer" | "winter";
  warm: readonly [winter: number, summer: number];
  windy: number;
};

const GROUNDS: Record<string, Ground> = {
  kenilworth: {
    region: "Western Cape",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1800, 2000, 2400], straightTo: 1200 },
    ],
    maxRaces: 8,
    drainsSlowly: false,
    wet: "winter",
    warm: [17, 27],
    windy: 28,
  },
  greyville: {
    region: "KwaZulu-Natal",
    courses: [
      { surface: "turf", distances: [1200, 1400, 1600, 1900, 2000, 2400], straightTo: 0 },
      { surface: "polytrack", distances: [1000, 1200, 1400, 1600, 1750, 2000], straightTo: 0 },
    ],
    maxRaces: 10,
    drainsSlowly: false,
    wet: "summer",
    warm: [23, 28],
    windy: 16,
  },
  turffontein: {
    region: "Highveld",
    courses: [
      { surface: "turf", distances: [1000, 1160, 1400, 1600, 1800, 2000, 2450], straightTo: 1160 },
    ],
    maxRaces: 10,
    drainsSlowly: false,
    wet: "summer",
    warm: [18, 27],
    windy: 12,
  },
  vaal: {
    region: "Highveld",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1800, 2000], straightTo: 1600 },
    ],
    maxRaces: 9,
    drainsSlowly: false,
    wet: "summer",
    warm: [18, 28],
    windy: 14,
  },
  scottsville: {
    region: "KwaZulu-Natal",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1950, 2400], straightTo: 1200 },
    ],
    maxRaces: 9,
    drainsSlowly: false,
    wet: "summer",
    warm: [22, 29],
    windy: 10,
  },
  fairview: {
    region: "Eastern Cape",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 2000, 2400], straightTo: 1200 },
      { surface: "polytrack", distances: [1000, 1200, 1300, 1600, 1900], straightTo: 0 },
    ],
    maxRaces: 9,
    drainsSlowly: true,
    wet: "winter",
    warm: [20, 26],
    windy: 30,
  },
};

/** Where there is racing on each day of the week, Sunday first; the first meeting is the main one. */
const WEEK: readonly (readonly string[])[] = [
  ["turffontein", "scottsville", "kenilworth"],
  ["vaal", "greyville", "fairview"],
  ["vaal", "kenilworth", "scottsville"],
  ["kenilworth", "scottsville", "turffontein"],
  ["vaal", "turffontein", "fairview"],
  ["fairview", "greyville", "vaal"],
  ["turffontein", "kenilworth", "greyville", "fairview"],
];

const CLASSES = [
  "Maiden Plate",
  "Maiden Plate",
  "Maiden Juvenile Plate",
  "Graduation Plate",
  "Novice Plate",
  "MR 68 Handicap",
  "MR 72 Handicap",
  "MR 76 Handicap",
  "MR 80 Handicap",
  "MR 84 Handicap",
  "MR 90 Handicap",
  "FM 70 Handicap",
  "Conditions Plate",
  "Middle Stakes",
];

const MINUTES_APART = 35;

/** The demo's racing on a day: three or four meetings, the main one first. */
export function meetingsOn(raceDate: CalendarDate): Meeting[] {
  const weekday = new Date(`${raceDate}T00:00:00Z`).getUTCDay();
  const slugs = WEEK[weekday] ?? [];
  // Two venues of one region share its horses, and none of them runs twice.
  const horses = new Map<Region, string[]>();
  for (const slug of slugs) {
    const region = GROUNDS[slug]?.region;
    if (region && !horses.has(region))
      horses.set(region, dice(raceDate, region, "runners").shuffle(horsesOf(region, raceDate)));
  }
  return slugs.map((slug, index) => {
    const ground = GROUNDS[slug] as Ground;
    return meeting({ slug, ground, raceDate, index, horses: horses.get(ground.region) ?? [] });
  });
}

function meeting(given: {
  slug: string;
  ground: Ground;
  raceDate: CalendarDate;
  index: number;
  horses: string[];
}): Meeting {
  const { slug, ground, raceDate, index, horses } = given;
  const chance = dice(raceDate, slug);
  const isNight = slug === "greyville" && new Date(`${raceDate}T00:00:00Z`).getUTCDay() === 5;
  // The main meeting always has eight races.
  const count = index === 0 ? 8 : Math.min(ground.maxRaces, chance.between(7, 9));
  const firstOff = instantAt(
    raceDate,
    isNight ? "16:45" : chance.pick(["12:00", "12:10", "12:25"]),
  );
  const weather = weatherOf(ground, raceDate);
  const course = chance.pick(ground.courses);
  const distances = [...chance.shuffle(course.distances), ...chance.shuffle(course.distances)];
  const races = Array.from({ length: count }, (_, nth): DemoRace => {
    const offAt = new Date(firstOff.getTime() + nth * MINUTES_APART * 60_000);
    const distanceMetres = distances[nth] ?? chance.pick(course.distances);
    const runners = chance.between(8, 13);
    const draws = chance.shuffle(Array.from({ length: runners }, (_, each) => each + 1));
    const field = horses.splice(0, runners).map((horseName, each) => ({
      horseNumber: each + 1,
      horseName,
      draw: draws[each] ?? each + 1,
    }));
    return {
      raceNumber: nth + 1,
      time: timeAt(offAt),
      offAt,
      distanceMetres,
      raceClass: nth === 0 ? "Maiden Plate" : chance.pick(CLASSES),
      surface: course.surface,
      isStraight: distanceMetres <= course.straightTo,
      field,
      finish: chance.shuffle(field.map((runner) => runner.horseNumber)),
    };
  });
  return { venueSlug: slug, raceDate, races, ...weather };
}

/** The sky is the same over a whole region; what it does to the going is the venue's own. */
function weatherOf(ground: Ground, raceDate: CalendarDate) {
  const chance = skyOver(ground.region, raceDate);
  const month = Number(raceDate.slice(5, 7));
  const isSummer = month >= 10 || month <= 3;
  const isWetSeason = (ground.wet === "summer") === isSummer;
  const isRainy = chance.chance(isWetSeason ? 0.3 : 0.1);
  // The first roll of a day is its rain.
  const rainedYesterday = skyOver(ground.region, addDays(raceDate, -1)).chance(
    isWetSeason ? 0.3 : 0.1,
  );
  const windKmh = Math.max(2, ground.windy + chance.between(-10, 14));
  const isWindy = !isRainy && windKmh >= 30;
  const isCloudy = chance.chance(0.35);
  const weather: Weather = isRainy ? "rainy" : isWindy ? "windy" : isCloudy ? "cloudy" : "sunny";
  const [winter, summer] = ground.warm;
  const temperatureCelsius =
    (isSummer ? summer : winter) + chance.between(-4, 4) - (isRainy ? 3 : 0);
  const isWet = isRainy || (ground.drainsSlowly && rainedYesterday);
  const going: Going = isWet
    ? isRainy && chance.chance(0.25)
      ? "Heavy"
      : "Soft"
    : weather === "sunny" && temperatureCelsius >= 27
      ? "Fast"
      : "Good";
  return {
    going,
    weather,
    weatherDescription: chance.pick(SKIES[weather]),
    temperatureCelsius,
    humidityPercent: chance.between(isRainy ? 68 : 34, isRainy ? 92 : 66),
    windKmh,
  };
}

function skyOver(region: Region, raceDate: CalendarDate): Dice {
  return dice(raceDate, region, "sky");
}

const SKIES: Record<Weather, readonly string[]> = {
  sunny: ["Clear and dry", "Sunny, light breeze", "Bright all afternoon"],
  cloudy: ["Overcast and still", "High cloud, dry", "Cloud with sunny spells"],
  rainy: ["Showers on and off", "Steady light rain", "Rain before the first, showers after"],
  windy: ["Strong wind down the straight", "Gusty from the south-east", "Dry with a stiff breeze"],
};
