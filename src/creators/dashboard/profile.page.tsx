import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#identity/identity.ui.tsx";
import { failureMessage } from "#platform/failure-message.server.ts";
import { requestDetailsOf } from "#platform/http/request.server.ts";
import { readForm, textOf } from "#platform/read-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { isUnreachable } from "#ui/is-unreachable.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { editCreatorInput, MAX_BIO, MAX_SPECIALIZATION } from "../profile/edit-creator.input.ts";
import { editCreator } from "../profile/edit-creator.server.ts";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/profile.page.ts";

type Answer = {
  ok: boolean;
  message?: string;
  errors: Partial<Record<string, string>>;
  values: Record<"name" | "specialization" | "bio", string>;
};

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Edit Profile", description: "Your public profile.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  const { name, specialization, bio } = await requireCreator(context);
  return { name, specialization, bio };
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const form = await request.formData();
  const values = {
    name: textOf(form, "name"),
    specialization: textOf(form, "specialization"),
    bio: textOf(form, "bio"),
  };
  const refuse = (status: number, answer: Omit<Answer, "ok" | "values">) =>
    data<Answer>({ ok: false, values, ...answer }, { status });
  const read = readForm(editCreatorInput, form);
  if (!read.ok) return refuse(422, { errors: read.errors });
  const answer = await editCreator(creator.id, read.values).catch((error: unknown) =>
    failureMessage(error, {
      what: "Failed to update profile",
      requestId: requestDetailsOf(context).id,
    }),
  );
  if ("details" in answer)
    return refuse(answer.status, {
      message: `Failed to update profile. ${answer.details}`,
      errors: {},
    });
  if (answer.ok) return data<Answer>({ ok: true, errors: {}, values });
  return answer.refusal === "display-name-taken"
    ? refuse(409, { errors: { name: "That display name is taken. Please choose another one." } })
    : refuse(403, { message: "Failed to update profile", errors: {} });
}

/** Keeps what was typed where no answer comes. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const values = {
      name: textOf(form, "name"),
      specialization: textOf(form, "specialization"),
      bio: textOf(form, "bio"),
    };
    const message = "Network error. Please try again.";
    // With a status, so that the page is not read anew for it.
    return data<Answer>({ ok: false, message, errors: {}, values }, { status: 503 });
  }
}

/** How a creator is shown to punters. */
export default function EditProfile({ loaderData, actionData: answer }: Route.ComponentProps) {
  const form = useFocusFirstError(answer);
  const isPending = useNavigation().formAction === "/tipster-dashboard/profile";
  useEffect(() => {
    if (answer?.ok) showToast({ type: "success", title: "Profile updated" });
  }, [answer]);
  const values = answer?.ok === false ? answer.values : loaderData;
  return (
    <div className="max-w-2xl">
      <SectionHeading lead="Punters read this before they open your race cards.">
        Edit Profile
      </SectionHeading>
      <Form ref={form} method="post" noValidate className="mt-4 grid gap-4">
        {answer?.ok ? <FormMessage type="success">Profile saved.</FormMessage> : null}
        {answer?.message ? <FormMessage type="error">{answer.message}</FormMessage> : null}
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          defaultValue={values.name}
          error={answer?.errors.name}
        />
        <TextField
          label="Speciality"
          name="specialization"
          optional
          maxLength={MAX_SPECIALIZATION}
          defaultValue={values.specialization}
          error={answer?.errors.specialization}
        />
        <TextAreaField
          label="Bio"
          name="bio"
          optional
          rows={6}
          maxLength={MAX_BIO}
          defaultValue={values.bio}
          error={answer?.errors.bio}
        />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" pending={isPending} pendingLabel="Saving">
            Save profile
          </Button>
          <TextLink to="/tipster-dashboard/password" standalone>
            Change Password
          </TextLink>
        </div>
      </Form>
    </div>
  );
}
