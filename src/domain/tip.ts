import type { CalendarDate } from "./calendar.ts";

export const TIP_TYPES = ["win", "place", "each-way"] as const;
export type TipType = (typeof TIP_TYPES)[number];
export const TIP_TYPE_LABELS: Record<TipType, string> = {
  win: "Win",
  place: "Place",
  "each-way": "Each way",
};
export const SHORT_TIP_TYPES: Record<TipType, string> = {
  win: "Win",
  place: "Place",
  "each-way": "E/W",
};
/** Tip types as read in a sentence. */
export const SPOKEN_TIP_TYPES: Record<TipType, string> = {
  win: "to win",
  place: "to place",
  "each-way": "each way",
};

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const TIP_RESULTS = ["won", "lost", "void"] as const;
export type TipResult = (typeof TIP_RESULTS)[number];

/** The basis of a tip's result. */
export type ResultBasis = {
  /** True if the tipster reported it and neither an official result nor an admin confirmed it. */
  isClaim: boolean;
  /** True if it follows from the official result of the race. */
  isOfficial: boolean;
  /** The result that the tipster marked, even if a later result differs. */
  claimedResult: "won" | "lost" | null;
};

/**
 * A published tip with its selection, for those who may read it. Its analysis is not part of it, because it remains
 * paid content when the selection is public.
 */
export type Tip = ResultBasis & {
  id: string;
  raceCardId: string;
  raceDate: CalendarDate;
  venueName: string;
  raceNumber: number;
  /** Null while no off time is known. */
  offAt: Date | null;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  confidence: Confidence;
  result: TipResult | null;
  publishedAt: Date;
  /** True if it was published too late to count in the record. */
  isLate: boolean;
  /** True if an admin hid it. It still counts in the record. */
  isHidden: boolean;
};

/**
 * What everyone may know of a tip before it is opened or public. A value that has a selection or an analysis is not
 * assignable, so that neither can be sent to someone who has not opened the race card.
 */
export type LockedTip = Pick<Tip, "raceNumber" | "offAt" | "tipType" | "confidence"> & {
  [Secret in "horseNumber" | "horseName" | "analysis"]?: never;
};

export const MAX_RACES = 12;
export const MAX_HORSE_NUMBER = 30;
export const MAX_HORSE_NAME = 60;

/** Returns the text of a tip, composed from its fields. */
export function composeTipText(
  tip: Pick<Tip, "raceNumber" | "horseNumber" | "horseName" | "tipType"> & { analysis: string },
): string {
  return `Race ${tip.raceNumber}: #${tip.horseNumber} ${tip.horseName} (${tip.tipType}). ${tip.analysis}`;
}
