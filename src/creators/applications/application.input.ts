import * as v from "valibot";
import { emailInput } from "#accounts/accounts.ui.tsx";
import { unambiguousName } from "#platform/readable-input.ts";
import { bioInput, specializationInput } from "../profile/edit-creator.input.ts";

export const REQUIRED_FIELDS_MISSING = "Email, full name and display name are required";
const INVALID_EXPERIENCE = "Experience must be a number from 0 to 50";

// A missing field gets the same message as an empty one.
const required = (maxLength: number, name: string) =>
  v.pipe(
    v.optional(v.string(REQUIRED_FIELDS_MISSING), ""),
    v.trim(),
    v.nonEmpty(REQUIRED_FIELDS_MISSING),
    v.maxLength(maxLength, `${name} must be at most ${maxLength} characters long`),
  );
const optional = (maxLength: number, name: string) =>
  v.pipe(
    v.optional(v.string(), ""),
    v.trim(),
    v.maxLength(maxLength, `${name} must be at most ${maxLength} characters long`),
  );

/** The tipster application. Other fields are ignored. */
export const applicationInput = v.object({
  email: v.pipe(required(254, "Email"), emailInput),
  fullName: v.pipe(required(120, "Full name"), unambiguousName("Full name")),
  displayName: v.pipe(
    required(60, "Display name"),
    v.minLength(2, "Display name must be at least 2 characters long"),
    unambiguousName("Display name"),
  ),
  phoneNumber: optional(40, "Phone number"),
  experienceYears: v.pipe(
    v.optional(v.nullable(v.union([v.string(), v.number()])), null),
    v.transform((value) => (value === null || value === "" ? null : Number(value))),
    v.nullable(
      v.pipe(
        v.number(INVALID_EXPERIENCE),
        v.integer(INVALID_EXPERIENCE),
        v.minValue(0, INVALID_EXPERIENCE),
        v.maxValue(50, INVALID_EXPERIENCE),
      ),
    ),
  ),
  specialization: specializationInput,
  favouriteTracks: optional(200, "Favourite tracks"),
  bio: bioInput,
});

export type ApplicationInput = v.InferOutput<typeof applicationInput>;
