import * as v from "valibot";
import { reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { emailInput } from "../accounts.input.ts";

/** The form that invites an admin. */
export const inviteAdminInput = v.object({ email: emailInput });

/** The form that removes an admin. */
export const removeAdminInput = v.object({ reason: reasonInput });
