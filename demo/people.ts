import type { TipType } from "#domain/tip.ts";

/** The kind of evidence that a creator's analyses use. */
export type Voice = "paddock" | "clock" | "form" | "angle";

export type DemoCreator = {
  /** The part of the email address before the @, which identifies the account. */
  accountName: string;
  name: string;
  displayName: string;
  kind: "tipster" | "analyst";
  specialization: string;
  bio: string;
  voice: Voice;
  /** Slugs of the venues they cover, favourite first. */
  venues: readonly string[];
  /**
   * The probability, from 0 to 1, of a race card at their favourite venue that races; 60 % of it at
   * others.
   */
  activity: number;
  /** How many races of a meeting they tip. */
  coverage: "all" | "most" | "one";
  /** The probability, from 0 to 1, that a win tip wins. */
  winRate: number;
  /** The probability, from 0 to 1, that a place or each-way tip is placed. */
  placeRate: number;
  types: readonly TipType[];
  /** The relative demand for their cards; 1 is average. */
  appeal: number;
  /** Days since their approval; by default the start of the demo's history. */
  sinceDays?: number;
  /**
   * Leaves work that a visitor can try: publishes nothing for today and tomorrow, and marks results
   * two days late.
   */
  hasWorkForVisitors?: boolean;
};

const MOSTLY_WIN: readonly TipType[] = ["win", "win", "win", "win", "place", "each-way"];
const WIN_ONLY: readonly TipType[] = ["win"];
const EACH_WAY: readonly TipType[] = ["each-way", "each-way", "place", "win"];

/** The demo's tipsters and analysts. All of them are fictional. */
export const CREATORS: readonly DemoCreator[] = [
  {
    accountName: "tipster",
    name: "Mpho Ndaba",
    displayName: "Standside",
    kind: "tipster",
    specialization: "Turffontein and the Vaal",
    bio: "Twelve years on the Highveld, most of them on the rail at the 400. I watch every race twice before I write a line.",
    voice: "form",
    venues: ["turffontein", "vaal"],
    activity: 1,
    coverage: "most",
    winRate: 0.27,
    placeRate: 0.44,
    types: MOSTLY_WIN,
    appeal: 1.5,
    hasWorkForVisitors: true,
  },
  {
    accountName: "cape.doctor",
    name: "Riaan Jacobs",
    displayName: "Cape Doctor",
    kind: "tipster",
    specialization: "Kenilworth, and what the wind does to it",
    bio: "Named after the south-easter. I have recorded the wind at every Kenilworth meeting since 2009.",
    voice: "angle",
    venues: ["kenilworth"],
    activity: 1,
    coverage: "all",
    winRate: 0.26,
    placeRate: 0.42,
    types: MOSTLY_WIN,
    appeal: 1.2,
  },
  {
    accountName: "nap.hand",
    name: "Zanele Mthembu",
    displayName: "Nap Hand",
    kind: "tipster",
    specialization: "One race a day",
    bio: "One card, one race, one horse. If I have to talk myself into it, you will not read it here.",
    voice: "form",
    venues: ["turffontein", "greyville", "kenilworth", "vaal", "scottsville", "fairview"],
    activity: 1,
    coverage: "one",
    winRate: 0.38,
    placeRate: 0.55,
    types: WIN_ONLY,
    appeal: 2.1,
  },
  {
    accountName: "sugar.coast",
    name: "Kavitha Pillay",
    displayName: "Sugar Coast",
    kind: "tipster",
    specialization: "Greyville polytrack and Scottsville sprints",
    bio: "Born within earshot of the Greyville bell. I specialise in front-runners, and in knowing when there are two of them.",
    voice: "clock",
    venues: ["greyville", "scottsville"],
    activity: 1,
    coverage: "most",
    winRate: 0.28,
    placeRate: 0.45,
    types: MOSTLY_WIN,
    appeal: 1.3,
  },
  {
    accountName: "straight.six",
    name: "Johan Steenkamp",
    displayName: "Straight Six",
    kind: "tipster",
    specialization: "Sprints down the Vaal straight",
    bio: "A straight course tells no lies. Six furlongs, six reasons, and a stopwatch older than most of the jockeys.",
    voice: "clock",
    venues: ["vaal", "turffontein"],
    activity: 0.9,
    coverage: "most",
    winRate: 0.23,
    placeRate: 0.39,
    types: WIN_ONLY,
    appeal: 0.8,
  },
  {
    accountName: "algoa.ann",
    name: "Ann Petersen",
    displayName: "Algoa Ann",
    kind: "tipster",
    specialization: "Fairview, turf and polytrack",
    bio: "Forty minutes from Fairview and there for every meeting. I tell you when the turf is still holding water.",
    voice: "paddock",
    venues: ["fairview"],
    activity: 1,
    coverage: "all",
    winRate: 0.27,
    placeRate: 0.45,
    types: MOSTLY_WIN,
    appeal: 0.9,
  },
  {
    accountName: "sectional.sam",
    name: "Sam Abrahams",
    displayName: "Sectional Sam",
    kind: "tipster",
    specialization: "Sectional times, all tracks",
    bio: "I time the last 400 of every runner, so you know who was finishing and who was only passing tired horses.",
    voice: "clock",
    venues: ["kenilworth", "greyville", "turffontein"],
    activity: 0.8,
    coverage: "most",
    winRate: 0.28,
    placeRate: 0.44,
    types: MOSTLY_WIN,
    appeal: 1.7,
  },
  {
    accountName: "longshot.lulu",
    name: "Lulama Sithole",
    displayName: "Longshot Lulu",
    kind: "tipster",
    specialization: "Outsiders",
    bio: "I would rather be wrong at 20 to 1 than right at even money. My strike rate is low and I say so.",
    voice: "angle",
    venues: ["scottsville", "vaal", "fairview"],
    activity: 0.8,
    coverage: "most",
    winRate: 0.17,
    placeRate: 0.26,
    types: MOSTLY_WIN,
    appeal: 0.4,
  },
  {
    accountName: "paddock.judge",
    name: "Elias Mokwena",
    displayName: "The Paddock Judge",
    kind: "tipster",
    specialization: "Condition and temperament, Highveld",
    bio: "Former groom. I look at coats, ears and what a horse does with its feet when the blacksmith passes.",
    voice: "paddock",
    venues: ["turffontein", "vaal"],
    activity: 0.7,
    coverage: "most",
    winRate: 0.24,
    placeRate: 0.41,
    types: MOSTLY_WIN,
    appeal: 0.9,
  },
  {
    accountName: "ringcraft",
    name: "Farouk Essop",
    displayName: "Ringcraft",
    kind: "tipster",
    specialization: "Each-way value in big fields",
    bio: "I look for horses with a fair chance of a place at a price that allows for the risk.",
    voice: "angle",
    venues: ["greyville", "kenilworth", "scottsville"],
    activity: 0.7,
    coverage: "most",
    winRate: 0.2,
    placeRate: 0.34,
    types: EACH_WAY,
    appeal: 0.7,
  },
  {
    accountName: "first.gallop",
    name: "Lindiwe Mabaso",
    displayName: "First Gallop",
    kind: "tipster",
    specialization: "Juveniles and maidens",
    bio: "New here. I have followed the two-year-old trials for three seasons and now I put my name to it.",
    voice: "paddock",
    venues: ["turffontein", "scottsville"],
    activity: 0.7,
    coverage: "one",
    winRate: 0.3,
    placeRate: 0.42,
    types: MOSTLY_WIN,
    appeal: 0.4,
    sinceDays: 16,
  },
  {
    accountName: "analyst1",
    name: "Naledi Khumalo",
    displayName: "Naledi Khumalo",
    kind: "analyst",
    specialization: "Highveld handicaps",
    bio: "Analyst at Furlong. Handicaps are a language, and I read it for a living.",
    voice: "form",
    venues: ["turffontein", "vaal"],
    activity: 0.5,
    coverage: "most",
    winRate: 0.27,
    placeRate: 0.44,
    types: MOSTLY_WIN,
    appeal: 1,
    hasWorkForVisitors: true,
  },
  {
    accountName: "analyst2",
    name: "Pieter Brandt",
    displayName: "Pieter Brandt",
    kind: "analyst",
    specialization: "Cape racing",
    bio: "Analyst at Furlong. Pace maps first, opinions after.",
    voice: "clock",
    venues: ["kenilworth", "fairview"],
    activity: 0.6,
    coverage: "most",
    winRate: 0.25,
    placeRate: 0.42,
    types: MOSTLY_WIN,
    appeal: 0.9,
    hasWorkForVisitors: true,
  },
  {
    accountName: "analyst3",
    name: "Ayesha Naidoo",
    displayName: "Ayesha Naidoo",
    kind: "analyst",
    specialization: "KwaZulu-Natal, turf and poly",
    bio: "Analyst at Furlong. I spend the mornings on the training tracks and the afternoons on the replays.",
    voice: "paddock",
    venues: ["greyville", "scottsville"],
    activity: 0.6,
    coverage: "most",
    winRate: 0.26,
    placeRate: 0.43,
    types: MOSTLY_WIN,
    appeal: 0.9,
    hasWorkForVisitors: true,
  },
];

/**
 * A punter of the demo. `keenness` is the probability, from 0 to 1, of opening race cards on a race
 * day.
 */
export type DemoBuyer = { accountName: string; name: string; keenness: number };

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
  names.map((name) => ({ accountName: name.toLowerCase().replace(" ", "."), name, keenness })),
);

/** The punter whose account visitors try. Opens race cards as `planPunterSales` has it. */
export const PUNTER: DemoBuyer = { accountName: "punter", name: "Jabu Nkomo", keenness: 0.3 };

/** Returns an email address at a domain that is reserved for tests. */
export function toDemoEmail(accountName: string): string {
  return `${accountName}@furlong.test`;
}
