import { data } from "react-router";
import { requireTwoStepAccess } from "#admin-kit/admin-kit.server.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { tooManyAttemptsMessage, WRONG_CODE } from "../messages.ts";
import { type SetupKey, turnOnTwoStep } from "../two-step/turn-on-two-step.server.ts";
import { codeInput } from "../two-step/two-step.input.ts";
import type { Route } from "./+types/two-step-confirm.page.ts";
import { RecoveryCodes, SetupKeyPanel } from "./two-step.ui.tsx";

type ActionResult =
  | { status: "turned-on"; recoveryCodes: string[] }
  | { status: "wrong-code"; setupKey: SetupKey; error: string }
  | { status: "refused"; message: string };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Set up two-step login",
    description: "Enter your first code.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireTwoStepAccess(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = await requireTwoStepAccess(context);
  const form = await request.formData();
  const parsed = parseForm(codeInput, form);
  const input = {
    code: parsed.ok ? parsed.values.code : "",
    encryptedKey: readField(form, "encryptedKey"),
  };
  const result = await turnOnTwoStep(admin, input, request);
  if (result.ok)
    return data<ActionResult>(
      { status: "turned-on", recoveryCodes: result.recoveryCodes },
      { headers: result.headers },
    );
  const refuse = (message: string, status: number) =>
    data<ActionResult>({ status: "refused", message }, { status });
  switch (result.refusal) {
    case "wrong-code":
      return data<ActionResult>(
        { status: "wrong-code", setupKey: result.setupKey, error: WRONG_CODE },
        { status: 422 },
      );
    case "already-on":
      return refuse("Two-step login is already on.", 409);
    case "setup-key-expired":
      return refuse("The setup has expired. Please start again.", 410);
    case "too-many-attempts":
      return refuse(tooManyAttemptsMessage(), 429);
  }
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Confirms a new key with its first code, then shows the recovery codes. */
export default function TwoStepConfirm({ actionData }: Route.ComponentProps) {
  switch (actionData?.status) {
    case "turned-on":
      return <RecoveryCodes message="Two-step login is on." codes={actionData.recoveryCodes} />;
    case "wrong-code":
      return <SetupKeyPanel setupKey={actionData.setupKey} error={actionData.error} />;
    default:
      return (
        <div className="grid max-w-xl justify-items-start gap-4">
          <FormMessage type={actionData ? "error" : "info"}>
            {actionData?.message ?? "Enter your password first."}
          </FormMessage>
          <ButtonLink to="/admin/two-step" variant="secondary">
            Back
          </ButtonLink>
        </div>
      );
  }
}
