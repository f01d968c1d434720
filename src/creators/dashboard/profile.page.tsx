import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#identity/identity.ui.tsx";
import { failureMessage } from "#platform/failure-message.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { isNetworkError } from "#ui/is-network-error.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  editCreatorInput,
  MAX_BIO_LENGTH,
  MAX_SPECIALIZATION_LENGTH,
} from "../profile/edit-creator.input.ts";
import { editCreator } from "../profile/edit-creator.server.ts";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/profile.page.ts";

type ActionResult = {
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
    name: readField(form, "name"),
    specialization: readField(form, "specialization"),
    bio: readField(form, "bio"),
  };
  const refuse = (status: number, result: Omit<ActionResult, "ok" | "values">) =>
    data<ActionResult>({ ok: false, values, ...result }, { status });
  const parsed = parseForm(editCreatorInput, form);
  if (!parsed.ok) return refuse(422, { errors: parsed.errors });
  const result = await editCreator(creator.id, parsed.values).catch((error: unknown) =>
    failureMessage(error, {
      description: "Failed to update profile",
      requestId: getRequestDetails(context).id,
    }),
  );
  if ("details" in result)
    return refuse(result.status, {
      message: `Failed to update profile. ${result.details}`,
      errors: {},
    });
  if (result.ok) return data<ActionResult>({ ok: true, errors: {}, values });
  return result.refusal === "display-name-taken"
    ? refuse(409, { errors: { name: "That display name is taken. Please choose another one." } })
    : refuse(403, { message: "Failed to update profile", errors: {} });
}

/** Preserves the form values if the server is unreachable. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const values = {
      name: readField(form, "name"),
      specialization: readField(form, "specialization"),
      bio: readField(form, "bio"),
    };
    const message = "Network error. Please try again.";
    // Sets an error status, so that React Router does not revalidate the loaders.
    return data<ActionResult>({ ok: false, message, errors: {}, values }, { status: 503 });
  }
}

/** Page to edit the public profile. */
export default function EditProfile({ loaderData, actionData: result }: Route.ComponentProps) {
  const form = useFocusFirstError(result);
  const isPending = useNavigation().formAction === "/tipster-dashboard/profile";
  useEffect(() => {
    if (result?.ok) showToast({ type: "success", title: "Profile updated" });
  }, [result]);
  const values = result?.ok === false ? result.values : loaderData;
  return (
    <div className="max-w-2xl">
      <SectionHeading lead="Punters read this before they open your race cards.">
        Edit Profile
      </SectionHeading>
      <Form ref={form} method="post" noValidate className="mt-4 grid gap-4">
        {result?.ok ? <FormMessage type="success">Profile saved.</FormMessage> : null}
        {result?.message ? <FormMessage type="error">{result.message}</FormMessage> : null}
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          defaultValue={values.name}
          error={result?.errors.name}
        />
        <TextField
          label="Speciality"
          name="specialization"
          optional
          maxLength={MAX_SPECIALIZATION_LENGTH}
          defaultValue={values.specialization}
          error={result?.errors.specialization}
        />
        <TextAreaField
          label="Bio"
          name="bio"
          optional
          rows={6}
          maxLength={MAX_BIO_LENGTH}
          defaultValue={values.bio}
          error={result?.errors.bio}
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
