import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { failureMessage } from "#platform/failure-message.server.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { readField } from "#platform/parse-form.ts";
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

const FIELDS = ["name", "specialization", "bio"] as const;

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Edit Profile", description: "Your public profile.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  const { name, specialization, bio } = await requireCreator(context);
  return { name, specialization, bio };
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const { id: requestId } = getRequestDetails(context);
  return await handleForm(await request.formData(), {
    input: editCreatorInput,
    run: (profile) => editCreator(creator.id, profile),
    done: () => ({ ok: true as const }),
    refusals: {
      "display-name-taken": {
        errors: { name: "That display name is taken. Please choose another one." },
        status: 409,
      },
      "not-a-creator": ["Failed to update profile", 403],
    },
    failed: (error) => failureMessage(error, "Failed to update profile.", { requestId }),
    keep: FIELDS,
  });
}

/** Preserves the form values if the server is unreachable. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const values = Object.fromEntries(FIELDS.map((name) => [name, readField(form, name)]));
    const message = "Network error. Please try again.";
    // Sets an error status, so that React Router does not revalidate the loaders.
    return data<RefusedForm>({ ok: false, message, values }, { status: 503 });
  }
}

/** Page to edit the public profile. */
export default function EditProfile({ loaderData, actionData: result }: Route.ComponentProps) {
  const form = useFocusFirstError(result);
  const isPending = useNavigation().formAction === "/tipster-dashboard/profile";
  useEffect(() => {
    if (result?.ok) showToast({ type: "success", title: "Profile updated" });
  }, [result]);
  const refused = result?.ok === false ? result : null;
  const values: Record<string, string> = refused?.values ?? loaderData;
  return (
    <div className="max-w-2xl">
      <SectionHeading lead="Punters read this before they open your race cards.">
        Edit Profile
      </SectionHeading>
      <Form ref={form} method="post" noValidate className="mt-4 grid gap-4">
        {result?.ok ? <FormMessage type="success">Profile saved.</FormMessage> : null}
        {refused?.message ? <FormMessage type="error">{refused.message}</FormMessage> : null}
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          defaultValue={values.name}
          error={refused?.errors?.name}
        />
        <TextField
          label="Speciality"
          name="specialization"
          optional
          maxLength={MAX_SPECIALIZATION_LENGTH}
          defaultValue={values.specialization}
          error={refused?.errors?.specialization}
        />
        <TextAreaField
          label="Bio"
          name="bio"
          optional
          rows={6}
          maxLength={MAX_BIO_LENGTH}
          defaultValue={values.bio}
          error={refused?.errors?.bio}
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
