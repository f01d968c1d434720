import { data, Form, useNavigation } from "react-router";
import * as v from "valibot";
import { requestEmailChange, requireViewer } from "#identity/identity.server.ts";
import { emailInput, readForm, textOf, tooManyTries } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextField } from "#ui/text-field.tsx";
import type { Route } from "./+types/profile-email.page.ts";
import { ProfileSheet } from "./profile-sheet.ui.tsx";

const input = v.object({ email: emailInput });

const refusals = {
  "same-email": "This is your address already.",
  "email-taken": "This address belongs to another account.",
  "too-many-tries": tooManyTries(),
};

export async function loader({ context, request }: Route.LoaderArgs) {
  return { email: (await requireViewer(context, request)).email };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const form = await request.formData();
  const read = readForm(input, form);
  const email = textOf(form, "email");
  if (!read.ok) return data({ ok: false, email, error: read.errors.email }, { status: 422 });
  const answer = await requestEmailChange(viewer, read.values.email);
  return answer.ok
    ? data({ ok: true, email: read.values.email, error: undefined })
    : data(
        { ok: false, email, error: refusals[answer.refusal] },
        { status: answer.refusal === "too-many-tries" ? 429 : 409 },
      );
}

export const meta = () =>
  pageMeta({
    title: "Change email",
    description: "Change the address of your account.",
    isPrivate: true,
  });

export default function ProfileEmail({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/email";
  return (
    <ProfileSheet
      title="Change email"
      lead={
        <>
          Your address is <b className="break-all">{loaderData.email}</b>. It stays so until the new
          one is confirmed.
        </>
      }
    >
      {actionData?.ok ? (
        <FormMessage type="success" title="Check your email">
          We sent a link to {actionData.email}. Open it to make that your address.
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
            defaultValue={actionData?.email}
            error={actionData?.error}
          />
          <Button type="submit" pending={isPending} pendingLabel="Sending">
            Send confirmation
          </Button>
        </Form>
      )}
    </ProfileSheet>
  );
}
