import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import { changePassword, findViewer } from "#identity/identity.server.ts";
import {
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  tooManyAttemptsMessage,
  useFocusFirstError,
  WEAK_PASSWORD,
} from "#identity/identity.ui.tsx";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { isNetworkError } from "#ui/is-network-error.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/password.page.ts";

type ActionResult = { ok: boolean; message?: string; errors: Partial<Record<string, string>> };
const FIELDS = ["currentPassword", "newPassword", "confirmPassword"] as const;
const REQUIRED_MESSAGES = {
  currentPassword: "Please enter your current password",
  newPassword: "Please enter a new password",
  confirmPassword: "Please confirm the new password",
};

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Change Password", description: "Change your password.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  await requireCreator(context);
  const viewer = await findViewer(context);
  const form = await request.formData();
  const [currentPassword = "", newPassword = "", again = ""] = FIELDS.map((name) =>
    readField(form, name),
  );
  const refuse = (errors: ActionResult["errors"], message?: string, status = 422) =>
    data<ActionResult>({ ok: false, message, errors }, { status });
  const missing = FIELDS.filter((name) => readField(form, name) === "");
  if (missing.length > 0 || !viewer)
    return refuse(
      Object.fromEntries(missing.map((name) => [name, REQUIRED_MESSAGES[name]])),
      "All fields are required",
    );
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
  if (result.ok) return data<ActionResult>({ ok: true, errors: {} }, { headers: result.headers });
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

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Shows a message of its own if the server is unreachable. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    // Sets an error status, so that React Router does not revalidate the loaders.
    return data<ActionResult>(
      { ok: false, message: "An error occurred. Please try again.", errors: {} },
      { status: 503 },
    );
  }
}

/** Page to change the account password from the dashboard. */
export default function ChangePassword({ actionData: result }: Route.ComponentProps) {
  const form = useFocusFirstError(result);
  const isPending = useNavigation().formAction === "/tipster-dashboard/password";
  useEffect(() => {
    if (result?.ok) showToast({ type: "success", title: "Password updated successfully!" });
  }, [result]);
  const errors = result?.errors ?? {};
  return (
    <div className="max-w-md">
      <SectionHeading lead="You'll be logged out everywhere else.">Change Password</SectionHeading>
      <Form
        key={result?.ok ? "changed" : "open"}
        ref={form}
        method="post"
        noValidate
        className="mt-4 grid gap-4"
      >
        {result?.ok ? (
          <FormMessage type="success">Password updated successfully!</FormMessage>
        ) : null}
        {result?.message ? <FormMessage type="error">{result.message}</FormMessage> : null}
        <PasswordField
          label="Current Password"
          name="currentPassword"
          autoComplete="current-password"
          required
          error={errors.currentPassword}
        />
        <PasswordField
          label="New Password"
          name="newPassword"
          autoComplete="new-password"
          hint="Minimum 6 characters"
          required
          minLength={PASSWORD_MIN_LENGTH}
          error={errors.newPassword}
        />
        <PasswordField
          label="Confirm New Password"
          name="confirmPassword"
          autoComplete="new-password"
          required
          error={errors.confirmPassword}
        />
        <Button type="submit" pending={isPending} pendingLabel="Saving">
          Update Password
        </Button>
      </Form>
    </div>
  );
}
