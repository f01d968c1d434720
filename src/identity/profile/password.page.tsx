import { data, Form, useNavigation } from "react-router";
import * as v from "valibot";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { parseForm } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { passwordInput } from "../identity.input.ts";
import { tooManyAttemptsMessage, WEAK_PASSWORD } from "../messages.ts";
import { changePassword } from "../password/change-password.server.ts";
import { useFocusFirstError } from "../use-focus.ts";
import { requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/password.page.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

const input = v.pipe(
  v.object({
    currentPassword: v.pipe(v.string(), v.nonEmpty("Please enter your current password")),
    newPassword: passwordInput,
    again: v.string(),
  }),
  v.forward(
    v.partialCheck(
      [["newPassword"], ["again"]],
      ({ newPassword, again }) => newPassword === again,
      "New passwords don't match",
    ),
    ["again"],
  ),
);

type Errors = Partial<Record<string, string>>;

const refusals: Record<string, Errors> = {
  "wrong-password": { currentPassword: "Current password is incorrect" },
  "weak-password": { newPassword: WEAK_PASSWORD },
  "too-many-attempts": { form: tooManyAttemptsMessage() },
  busy: { form: SERVER_BUSY_MESSAGE },
};

export async function loader({ context, request }: Route.LoaderArgs) {
  await requireViewer(context, request);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const parsed = parseForm(input, await request.formData());
  if (!parsed.ok) return data({ ok: false, errors: parsed.errors as Errors }, { status: 422 });
  const result = await changePassword(viewer, parsed.values, request);
  if (result.ok) return data({ ok: true, errors: {} as Errors }, { headers: result.headers });
  return data({ ok: false, errors: refusals[result.refusal] ?? {} }, { status: 422 });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta = () =>
  pageMeta({
    title: "Change password",
    description: "Change your account password.",
    isPrivate: true,
  });

export default function ProfilePassword({ actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/password";
  const errors = actionData?.errors ?? {};
  const form = useFocusFirstError(actionData);
  return (
    <ProfileLayout title="Change password" lead="You'll be logged out everywhere else.">
      {actionData?.ok ? (
        <FormMessage type="success">Password updated successfully!</FormMessage>
      ) : (
        <Form ref={form} method="post" noValidate className="grid gap-4">
          {errors.form ? <FormMessage type="error">{errors.form}</FormMessage> : null}
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
          <PasswordField
            label="New password"
            name="newPassword"
            autoComplete="new-password"
            hint="Minimum 6 characters"
            required
            minLength={6}
            error={errors.newPassword}
          />
          <PasswordField
            label="Confirm New Password"
            name="again"
            autoComplete="new-password"
            required
            error={errors.again}
          />
          <Button type="submit" pending={isPending} pendingLabel="Saving">
            Update password
          </Button>
        </Form>
      )}
    </ProfileLayout>
  );
}
