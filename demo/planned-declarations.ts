import type { CalendarDate } from "#domain/calendar.ts";
import type { RaceDayFile } from "#racing/racing.server.ts";
import { type DemoRace, type Meeting, planMeetings } from "./meetings.ts";
import { seededRandom } from "./random.ts";

/** The jockeys. There are more than runners in the largest field, so that no jockey rides two horses. */
const JOCKEYS = [
  "A. Dlomo",
  "B. Viljee",
  "C. Marais-Nel",
  "D. Phakade",
  "E. Rossouw-Kok",
  "F. Jantjes",
  "G. Mabuyi",
  "H. Pillai",
  "J. Strydom-Lee",
  "K. Zondeki",
  "L. Abrahamse",
  "M. Khozi",
  "N. Booyse",
  "P. Govendra",
  "R. Tshaba",
  "S. Wesselink",
];

const TRAINERS = [
  "T. Aldersey",
  "W. Bengu",
  "M. Coetzer-Hart",
  "V. Darbyshire",
  "O. Fourway",
  "I. Kemphart",
  "Z. Lukhele",
  "Y. Naidu-Bell",
  "Q. Penhallow",
];

/** The source shown next to the demo's race days. */
export const DEMO_SOURCE = "Furlong demo";

/** Returns the runners of a date's meetings, with fictional jockeys and trainers. */
export function planDeclarations(raceDate: CalendarDate): RaceDayFile[] {
  return planMeetings(raceDate).map(toRaceDayFile);
}

function toRaceDayFile(meeting: Meeting): RaceDayFile {
  return {
    raceDate: meeting.raceDate,
    venue: meeting.venueSlug,
    going: meeting.going,
    source: DEMO_SOURCE,
    races: meeting.races.map((race) => ({
      raceNumber: race.raceNumber,
      time: race.time,
      name: race.raceClass,
      distanceMetres: race.distanceMetres,
      surface: race.surface,
      runners: listRunners(meeting, race),
      result: null,
    })),
  };
}

function listRunners({ venueSlug, raceDate }: Meeting, { raceNumber, field }: DemoRace) {
  const random = seededRandom(raceDate, venueSlug, raceNumber, "declarations");
  const jockeys = random.shuffle(JOCKEYS);
  return field.map(({ horseNumber, horseName, draw }, index) => ({
    number: horseNumber,
    horseName,
    jockey: jockeys[index] ?? null,
    trainer: random.pick(TRAINERS),
    draw,
    isScratched: false,
  }));
}
