import { type ClientActionFunctionArgs, data, Form, useActionData } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { ReasonField } from "./admin-action-form.ui.tsx";
import type { AdminActionResult } from "./admin-action-result.ts";
import { toNoResponseMessage } from "./no-response-message.ts";

export const adminActionMeta = () =>
  pageMeta({ title: "Admin", description: "The result of your action.", isPrivate: true });

/** Sends an admin action; returns a failed result when the server does not respond. */
export async function adminClientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<AdminActionResult>();
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    // React Router does not revalidate the page after an error status.
    return data<AdminActionResult>({ ok: false, message, returnPath: "" }, { status: 503 });
  }
}

/**
 * The page at the path of an admin action, for browsers without scripts. Shows the confirmation or
 * the result of the action, with a link back.
 */
export function AdminActionPage() {
  const actionData = useActionData<AdminActionResult>();
  if (!actionData)
    return (
      <div className="grid max-w-xl justify-items-start gap-4 py-8">
        <h2 className="font-cond text-2xl font-bold">Nothing to show</h2>
        <ButtonLink to="/admin" variant="secondary">
          Back to admin
        </ButtonLink>
      </div>
    );
  const { ok, message, returnPath, confirmation, fields } = actionData;
  if (!confirmation)
    return (
      <div className="grid max-w-xl justify-items-start gap-4 py-8">
        <h2 className="sr-only">{ok ? "Done" : "Not done"}</h2>
        <FormMessage type={ok ? "success" : "error"}>{message}</FormMessage>
        <ButtonLink to={returnPath} variant="secondary">
          Back
        </ButtonLink>
      </div>
    );
  return (
    <Form method="post" className="grid max-w-xl justify-items-start gap-4 py-8">
      <h2 className="font-cond text-2xl font-bold">{confirmation.title}</h2>
      <p className="text-ink-2">{confirmation.message}</p>
      <input type="hidden" name="back" value={returnPath} />
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {confirmation.hasReasonField ? <ReasonField /> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={confirmation.isDestructive === false ? "primary" : "danger"}
          name="sure"
          value="yes"
        >
          {confirmation.confirmText}
        </Button>
        <ButtonLink to={returnPath} variant="secondary">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
