import { SURFACES } from "../race-day.ts";
import { CONFIDENCES, TIP_TYPES } from "../tip.ts";
import type { SettledTip } from "./figures.ts";
import { computeReturns, type Returns } from "./returns.ts";
import { computeStrikeRate, type StrikeRate } from "./strike-rate.ts";

/** Bands of race distances in metres. `unknown` if the distance was not reported. */
export const DISTANCE_BANDS = ["to-1200", "to-1600", "to-2000", "longer", "unknown"] as const;
export type DistanceBand = (typeof DISTANCE_BANDS)[number];

/** The figures of one slice of a track record. */
export type Slice<Key extends string = string> = {
  key: Key;
  settled: number;
  won: number;
  strikeRate: StrikeRate;
  startingPrice: Returns;
  tote: Returns;
};

/** A track record sliced in several ways. The slices of each kind add up to the totals. Empty slices are omitted. */
export type Slices = {
  /** By slug, most settled tips first. */
  venue: Slice[];
  distance: Slice<DistanceBand>[];
  type: Slice<SettledTip["tipType"]>[];
  confidence: Slice<SettledTip["confidence"]>[];
  surface: Slice<NonNullable<SettledTip["surface"]> | "unknown">[];
};

/** Slices a track record by venue, distance, tip type, confidence and surface. */
export function computeSlices(tips: readonly SettledTip[]): Slices {
  const venues = [...new Set(tips.map((tip) => tip.venueSlug))].sort();
  return {
    venue: slice(tips, venues, (tip) => tip.venueSlug).sort((a, b) => b.settled - a.settled),
    distance: slice(tips, DISTANCE_BANDS, (tip) => toDistanceBand(tip.distanceMetres)),
    type: slice(tips, TIP_TYPES, (tip) => tip.tipType),
    confidence: slice(tips, CONFIDENCES, (tip) => tip.confidence),
    surface: slice(tips, [...SURFACES, "unknown"] as const, (tip) => tip.surface ?? "unknown"),
  };
}

/** Returns the band of a distance: to 1,200 m, to 1,600 m, to 2,000 m, or longer. */
export function toDistanceBand(metres: number | null): DistanceBand {
  if (metres === null) return "unknown";
  if (metres <= 1200) return "to-1200";
  if (metres <= 1600) return "to-1600";
  return metres <= 2000 ? "to-2000" : "longer";
}

function slice<Key extends string>(
  tips: readonly SettledTip[],
  keys: readonly Key[],
  keyOf: (tip: SettledTip) => Key,
): Slice<Key>[] {
  const byKey = Map.groupBy(tips, keyOf);
  return keys.flatMap((key) => {
    const part = byKey.get(key) ?? [];
    const record = {
      settled: part.length,
      won: part.filter((tip) => tip.outcome !== "lost").length,
    };
    const strikeRate = computeStrikeRate(record);
    return strikeRate === null
      ? []
      : [
          {
            key,
            ...record,
            strikeRate,
            startingPrice: computeReturns(part, "starting-price"),
            tote: computeReturns(part, "tote"),
          },
        ];
  });
}
