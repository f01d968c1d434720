import * as v from "valibot";

export const MAX_NOTE_LENGTH = 1000;

/** The form of an admin's note about a user. */
export const userNoteInput = v.object({
  kind: v.fallback(v.picklist(["note", "complaint"]), "note"),
  text: v.pipe(
    v.string("Please enter a note"),
    v.maxLength(MAX_NOTE_LENGTH * 2, `A note must be at most ${MAX_NOTE_LENGTH} characters long`),
    v.transform((text) => text.replaceAll("\r\n", "\n").trim()),
    v.nonEmpty("Please enter a note"),
    v.maxLength(MAX_NOTE_LENGTH, `A note must be at most ${MAX_NOTE_LENGTH} characters long`),
  ),
});

export type UserNoteInput = v.InferOutput<typeof userNoteInput>;
