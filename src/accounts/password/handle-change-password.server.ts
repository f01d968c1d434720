import { data, type RouterContextProvider } from "react-router";
import * as v from "valibot";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../accounts.input.ts";
import { tooManyAttemptsMessage, WEAK_PASSWORD } from "../messages.ts";
import type { Viewer } from "../viewer.server.ts";
import { changePassword } from "./change-password.server.ts";

/** A missing field gets the same message as an empty one. */
const required = (message: string) =>
  v.pipe(v.optional(v.string(message), ""), v.nonEmpty(message));
const input = v.object({
  currentPassword: required("Please enter your current password"),
  newPassword: required("Please enter a new password"),
  confirmPassword: required("Please confirm the new password"),
});

/** Handles the form that changes the viewer's password. */
export async function handleChangePassword(
  viewer: Viewer,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  const { id: requestId } = getRequestDetails(context);
  return await handleForm(await request.formData(), {
    input,
    invalid: (errors) => ({ message: "All fields are required", errors }),
    check: ({ newPassword, confirmPassword }) => {
      if (newPassword !== confirmPassword)
        return { errors: { confirmPassword: "New passwords don't match" } };
      const problem =
        newPassword.length < PASSWORD_MIN_LENGTH
          ? `at least ${PASSWORD_MIN_LENGTH} characters`
          : newPassword.length > PASSWORD_MAX_LENGTH
            ? `at most ${PASSWORD_MAX_LENGTH} characters`
            : null;
      return problem ? { errors: { newPassword: `New password must be ${problem}` } } : null;
    },
    run: (passwords) => changePassword(viewer, passwords, request),
    done: ({ headers }) => data({ ok: true as const }, { headers }),
    refusals: {
      "wrong-password": { errors: { currentPassword: "Current password is incorrect" } },
      "weak-password": { errors: { newPassword: WEAK_PASSWORD } },
      "too-many-attempts": [tooManyAttemptsMessage(), 429],
      busy: [`Error verifying current password. ${SERVER_BUSY_MESSAGE}`, 503],
    },
    failed: (error) => failureMessage(error, "Failed to update password.", { requestId }),
  });
}
