import { data } from "react-router";
import { requireTwoStepAccess } from "#admin-kit/admin-kit.server.ts";
import { twoStepRefusals } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { replaceRecoveryCodes } from "../two-step/replace-recovery-codes.server.ts";
import type { Route } from "./+types/two-step-recovery-codes.page.ts";
import { ConfirmPasswordForm, RecoveryCodes } from "./two-step.ui.tsx";

type ActionResult =
  | { recoveryCodes: string[]; error?: never }
  | { recoveryCodes?: never; error: string };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "New recovery codes",
    description: "Replace your recovery codes.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireTwoStepAccess(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = await requireTwoStepAccess(context);
  const result = await replaceRecoveryCodes(admin, readField(await request.formData(), "password"));
  if (result.ok) return data<ActionResult>({ recoveryCodes: result.recoveryCodes });
  const [error, status] = twoStepRefusals[result.refusal];
  return data<ActionResult>({ error }, { status });
}

/** Page to create new recovery codes after entering the password. */
export default function TwoStepRecoveryCodes({ actionData }: Route.ComponentProps) {
  if (actionData?.recoveryCodes)
    return <RecoveryCodes message="Your new recovery codes" codes={actionData.recoveryCodes} />;
  return (
    <ConfirmPasswordForm
      title="New recovery codes"
      action="/admin/two-step/recovery-codes"
      submitLabel="Create new codes"
      error={actionData?.error}
    >
      Your old codes will stop working.
    </ConfirmPasswordForm>
  );
}
