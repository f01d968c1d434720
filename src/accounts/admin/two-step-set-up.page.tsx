import { data } from "react-router";
import { passwordRefusals, requireTwoStepAccess } from "#admin-kit/admin-kit.server.ts";
import { readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { createSetupKey, type SetupKey } from "../two-step/turn-on-two-step.server.ts";
import type { Route } from "./+types/two-step-set-up.page.ts";
import { ConfirmPasswordForm, SetupKeyPanel } from "./two-step.ui.tsx";

type ActionResult = { setupKey: SetupKey; error?: never } | { setupKey?: never; error: string };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Set up two-step login",
    description: "Connect your authenticator app.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireTwoStepAccess(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = await requireTwoStepAccess(context);
  const result = await createSetupKey(admin, readField(await request.formData(), "password"));
  if (result.ok) return data<ActionResult>({ setupKey: result.setupKey });
  const [error, status] = passwordRefusals[result.refusal];
  return data<ActionResult>({ error }, { status });
}

/** Page to set up two-step login: password first, then the key. */
export default function TwoStepSetUp({ actionData }: Route.ComponentProps) {
  if (actionData?.setupKey) return <SetupKeyPanel setupKey={actionData.setupKey} />;
  return (
    <ConfirmPasswordForm
      title="Set up two-step login"
      action="/admin/two-step/set-up"
      submitLabel="Show key"
      error={actionData?.error}
    >
      You need an authenticator app on your phone. All your other devices are logged out when you
      turn it on.
    </ConfirmPasswordForm>
  );
}
