import * as v from "valibot";
import { DISTANCE_BANDS } from "#domain/figures/slices.ts";
import { SURFACES } from "#domain/race-day.ts";
import { UNLOCK_REFUSALS } from "#domain/refusal.ts";
import { VOID_REASONS } from "#domain/settlement.ts";
import { CONFIDENCES, TIP_RESULTS, TIP_TYPES } from "#domain/tip.ts";
import { TIP_STATUSES } from "#tips/tips.server.ts";

const instant = v.pipe(v.string(), v.isoTimestamp());
const date = v.pipe(v.string(), v.isoDate());

/** The fields of a tip that are always public. */
export const lockedTip = v.strictObject({
  raceNumber: v.number(),
  offAt: v.nullable(v.string()),
  tipType: v.picklist(TIP_TYPES),
  confidence: v.picklist(CONFIDENCES),
});

/** The result of a tip and what it is based on. */
const tipResult = {
  result: v.nullable(v.picklist(TIP_RESULTS)),
  /** The tipster marked it, and no official result has confirmed it yet. */
  isClaim: v.boolean(),
  /** It follows the official result of the race. */
  isOfficial: v.boolean(),
  /** What the tipster marked. The official result may contradict it. */
  claimedResult: v.nullable(v.picklist(["won", "lost"])),
};

/** The fields of a public tip: once its race has an official result, at midnight after its race date at the latest. */
export const publicTip = v.strictObject({
  ...lockedTip.entries,
  horseNumber: v.number(),
  horseName: v.string(),
  ...tipResult,
  publishedAt: instant,
});

/** A tip of an opened race card. */
export const openedTip = v.strictObject({
  ...lockedTip.entries,
  id: v.pipe(v.string(), v.uuid()),
  horseNumber: v.number(),
  horseName: v.string(),
  analysis: v.string(),
  ...tipResult,
  isLate: v.boolean(),
  publishedAt: v.string(),
  /** When its horse was scratched; null while it runs. */
  scratchedAt: v.nullable(v.string()),
});

export const raceCardsResponse = v.strictObject({
  raceCards: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.uuid()),
      venue: v.string(),
      date,
      tipster: v.string(),
      price: v.number(),
      priceCents: v.number(),
      opened: v.boolean(),
      onSale: v.boolean(),
      /** False until the off time of one of its races is reported; absent for past race cards. */
      meetingConfirmed: v.optional(v.boolean()),
      racesRun: v.number(),
      /** The selections that are not sold, because their horses are scratched; absent for past race cards. */
      scratchedRaces: v.optional(v.number()),
      teaser: v.string(),
      tips: v.array(v.union([openedTip, publicTip, lockedTip])),
    }),
  ),
  next: v.nullable(v.string()),
});

export const unlockResponse = v.strictObject({
  coins: v.number(),
  alreadyOpen: v.boolean(),
  /** The races sold; `tips` has the scratched and void ones too. */
  raceCount: v.number(),
  tips: v.array(openedTip),
});

export const errorBody = v.looseObject({ error: v.string() });

export const unlockRefusal = v.strictObject({
  error: v.string(),
  refusal: v.picklist(UNLOCK_REFUSALS),
  /** How many races have been run, to be acknowledged; absent for other refusals. */
  racesRun: v.optional(v.number()),
});

export const meResponse = v.strictObject({
  user: v.strictObject({
    id: v.pipe(v.string(), v.uuid()),
    name: v.string(),
    email: v.pipe(v.string(), v.email()),
    coins: v.number(),
    roles: v.array(v.picklist(["user", "tipster", "analyst", "admin"])),
  }),
});

export const signInInput = v.object({
  email: v.pipe(v.string(), v.email()),
  password: v.string(),
  /** The one-time code of an account with two-step login. */
  code: v.optional(v.string()),
});

const id = v.pipe(v.string(), v.uuid());

export const checkoutInput = v.object({
  packageId: v.string(),
  coins: v.optional(v.number()),
  price: v.optional(v.number()),
  title: v.optional(v.string()),
  currency: v.optional(v.string()),
  customerEmail: v.optional(v.string()),
  customerName: v.optional(v.string()),
  successUrl: v.optional(v.string()),
  cancelUrl: v.optional(v.string()),
  /** For guests: the id of a race card or of one of its tips. */
  tipToUnlock: v.optional(v.union([id, v.object({ id })])),
  userRegistration: v.optional(
    v.object({
      email: v.string(),
      name: v.string(),
      password: v.string(),
      /** True when the person is 18 or older and agrees to the terms. */
      agreed: v.literal(true),
    }),
  ),
});

export const checkoutResponse = v.strictObject({ sessionId: v.string(), url: v.string() });

export const receiptInput = v.object({
  transactionId: v.string(),
  email: v.optional(v.string()),
});

export const welcomeInput = v.object({ email: v.string(), name: v.optional(v.string()) });

export const okResponse = v.strictObject({ ok: v.literal(true) });

export const applicationBody = v.object({
  email: v.string(),
  fullName: v.string(),
  displayName: v.string(),
  phoneNumber: v.optional(v.string()),
  experience: v.optional(v.union([v.string(), v.number()])),
  specialization: v.optional(v.string()),
  favoriteTracks: v.optional(v.string()),
  bio: v.optional(v.string()),
});

export const notificationBody = v.object({
  to: v.optional(v.string()),
  tipData: v.object({ venue: v.string(), race_date: date }),
});

export const profileBody = v.object({
  name: v.string(),
  specialization: v.optional(v.string()),
  bio: v.optional(v.string()),
});

export const profileImageBody = v.object({ imageData: v.string() });

export const successResponse = v.looseObject({ success: v.literal(true) });

export const standingsResponse = v.strictObject({
  leaderboard: v.array(
    v.strictObject({
      rank: v.number(),
      id: v.pipe(v.string(), v.uuid()),
      slug: v.string(),
      name: v.string(),
      profile_image: v.nullable(v.string()),
      total_tips: v.number(),
      settled_tips: v.number(),
      won_tips: v.number(),
      has_one_person_results: v.boolean(),
      total_sales: v.number(),
      total_earnings: v.number(),
      win_rate: v.nullable(v.number()),
      score: v.number(),
    }),
  ),
});

export const venuesResponse = v.strictObject({
  venues: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.uuid()),
      slug: v.string(),
      name: v.string(),
      location: v.string(),
      total_races: v.number(),
      status: v.nullable(v.picklist(["racing", "next", "upcoming"])),
      going: v.nullable(v.string()),
      weather: v.nullable(v.string()),
      temperature_celsius: v.nullable(v.number()),
      source: v.nullable(v.string()),
      reported_at: v.nullable(instant),
    }),
  ),
});

const percentRange = { lowPercent: v.number(), highPercent: v.number() };
const strikeRate = v.strictObject({ percent: v.number(), ...percentRange });

/** Stakes and returns on one basis, in cents. */
const returns = v.strictObject({
  tips: v.number(),
  unpriced: v.number(),
  stakedCents: v.number(),
  returnedCents: v.number(),
  profitCents: v.number(),
  profitAfterTaxCents: v.number(),
  yieldPercent: v.nullable(v.number()),
  yieldAfterTaxPercent: v.nullable(v.number()),
  yieldRange: v.nullable(v.strictObject(percentRange)),
});

const createSlices = (key: v.GenericSchema) =>
  v.array(
    v.strictObject({
      key,
      settled: v.number(),
      won: v.number(),
      strikeRate,
      startingPrice: returns,
      tote: returns,
    }),
  );

const outcome = v.picklist(["won", "placed", "lost"]);

/** The type Figures of src/domain/figures. */
const figures = v.strictObject({
  settled: v.number(),
  won: v.number(),
  strikeRate: v.nullable(strikeRate),
  startingPrice: returns,
  tote: returns,
  afterCards: v.strictObject({
    cards: v.number(),
    costCents: v.number(),
    startingPriceProfitCents: v.number(),
    toteProfitCents: v.number(),
  }),
  luck: v.nullable(
    v.strictObject({
      tips: v.number(),
      won: v.number(),
      expectedWins: v.number(),
      actualToExpected: v.number(),
      chance: v.number(),
    }),
  ),
  longestLosingRun: v.number(),
  worstDrawdown: v.strictObject({
    cents: v.number(),
    from: v.nullable(date),
    until: v.nullable(date),
  }),
  againstFavourite: v.strictObject({
    tips: v.number(),
    stakedCents: v.number(),
    profitCents: v.number(),
    favouriteProfitCents: v.number(),
  }),
  series: v.array(
    v.strictObject({
      raceDate: date,
      tips: v.number(),
      profitCents: v.number(),
      drawdownCents: v.number(),
      favouriteProfitCents: v.number(),
    }),
  ),
  form: v.array(outcome),
  slices: v.strictObject({
    venue: createSlices(v.string()),
    distance: createSlices(v.picklist(DISTANCE_BANDS)),
    type: createSlices(v.picklist(TIP_TYPES)),
    confidence: createSlices(v.picklist(CONFIDENCES)),
    surface: createSlices(v.picklist([...SURFACES, "unknown"])),
  }),
});

const settledBet = v.nullable(
  v.strictObject({
    stakeCents: v.number(),
    startingPriceReturnCents: v.nullable(v.number()),
    toteReturnCents: v.nullable(v.number()),
  }),
);

/** The record of a creator: figures, and every revealed tip. */
export const recordResponse = v.strictObject({
  tipster: v.strictObject({
    slug: v.string(),
    name: v.string(),
    /** Null unless an admin suspended the tipster. */
    suspendedAt: v.nullable(v.string()),
  }),
  rules: v.string(),
  stakeCents: v.number(),
  raceCardPriceCents: v.number(),
  taxPercent: v.number(),
  creatorsRecorded: v.number(),
  computedAt: v.nullable(instant),
  voidTips: v.number(),
  lateTips: v.number(),
  figures: v.nullable(figures),
  tips: v.array(
    v.strictObject({
      id,
      raceCardId: id,
      raceDate: date,
      venueSlug: v.string(),
      raceNumber: v.number(),
      offAt: v.nullable(instant),
      distanceMetres: v.nullable(v.number()),
      surface: v.nullable(v.picklist(SURFACES)),
      horseNumber: v.number(),
      horseName: v.string(),
      tipType: v.picklist(TIP_TYPES),
      confidence: v.picklist(CONFIDENCES),
      publishedAt: instant,
      isLate: v.boolean(),
      isHidden: v.boolean(),
      status: v.picklist(TIP_STATUSES),
      result: v.nullable(v.picklist(TIP_RESULTS)),
      claimedResult: v.nullable(v.picklist(["won", "lost"])),
      outcome: v.nullable(v.union([outcome, v.literal("void")])),
      voidReason: v.nullable(v.picklist(VOID_REASONS)),
      position: v.nullable(v.number()),
      deadHeatCount: v.nullable(v.number()),
      startingPrice: v.nullable(v.strictObject({ numerator: v.number(), denominator: v.number() })),
      win: settledBet,
      place: settledBet,
      expectedWin: v.nullable(v.number()),
      favouriteReturnCents: v.nullable(v.number()),
      resultVersion: v.nullable(v.number()),
      rules: v.nullable(v.string()),
      entry: v.nullable(v.number()),
      logIndex: v.nullable(v.number()),
    }),
  ),
});
