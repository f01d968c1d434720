import { Form, useNavigation } from "react-router";
import * as v from "valibot";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { emailInput } from "../accounts.input.ts";
import { tooManyAttemptsMessage } from "../messages.ts";
import { requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/email.page.ts";
import { requestEmailChange } from "./change-profile.server.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

const input = v.object({ email: emailInput });

const refusals = {
  "same-email": { status: 409, errors: { email: "This is already your email address." } },
  "email-taken": { status: 409, errors: { email: "Another account uses this email address." } },
  "too-many-emails": { status: 429, errors: { email: tooManyAttemptsMessage() } },
  "wrong-password": { status: 422, errors: { password: "Current password is incorrect" } },
  "too-many-attempts": { status: 429, errors: { password: tooManyAttemptsMessage() } },
  busy: { status: 503, errors: { password: SERVER_BUSY_MESSAGE } },
};

export async function loader({ context, request }: Route.LoaderArgs) {
  return { email: (await requireViewer(context, request)).email };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const form = await request.formData();
  return await handleForm(form, {
    input,
    run: ({ email }) =>
      requestEmailChange(viewer, { email, password: readField(form, "password") }),
    done: (_, { email }) => ({ ok: true as const, email }),
    refusals,
    keep: ["email"],
  });
}

export const meta = () =>
  pageMeta({
    title: "Change email",
    description: "Change the email address on your account.",
    isPrivate: true,
  });

export default function ProfileEmail({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/email";
  return (
    <ProfileLayout
      title="Change email"
      lead={
        <>
          Your address is <b className="break-all">{loaderData.email}</b>. It won't change until you
          confirm the new one.
        </>
      }
    >
      {actionData?.ok ? (
        <FormMessage type="success" title="Check your email">
          We've sent a link to {actionData.email}. Open it to confirm your new address.
        </FormMessage>
      ) : (
        <Form method="post" noValidate className="grid gap-4">
          <TextField
            label="New email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            required
            defaultValue={actionData?.values.email}
            error={actionData?.errors?.email}
          />
          <PasswordField
            label="Your password"
            name="password"
            autoComplete="current-password"
            required
            error={actionData?.errors?.password}
          />
          <Button type="submit" pending={isPending} pendingLabel="Sending">
            Send confirmation
          </Button>
        </Form>
      )}
    </ProfileLayout>
  );
}
