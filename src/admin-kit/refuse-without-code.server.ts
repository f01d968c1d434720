import type { RouterContextProvider } from "react-router";
import { confirmCode, type Viewer } from "#accounts/accounts.server.ts";
import {
  ACTION_CODE_REQUIRED,
  TWO_STEP_OFF,
  tooManyAttemptsMessage,
  WRONG_CODE,
} from "#accounts/accounts.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { refusalMessages } from "./refusal-messages.ts";

/** Messages and statuses when an action that moves money is not confirmed with a code. */
const codeRefusals = refusalMessages({
  "code-required": [ACTION_CODE_REQUIRED, 401],
  "wrong-code": [WRONG_CODE, 401],
  "two-step-off": [TWO_STEP_OFF, 403],
  "too-many-attempts": [tooManyAttemptsMessage(), 429],
});

/** Returns the message and status of the refusal if a form's `code` does not confirm the action, otherwise null. */
export async function refuseWithoutCode(
  admin: Viewer,
  context: Readonly<RouterContextProvider>,
  form: FormData,
): Promise<readonly [message: string, status: number] | null> {
  const confirmation = await confirmCode(admin, context, readField(form, "code"));
  return confirmation === "confirmed" ? null : codeRefusals[confirmation];
}
