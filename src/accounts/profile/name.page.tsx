import { data, Form, redirect, useNavigation } from "react-router";
import * as v from "valibot";
import { parseForm } from "#platform/parse-form.ts";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { nameInput } from "../accounts.input.ts";
import { useFocusFirstError } from "../use-focus.ts";
import { requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/name.page.ts";
import { changeName } from "./change-profile.server.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

const input = v.object({ name: nameInput });

export async function loader({ context, request }: Route.LoaderArgs) {
  return { name: (await requireViewer(context, request)).name };
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const parsed = parseForm(input, await request.formData());
  if (!parsed.ok) return data({ errors: parsed.errors }, { status: 422 });
  await changeName(viewer.id, parsed.values.name);
  throw redirect("/profile");
}

export const meta = () =>
  pageMeta({
    title: "Change name",
    description: "Change the name on your account.",
    isPrivate: true,
  });

export default function ProfileName({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/name";
  const form = useFocusFirstError(actionData);
  return (
    <ProfileLayout title="Change name">
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <TextField
          label="Full Name"
          name="name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={loaderData.name}
          error={actionData?.errors.name}
        />
        <Button type="submit" pending={isPending} pendingLabel="Saving">
          Save name
        </Button>
      </Form>
    </ProfileLayout>
  );
}
