import type { TipType } from "#domain/tip.ts";

/** How a tipster of the demo looks at a race; it decides what their analysis leans on. */
export type Voice = "paddock" | "clock" | "form" | "angle";

export type DemoCreator = {
  /** The part of the address before the at sign. */
  mailbox: string;
  name: string;
  displayName: string;
  kind: "tipster" | "analyst";
  specialization: string;
  bio: string;
  voice: Voice;
  /** Where they write, favourite first. */
  venues: readonly string[];
  /** How often they write when one of their venues has racing, from 0 to 1. */
  activity: number;
  /** How many races of a card they take: all of them, most, or the one they like best. */
  takes: "all" | "most" | "one";
  /** How often their selection wins (win tips) and is placed (the others). */
  wins: number;
  places: number;
  types: readonly TipType[];
  /** How readily their cards are bought, 1 being as readily as most. */
  appeal: number;
  /** Days since their first card; the history begins with everyone else. */
  sinceDays?: number;
  /** Has nothing up for today and tomorrow, so that whoever tries the dashboard finds it free. */
  isIdleNow?: boolean;
};

const MOSTLY_WIN: readonly TipType[] = ["win", "win", "win", "win", "place", "each-way"];
const WIN_ONLY: readonly TipType[] = ["win"];
const EACH_WAY: readonly TipType[] = ["each-way", "each-way", "place", "win"];

/** The demo's tipsters and analysts, each with a character of their own. All of them are made up. */
export const CREATORS: readonly DemoCreator[] = [
  {
    mailbox: "tipster",
    name: "Mpho Ndaba",
    displayName: "Standside",
    kind: "tipster",
    specialization: "Turffontein and the Vaal",
    bio: "Twelve years on the Highveld, most of them on the rail at the 400. I watch every race twice before I write a line.",
    voice: "form",
    venues: ["turffontein", "vaal"],
    activity: 1,
    takes: "most",
    wins: 0.27,
    places: 0.44,
    types: MOSTLY_WIN,
    appeal: 1.5,
    isIdleNow: true,
  },
  {
    mailbox: "cape.doctor",
    name: "Riaan Jacobs",
    displayName: "Cape Doctor",
    kind: "tipster",
    specialization: "Kenilworth, and what the wind does to it",
    bio: "Named after the south-easter. I have recorded the wind at every Kenilworth meeting since 2009.",
    voice: "angle",
    venues: ["kenilworth"],
    activity: 1,
    takes: "all",
    wins: 0.26,
    places: 0.42,
    types: MOSTLY_WIN,
    appeal: 1.2,
  },
  {
    mailbox: "nap.hand",
    name: "Zanele Mthembu",
    displayName: "Nap Hand",
    kind: "tipster",
    specialization: "One race a day",
    bio: "One card, one race, one horse. If I have to talk myself into it, you will not read it here.",
    voice: "form",
    venues: ["turffontein", "greyville", "kenilworth", "vaal", "scottsville", "fairview"],
    activity: 1,
    takes: "one",
    wins: 0.46,
    places: 0.55,
    types: WIN_ONLY,
    appeal: 2.1,
  },
  {
    mailbox: "sugar.coast",
    name: "Kavitha Pillay",
    displayName: "Sugar Coast",
    kind: "tipster",
    specialization: "Greyville polytrack and Scottsville sprints",
    bio: "Born within earshot of the Greyville bell. I specialise in front-runners, and in knowing when there are two of them.",
    voice: "clock",
    venues: ["greyville", "scottsville"],
    activity: 1,
    takes: "most",
    wins: 0.28,
    places: 0.45,
    types: MOSTLY_WIN,
    appeal: 1.3,
  },
  {
    mailbox: "straight.six",
    name: "Johan Steenkamp",
    displayName: "Straight Six",
    kind: "tipster",
    specialization: "Sprints down the Vaal straight",
    bio: "A straight course tells no lies. Six furlongs, six reasons, and a stopwatch older than most of the jockeys.",
    voice: "clock",
    venues: ["vaal", "turffontein"],
    activity: 0.9,
    takes: "most",
    wins: 0.23,
    places: 0.39,
    types: WIN_ONLY,
    appeal: 0.8,
  },
  {
    mailbox: "algoa.ann",
    name: "Ann Petersen",
    displayName: "Algoa Ann",
    kind: "tipster",
    specialization: "Fairview, turf and polytrack",
    bio: "Forty minutes from Fairview and there for every meeting. I tell you when the turf is still holding water.",
    voice: "paddock",
    venues: ["fairview"],
    activity: 1,
    takes: "all",
    wins: 0.27,
    places: 0.45,
    types: MOSTLY_WIN,
    appeal: 0.9,
  },
  {
    mailbox: "sectional.sam",
    name: "Sam Abrahams",
    displayName: "Sectional Sam",
    kind: "tipster",
    specialization: "Sectional times, all tracks",
    bio: "I time the last 400 of every runner, so you know who was finishing and who was only passing tired horses.",
    voice: "clock",
    venues: ["kenilworth", "greyville", "turffontein"],
    activity: 0.8,
    takes: "most",
    wins: 0.28,
    places: 0.44,
    types: MOSTLY_WIN,
    appeal: 1.7,
  },
  {
    mailbox: "longshot.lulu",
    name: "Lulama Sithole",
    displayName: "Longshot Lulu",
    kind: "tipster",
    specialization: "Outsiders",
    bio: "I would rather be wrong at 20 to 1 than right at even money. My strike rate is low and I say so.",
    voice: "angle",
    venues: ["scottsville", "vaal", "fairview"],
    activity: 0.8,
    takes: "most",
    wins: 0.17,
    places: 0.26,
    types: MOSTLY_WIN,
    appeal: 0.4,
  },
  {
    mailbox: "paddock.judge",
    name: "Elias Mokwena",
    displayName: "The Paddock Judge",
    kind: "tipster",
    specialization: "Condition and temperament, Highveld",
    bio: "Former groom. I look at coats, ears and what a horse does with its feet when the blacksmith passes.",
    voice: "paddock",
    venues: ["turffontein", "vaal"],
    activity: 0.7,
    takes: "most",
    wins: 0.24,
    places: 0.41,
    types: MOSTLY_WIN,
    appeal: 0.9,
  },
  {
    mailbox: "ringcraft",
    name: "Farouk Essop",
    displayName: "Ringcraft",
    kind: "tipster",
    specialization: "Each-way value in big fields",
    bio: "I look for horses with a fair chance of a place at a price that allows for the risk.",
    voice: "angle",
    venues: ["greyville", "kenilworth", "scottsville"],
    activity: 0.7,
    takes: "most",
    wins: 0.2,
    places: 0.34,
    types: EACH_WAY,
    appeal: 0.7,
  },
  {
    mailbox: "first.gallop",
    name: "Lindiwe Mabaso",
    displayName: "First Gallop",
    kind: "tipster",
    specialization: "Juveniles and maidens",
    bio: "New here. I have followed the two-year-old trials for three seasons and now I put my name to it.",
    voice: "paddock",
    venues: ["turffontein", "scottsville"],
    activity: 0.7,
    takes: "one",
    wins: 0.3,
    places: 0.42,
    types: MOSTLY_WIN,
    appeal: 0.4,
    sinceDays: 16,
  },
  {
    mailbox: "analyst1",
    name: "Naledi Khumalo",
    displayName: "Naledi Khumalo",
    kind: "analyst",
    specialization: "Highveld handicaps",
    bio: "Analyst at Furlong. Handicaps are a language, and I read it for a living.",
    voice: "form",
    venues: ["turffontein", "vaal"],
    activity: 0.5,
    takes: "most",
    wins: 0.27,
    places: 0.44,
    types: MOSTLY_WIN,
    appeal: 1,
    isIdleNow: true,
  },
  {
    mailbox: "analyst2",
    name: "Pieter Brandt",
    displayName: "Pieter Brandt",
    kind: "analyst",
    specialization: "Cape racing",
    bio: "Analyst at Furlong. Pace maps first, opinions after.",
    voice: "clock",
    venues: ["kenilworth", "fairview"],
    activity: 0.6,
    takes: "most",
    wins: 0.25,
    places: 0.42,
    types: MOSTLY_WIN,
    appeal: 0.9,
    isIdleNow: true,
  },
  {
    mailbox: "analyst3",
    name: "Ayesha Naidoo",
    displayName: "Ayesha Naidoo",
    kind: "analyst",
    specialization: "KwaZulu-Natal, turf and poly",
    bio: "Analyst at Furlong. I spend the mornings on the training tracks and the afternoons on the replays.",
    voice: "paddock",
    venues: ["greyville", "scottsville"],
    activity: 0.6,
    takes: "most",
    wins: 0.26,
    places: 0.43,
    types: MOSTLY_WIN,
    appeal: 0.9,
    isIdleNow: true,
  },
];

/** The demo's punters. How keen they are is how often they open a card on a race day. */
export type DemoBuyer = { mailbox: string; name: string; keenness: number };

const BUYERS_BY_KEENNESS: readonly (readonly [number, readonly string[]])[] = [
  [0.95, ["Sibusiso Dube", "Charlene Adams", "Vusi Maseko", "Gerhard Nel", "Priya Govender"]],
  [
    0.55,
    [
      "Lerato Molefe",
      "Yusuf Khan",
      "Dumisani Cele",
      "Marlene Fortuin",
      "Kagiso Tau",
      "Anton Visser",
      "Nokuthula Buthelezi",
      "Shaun Daniels",
      "Reshma Maharaj",
      "Tebogo Phiri",
      "Hendrik Louw",
      "Bongani Hadebe",
    ],
  ],
  [
    0.22,
    [
      "Wendy Solomons",
      "Thabo Sekgobela",
      "Estelle Marais",
      "Imraan Patel",
      "Zodwa Nkosi",
      "Craig Witbooi",
      "Mandla Shabangu",
      "Faith Mokgadi",
      "Deon Pretorius",
      "Ntombi Zulu",
      "Rashid Cassiem",
      "Lizelle Botha",
      "Sanele Gumede",
      "Keshnee Reddy",
      "Andile Mbatha",
      "Michelle October",
      "Oupa Lekota",
      "Ilse Kruger",
      "Siphokazi Mnguni",
      "Nathan Isaacs",
      "Palesa Moloi",
      "Trevor Jantjies",
    ],
  ],
];

export const BUYERS: readonly DemoBuyer[] = BUYERS_BY_KEENNESS.flatMap(([keenness, names]) =>
  names.map((name) => ({ mailbox: name.toLowerCase().replace(" ", "."), name, keenness })),
);

/** Every address of the demo's people; the domain is reserved for tests and reaches nobody. */
export function addressOf(mailbox: string): string {
  return `${mailbox}@furlong.test`;
}
