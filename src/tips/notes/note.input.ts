import * as v from "valibot";

export const MAX_NOTE_LENGTH = 500;

/** A note to the buyers of a race card. Line breaks count as one character, as in the browser. */
export const noteInput = v.object({
  idempotencyKey: v.pipe(v.string(), v.minLength(8), v.maxLength(100)),
  body: v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll("\r\n", "\n").trim()),
    v.minLength(1, "Please write a note"),
    v.maxLength(MAX_NOTE_LENGTH, `Note must be at most ${MAX_NOTE_LENGTH} characters long`),
  ),
});

export type NoteInput = v.InferOutput<typeof noteInput>;
