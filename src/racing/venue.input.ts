import * as v from "valibot";
import { readableText, unambiguousName } from "#platform/readable-input.ts";

const MAX_TOTAL_RACES = 99;

/** The venue form. A total of races that is not a number becomes 0. */
export const venueInput = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Name is required"),
    v.maxLength(80, "Name must be at most 80 characters long"),
    unambiguousName("Name"),
  ),
  location: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Location is required"),
    v.maxLength(120, "Location must be at most 120 characters long"),
    readableText("Location"),
  ),
  totalRaces: v.pipe(
    v.union([v.pipe(v.string(), v.trim(), v.nonEmpty("Total races is required")), v.number()]),
    v.transform((value) => Math.trunc(Number(value)) || 0),
    v.minValue(0, "Total races must be 0 or more"),
    v.maxValue(MAX_TOTAL_RACES, `Total races must be at most ${MAX_TOTAL_RACES}`),
  ),
  isActive: v.optional(v.boolean(), true),
});

export type VenueInput = v.InferOutput<typeof venueInput>;
