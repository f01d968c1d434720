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

export const MAX_RACES = 12;
export const MAX_HORSE_NUMBER = 30;
export const MAX_HORSE_NAME = 60;

/** Returns the text of a tip, composed from its fields. */
export function composeTipText(tip: {
  raceNumber: number;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  analysis: string;
}): string {
  return `Race ${tip.raceNumber}: #${tip.horseNumber} ${tip.horseName} (${tip.tipType}). ${tip.analysis}`;
}
