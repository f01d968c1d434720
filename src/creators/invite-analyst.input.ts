import * as v from "valibot";
import { emailInput, nameInput } from "#identity/identity.ui.tsx";
import { plainName } from "./plain-name.ts";

/** Whom the operator invites to write as an analyst, and the name it is published under. */
export const inviteAnalystInput = v.object({
  name: nameInput,
  email: emailInput,
  displayName: v.pipe(
    v.string("Please enter a display name"),
    v.trim(),
    v.minLength(2, "A display name has at least 2 characters"),
    v.maxLength(60, "A display name has at most 60 characters"),
    plainName,
  ),
});

export type InviteAnalystInput = v.InferOutput<typeof inviteAnalystInput>;
