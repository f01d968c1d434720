import { data, type RouterContextProvider } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
import type { ChangePasswordFormResult } from "../form-results.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../identity.input.ts";
import { tooManyAttemptsMessage, WEAK_PASSWORD } from "../messages.ts";
import type { Viewer } from "../viewer.server.ts";
import { changePassword } from "./change-password.server.ts";

const REQUIRED_MESSAGES = {
  currentPassword: "Please enter your current password",
  newPassword: "Please enter a new password",
  confirmPassword: "Please confirm the new password",
};

/** Handles the form that changes the viewer's password. */
export async function handleChangePassword(
  viewer: Viewer,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  const form = await request.formData();
  const [currentPassword, newPassword, again] = [
    readField(form, "currentPassword"),
    readField(form, "newPassword"),
    readField(form, "confirmPassword"),
  ];
  const refuse = (errors: ChangePasswordFormResult["errors"], message?: string, status = 422) =>
    data<ChangePasswordFormResult>({ ok: false, message, errors }, { status });
  const missing = Object.entries(REQUIRED_MESSAGES).filter(([name]) => !readField(form, name));
  if (missing.length > 0) return refuse(Object.fromEntries(missing), "All fields are required");
  if (newPassword !== again) return refuse({ confirmPassword: "New passwords don't match" });
  if (newPassword.length < PASSWORD_MIN_LENGTH)
    return refuse({ newPassword: "New password must be at least 6 characters" });
  if (newPassword.length > PASSWORD_MAX_LENGTH)
    return refuse({
      newPassword: `New password must be at most ${PASSWORD_MAX_LENGTH} characters`,
    });
  const result = await changePassword(viewer, { currentPassword, newPassword }, request).catch(
    (error: unknown) =>
      failureMessage(error, {
        description: "Failed to update password",
        requestId: getRequestDetails(context).id,
      }),
  );
  if ("details" in result)
    return refuse({}, `Failed to update password. ${result.details}`, result.status);
  if (result.ok)
    return data<ChangePasswordFormResult>({ ok: true, errors: {} }, { headers: result.headers });
  switch (result.refusal) {
    case "wrong-password":
      return refuse({ currentPassword: "Current password is incorrect" });
    case "weak-password":
      return refuse({ newPassword: WEAK_PASSWORD });
    case "too-many-attempts":
      return refuse({}, tooManyAttemptsMessage(), 429);
    case "busy":
      return refuse({}, `Error verifying current password. ${SERVER_BUSY_MESSAGE}`, 503);
  }
}
