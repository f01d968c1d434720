import { data, redirect } from "react-router";
import { requireTwoStepAccess } from "#admin-kit/admin-kit.server.ts";
import { twoStepRefusals } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { turnOffTwoStep } from "../two-step/turn-off-two-step.server.ts";
import type { Route } from "./+types/two-step-off.page.ts";
import { ConfirmPasswordForm } from "./two-step.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Turn off two-step login",
    description: "Log in with your password only.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireTwoStepAccess(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = await requireTwoStepAccess(context);
  const result = await turnOffTwoStep(admin, readField(await request.formData(), "password"));
  if (result.ok) throw redirect("/admin/two-step?off");
  const [error, status] = twoStepRefusals[result.refusal];
  return data({ error }, { status });
}

/** Page to turn off two-step login after entering the password. */
export default function TwoStepOff({ actionData }: Route.ComponentProps) {
  return (
    <ConfirmPasswordForm
      title="Turn off two-step login"
      action="/admin/two-step/off"
      submitLabel="Turn off"
      error={actionData?.error}
    >
      You will log in with your password only. Your recovery codes stop working.
    </ConfirmPasswordForm>
  );
}
