import { type ClientActionFunctionArgs, data, Form, useActionData } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { ReasonField } from "./admin-action-form.ui.tsx";
import type { AdminActionResult } from "./admin-action-result.ts";
import { CodeField } from "./code-field.ui.tsx";
import { toNoResponseMessage } from "./no-response-message.ts";

export const adminActionMeta = () =>
  pageMeta({ title: "Admin", description: "The result of your action.", isPrivate: true });

/**
 * Sends an admin action and shows its result as a toast. Returns a failed result when the server does
 * not respond. The toast is not left to the form, because the result can remove its row from the list
 * before the form renders the result.
 */
export async function adminClientAction({ request, serverAction }: ClientActionFunctionArgs) {
  // The action's own page, which is used without JavaScript, shows the result itself.
  const isOwnPage = new URL(request.url).pathname === window.location.pathname;
  try {
    const result = await serverAction<AdminActionResult>();
    if (!isOwnPage && result.message)
      showToast({ type: result.ok ? "success" : "error", title: result.message });
    return result;
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    if (!isOwnPage) showToast({ type: "error", title: message });
    // React Router does not revalidate the page after an error status.
    return data<AdminActionResult>({ ok: false, message, returnPath: "" }, { status: 503 });
  }
}

/**
 * The page at the path of an admin action, for browsers without JavaScript. Shows the confirmation or
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
  const { ok, message, returnPath, confirmation, fields, needsCode, codeError } = actionData;
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
      {needsCode ? <CodeField error={codeError} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={confirmation.isDestructive === false ? "primary" : "danger"}
          name="confirmed"
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
