import * as v from "valibot";
import { UNLOCK_REFUSALS } from "#domain/refusal.ts";
import { CONFIDENCES, TIP_RESULTS, TIP_TYPES } from "#domain/tip.ts";

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

/** The fields of a tip that are public from midnight after its race date. */
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
      teaser: v.string(),
      tips: v.array(v.union([openedTip, publicTip, lockedTip])),
    }),
  ),
  next: v.nullable(v.string()),
});

export const unlockResponse = v.strictObject({
  coins: v.number(),
  alreadyOpen: v.boolean(),
  tips: v.array(openedTip),
});

export const errorBody = v.looseObject({ error: v.string() });

export const unlockRefusal = v.strictObject({
  error: v.string(),
  refusal: v.picklist(UNLOCK_REFUSALS),
  acknowledgedRacesRun: v.optional(v.number()),
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
