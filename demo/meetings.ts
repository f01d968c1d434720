import { addDays, type CalendarDate, instantAt, timeAt } from "#domain/calendar.ts";
import type { Going, Weather } from "#domain/race-day.ts";
import { listHorses, type Region } from "./horses.ts";
import { type Random, seededRandom } from "./random.ts";

/** A race of the demo: its conditions, its runners and its predetermined finish. */
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
  /** Horse numbers in finishing order, without the non-runners. */
  finish: readonly number[];
  /** The horse that is scratched on the morning of the race day, or null. */
  scratched: number | null;
  /** The horse that is withdrawn at the start, or null. */
  withdrawn: number | null;
  /** The position that two horses share, or null. */
  deadHeatAt: number | null;
  /** What happened to the last horse. */
  lastOutcome: "finished" | "did-not-finish" | "disqualified";
};

export type DemoRunner = { horseNumber: number; horseName: string; draw: number };

/** A meeting of the demo: all races at one venue on one day. */
export type Meeting = {
  venueSlug: string;
  raceDate: CalendarDate;
  races: readonly DemoRace[];
  /** The first meeting of its day. */
  isMain: boolean;
  /** The first race that was abandoned, or null. */
  abandonedFrom: number | null;
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
  /** The longest distance, in metres, that is run on the straight course. */
  straightTo: number;
};

type VenueProfile = {
  region: Region;
  courses: readonly [Course, ...Course[]];
  maxRaces: number;
  drainsSlowly: boolean;
  /** The rainy half of the year. */
  rainySeason: "summer" | "winter";
  /** Average degrees Celsius. */
  temperatures: readonly [winter: number, summer: number];
  windKmh: number;
};

const VENUES: Record<string, VenueProfile> = {
  kenilworth: {
    region: "Western Cape",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1800, 2000, 2400], straightTo: 1200 },
    ],
    maxRaces: 8,
    drainsSlowly: false,
    rainySeason: "winter",
    temperatures: [17, 27],
    windKmh: 28,
  },
  greyville: {
    region: "KwaZulu-Natal",
    courses: [
      { surface: "turf", distances: [1200, 1400, 1600, 1900, 2000, 2400], straightTo: 0 },
      { surface: "polytrack", distances: [1000, 1200, 1400, 1600, 1750, 2000], straightTo: 0 },
    ],
    maxRaces: 10,
    drainsSlowly: false,
    rainySeason: "summer",
    temperatures: [23, 28],
    windKmh: 16,
  },
  turffontein: {
    region: "Highveld",
    courses: [
      { surface: "turf", distances: [1000, 1160, 1400, 1600, 1800, 2000, 2450], straightTo: 1160 },
    ],
    maxRaces: 10,
    drainsSlowly: false,
    rainySeason: "summer",
    temperatures: [18, 27],
    windKmh: 12,
  },
  vaal: {
    region: "Highveld",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1800, 2000], straightTo: 1600 },
    ],
    maxRaces: 9,
    drainsSlowly: false,
    rainySeason: "summer",
    temperatures: [18, 28],
    windKmh: 14,
  },
  scottsville: {
    region: "KwaZulu-Natal",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 1950, 2400], straightTo: 1200 },
    ],
    maxRaces: 9,
    drainsSlowly: false,
    rainySeason: "summer",
    temperatures: [22, 29],
    windKmh: 10,
  },
  fairview: {
    region: "Eastern Cape",
    courses: [
      { surface: "turf", distances: [1000, 1200, 1400, 1600, 2000, 2400], straightTo: 1200 },
      { surface: "polytrack", distances: [1000, 1200, 1300, 1600, 1900], straightTo: 0 },
    ],
    maxRaces: 9,
    drainsSlowly: true,
    rainySeason: "winter",
    temperatures: [20, 26],
    windKmh: 30,
  },
};

/** The venues that race on each weekday, Sunday first. The first venue has the main meeting. */
const VENUES_BY_WEEKDAY: readonly (readonly string[])[] = [
  ["turffontein", "scottsville", "kenilworth"],
  ["vaal", "greyville", "fairview"],
  ["vaal", "kenilworth", "scottsville"],
  ["kenilworth", "turffontein", "scottsville"],
  ["vaal", "turffontein", "fairview"],
  ["fairview", "vaal", "greyville"],
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

const MINUTES_BETWEEN_RACES = 35;

/** Returns the three or four meetings of a day, the main one first. */
export function planMeetings(raceDate: CalendarDate): Meeting[] {
  const weekday = new Date(`${raceDate}T00:00:00Z`).getUTCDay();
  const slugs = VENUES_BY_WEEKDAY[weekday] ?? [];
  // Venues of one region share its horses; a horse runs at most once a day.
  const horses = new Map<Region, string[]>();
  for (const slug of slugs) {
    const region = VENUES[slug]?.region;
    if (region && !horses.has(region))
      horses.set(
        region,
        seededRandom(raceDate, region, "runners").shuffle(listHorses(region, raceDate)),
      );
  }
  return slugs.map((slug, index) => {
    const profile = VENUES[slug] as VenueProfile;
    return createMeeting({
      slug,
      profile,
      raceDate,
      index,
      isLast: index === slugs.length - 1,
      horses: horses.get(profile.region) ?? [],
    });
  });
}

function createMeeting(options: {
  slug: string;
  profile: VenueProfile;
  raceDate: CalendarDate;
  index: number;
  isLast: boolean;
  horses: string[];
}): Meeting {
  const { slug, profile, raceDate, index, isLast, horses } = options;
  const random = seededRandom(raceDate, slug);
  const isNight = slug === "greyville" && new Date(`${raceDate}T00:00:00Z`).getUTCDay() === 5;
  // The main meeting always has eight races.
  const count = index === 0 ? 8 : Math.min(profile.maxRaces, random.between(7, 9));
  const firstOff = instantAt(
    raceDate,
    isNight ? "16:45" : random.pick(["12:00", "12:10", "12:25"]),
  );
  const weather = planWeather(profile, raceDate);
  const course = random.pick(profile.courses);
  const distances = [...random.shuffle(course.distances), ...random.shuffle(course.distances)];
  const races = Array.from({ length: count }, (_, raceIndex): DemoRace => {
    const offAt = new Date(firstOff.getTime() + raceIndex * MINUTES_BETWEEN_RACES * 60_000);
    const distanceMetres = distances[raceIndex] ?? random.pick(course.distances);
    const runners = random.between(8, 13);
    const draws = random.shuffle(Array.from({ length: runners }, (_, position) => position + 1));
    const field = horses.splice(0, runners).map((horseName, position) => ({
      horseNumber: position + 1,
      horseName,
      draw: draws[position] ?? position + 1,
    }));
    const finish = random.shuffle(field.map((runner) => runner.horseNumber));
    return {
      raceNumber: raceIndex + 1,
      time: timeAt(offAt),
      offAt,
      distanceMetres,
      raceClass: raceIndex === 0 ? "Maiden Plate" : random.pick(CLASSES),
      surface: course.surface,
      isStraight: distanceMetres <= course.straightTo,
      field,
      ...planOutcome(finish, seededRandom(raceDate, slug, raceIndex + 1, "outcome")),
    };
  });
  return {
    venueSlug: slug,
    raceDate,
    races,
    isMain: index === 0,
    abandonedFrom: isLast ? (ABANDONED_FROM[raceDate.slice(8)] ?? null) : null,
    ...weather,
  };
}

/** By day of the month, the first race of the last meeting that is abandoned. */
const ABANDONED_FROM: Readonly<Record<string, number>> = { "12": 1, "27": 4 };

const SCRATCHED_RATE = 0.07;
const WITHDRAWN_RATE = 0.04;
/** The smallest field that can lose runners and still have enough starters for three places. */
const MIN_FIELD_FOR_NON_RUNNER = 10;
const DEAD_HEAT_RATE = 0.05;
const DID_NOT_FINISH_RATE = 0.04;
const DISQUALIFIED_RATE = 0.01;

/** Plans non-runners, a dead heat and the last horse's outcome for a race with this finishing order. */
function planOutcome(order: readonly number[], random: Random) {
  const mayLoseRunners = order.length >= MIN_FIELD_FOR_NON_RUNNER;
  const [first = null, second = null] = random.shuffle(order);
  const scratched = mayLoseRunners && random.chance(SCRATCHED_RATE) ? first : null;
  const withdrawn = mayLoseRunners && random.chance(WITHDRAWN_RATE) ? second : null;
  const deadHeatAt = random.chance(DEAD_HEAT_RATE) ? random.pick([1, 2, 3]) : null;
  const roll = random.next();
  return {
    finish: order.filter((number) => number !== scratched && number !== withdrawn),
    scratched,
    withdrawn,
    deadHeatAt,
    lastOutcome:
      roll < DISQUALIFIED_RATE
        ? ("disqualified" as const)
        : roll < DISQUALIFIED_RATE + DID_NOT_FINISH_RATE
          ? ("did-not-finish" as const)
          : ("finished" as const),
  };
}

/**
 * Returns the weather and going. Rain is shared by a region; its effect on the going is per venue.
 */
function planWeather(profile: VenueProfile, raceDate: CalendarDate) {
  const random = regionalRandom(profile.region, raceDate);
  const month = Number(raceDate.slice(5, 7));
  const isSummer = month >= 10 || month <= 3;
  const isWetSeason = (profile.rainySeason === "summer") === isSummer;
  const isRainy = random.chance(isWetSeason ? 0.3 : 0.1);
  // The first number of a day decides its rain.
  const rainedYesterday = regionalRandom(profile.region, addDays(raceDate, -1)).chance(
    isWetSeason ? 0.3 : 0.1,
  );
  const windKmh = Math.max(2, profile.windKmh + random.between(-10, 14));
  const isWindy = !isRainy && windKmh >= 30;
  const isCloudy = random.chance(0.35);
  const weather: Weather = isRainy ? "rainy" : isWindy ? "windy" : isCloudy ? "cloudy" : "sunny";
  const [winter, summer] = profile.temperatures;
  const temperatureCelsius =
    (isSummer ? summer : winter) + random.between(-4, 4) - (isRainy ? 3 : 0);
  const isWet = isRainy || (profile.drainsSlowly && rainedYesterday);
  const going: Going = isWet
    ? isRainy && random.chance(0.25)
      ? "Heavy"
      : "Soft"
    : weather === "sunny" && temperatureCelsius >= 27
      ? "Fast"
      : "Good";
  return {
    going,
    weather,
    weatherDescription: random.pick(WEATHER_DESCRIPTIONS[weather]),
    temperatureCelsius,
    humidityPercent: random.between(isRainy ? 68 : 34, isRainy ? 92 : 66),
    windKmh,
  };
}

function regionalRandom(region: Region, raceDate: CalendarDate): Random {
  return seededRandom(raceDate, region, "sky");
}

const WEATHER_DESCRIPTIONS: Record<Weather, readonly string[]> = {
  sunny: ["Clear and dry", "Sunny, light breeze", "Bright all afternoon"],
  cloudy: ["Overcast and still", "High cloud, dry", "Cloud with sunny spells"],
  rainy: ["Showers on and off", "Steady light rain", "Rain before the first, showers after"],
  windy: ["Strong wind down the straight", "Gusty from the south-east", "Dry with a stiff breeze"],
};
