import * as v from "valibot";
import { reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { emailInput } from "../identity.input.ts";

const currentPasswordInput = v.pipe(
  v.string("Please enter your password"),
  v.minLength(1, "Please enter your password"),
  v.maxLength(128, "Password is incorrect."),
);

/** The form that invites an admin. */
export const inviteAdminInput = v.object({ email: emailInput, password: currentPasswordInput });

/** The form that removes an admin. */
export const removeAdminInput = v.object({ reason: reasonInput, password: currentPasswordInput });
