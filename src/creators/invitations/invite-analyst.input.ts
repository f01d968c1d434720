import * as v from "valibot";
import { emailInput, nameInput } from "#accounts/accounts.ui.tsx";
import { unambiguousName } from "#platform/readable-input.ts";

/** The form to invite an analyst. */
export const inviteAnalystInput = v.object({
  name: nameInput,
  email: emailInput,
  displayName: v.pipe(
    v.string("Please enter a display name"),
    v.trim(),
    v.minLength(2, "Display name must be at least 2 characters long"),
    v.maxLength(60, "Display name must be at most 60 characters long"),
    unambiguousName("Display name"),
  ),
});

export type InviteAnalystInput = v.InferOutput<typeof inviteAnalystInput>;
