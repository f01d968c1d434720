import * as v from "valibot";
import { nameInput, passwordInput, termsAcceptedInput } from "../accounts.input.ts";

/** The form with which an invited person without an account accepts. */
export const newAdminAccountInput = v.object({
  name: nameInput,
  password: passwordInput,
  agreed: termsAcceptedInput,
});
