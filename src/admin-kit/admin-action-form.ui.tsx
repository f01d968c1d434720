import { type FormEvent, type ReactNode, use } from "react";
import { useFetcher, useLocation } from "react-router";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/hooks/use-response.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import type { AdminActionResult, Confirmation } from "./admin-action-result.ts";
import { CodeContext, CodeField } from "./code-field.ui.tsx";

type AdminActionFormProps = {
  /** The path of the action. */
  action: string;
  /** Hidden fields that are sent with the form. */
  fields?: Record<string, string>;
  /** The confirmation dialog to show before the form is sent. */
  confirmation?: Confirmation | ((form: FormData) => Confirmation);
  className?: string;
  /** Called once for each submission that succeeded. */
  onSuccess?: () => void;
  children: (isPending: boolean) => ReactNode;
};

/** A form that submits one admin action without navigation. The action shows its result as a toast. */
export function AdminActionForm({
  action,
  fields,
  confirmation,
  className,
  onSuccess,
  children,
}: AdminActionFormProps) {
  const fetcher = useFetcher<AdminActionResult>();
  const { confirm } = useNotification();
  const { pathname, search } = useLocation();
  const codeState = use(CodeContext);
  const isPending = fetcher.state !== "idle";

  async function askAndSubmit(asked: Confirmation, form: FormData) {
    let reason = "";
    let code = "";
    const { hasReasonField, hasCodeField, isDestructive = true, message, ...options } = asked;
    const isConfirmed = await confirm({
      ...options,
      destructive: isDestructive,
      message:
        hasReasonField || hasCodeField ? (
          <>
            {message}
            {hasReasonField ? <ReasonField onChange={(value) => (reason = value)} /> : null}
            {hasCodeField ? (
              // The dialog is outside the admin area's layout.
              <CodeContext value={codeState}>
                <CodeField
                  error={fetcher.data?.codeError}
                  className="mt-3"
                  onChange={(value) => (code = value)}
                />
              </CodeContext>
            ) : null}
          </>
        ) : (
          message
        ),
      plainMessage: message,
    });
    if (!isConfirmed) return;
    form.set("confirmed", "yes");
    if (hasReasonField) form.set("reason", reason);
    if (hasCodeField) form.set("code", code);
    await fetcher.submit(form, { method: "post", action });
  }

  async function confirmAndSubmit(event: FormEvent<HTMLFormElement>) {
    if (isPending) event.preventDefault();
    if (isPending || !confirmation) return;
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await askAndSubmit(
      typeof confirmation === "function" ? confirmation(form) : confirmation,
      form,
    );
  }

  // The confirmation of an action whose effect only the server knows.
  const askFor = async (result: AdminActionResult) => {
    if (!result.confirmation || result.message) return;
    const form = new FormData();
    for (const [name, value] of Object.entries(result.fields ?? {})) form.set(name, value);
    form.set("back", pathname + search);
    await askAndSubmit(result.confirmation, form);
  };
  useResponse(fetcher.data, (result) => {
    if (result.ok) onSuccess?.();
    else void askFor(result);
  });

  return (
    <fetcher.Form method="post" action={action} onSubmit={confirmAndSubmit} className={className}>
      <input type="hidden" name="back" value={pathname + search} />
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children(isPending)}
    </fetcher.Form>
  );
}

/** The field for the reason, which is shown to the person concerned. */
export function ReasonField({ onChange }: { onChange?: (reason: string) => void }) {
  return (
    <TextField
      label="Reason"
      name="reason"
      maxLength={300}
      optional
      hint="The tipster reads it"
      className="mt-3"
      onChange={(event) => onChange?.(event.target.value)}
    />
  );
}
