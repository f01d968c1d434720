import * as v from "valibot";
import { readableText, unambiguousName } from "#platform/readable-input.ts";

export const MAX_BIO_LENGTH = 500;
export const MAX_SPECIALIZATION_LENGTH = 120;

export const displayNameInput = v.pipe(
  v.optional(v.string("Name is required"), ""),
  v.trim(),
  v.nonEmpty("Name is required"),
  v.minLength(2, "Name must be at least 2 characters long"),
  v.maxLength(60, "Name must be at most 60 characters long"),
  unambiguousName("Name"),
);

export const bioInput = v.pipe(
  v.optional(v.string(), ""),
  v.trim(),
  v.maxLength(MAX_BIO_LENGTH, `Bio must be at most ${MAX_BIO_LENGTH} characters long`),
  readableText("Bio"),
);

export const specializationInput = v.pipe(
  v.optional(v.string(), ""),
  v.trim(),
  v.maxLength(
    MAX_SPECIALIZATION_LENGTH,
    `Speciality must be at most ${MAX_SPECIALIZATION_LENGTH} characters long`,
  ),
);

/** The form with which a creator edits the public profile. */
export const editCreatorInput = v.object({
  name: displayNameInput,
  specialization: specializationInput,
  bio: bioInput,
});

export type EditCreatorInput = v.InferOutput<typeof editCreatorInput>;
