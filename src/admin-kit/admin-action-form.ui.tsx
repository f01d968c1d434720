import { type ReactNode, use, useRef } from "react";
import { useFetcher, useLocation } from "react-router";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import type { AdminActionResult, Confirmation } from "./admin-action-result.ts";
import { CodeContext, CodeField } from "./code-field.ui.tsx";

type AdminActionFormProps = {
  /** The path of the action. */
  action: string;
  /** Hidden fields that are sent with the form. */
  fields?: Record<string, string>;
  className?: string;
  /** Called once for each submission that succeeded. */
  onSuccess?: () => void;
  children: (isPending: boolean) => ReactNode;
};

/**
 * A form that submits one admin action without navigation. Shows the confirmation that the action returns as a dialog. The
 * action shows its result as a toast.
 */
export function AdminActionForm({
  action,
  fields,
  className,
  onSuccess,
  children,
}: AdminActionFormProps) {
  const fetcher = useFetcher<AdminActionResult>();
  const { confirm } = useNotification();
  const { pathname, search } = useLocation();
  const codeState = use(CodeContext);
  // The next dialog shows why the last code was refused.
  const codeError = useRef<string>(undefined);
  const isPending = fetcher.state !== "idle";

  async function askAndSubmit(
    confirmation: Confirmation,
    { fields: sent, needsCode }: AdminActionResult,
  ) {
    let reason = "";
    let code = "";
    const { hasReasonField, isDestructive = true, message, ...options } = confirmation;
    const isConfirmed = await confirm({
      ...options,
      destructive: isDestructive,
      message:
        hasReasonField || needsCode ? (
          <>
            {message}
            {hasReasonField ? <ReasonField onChange={(value) => (reason = value)} /> : null}
            {needsCode ? (
              // The dialog is outside the admin area's layout.
              <CodeContext value={codeState}>
                <CodeField
                  error={codeError.current}
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
    const form = { ...sent, back: pathname + search, confirmed: "yes" };
    await fetcher.submit(
      { ...form, ...(hasReasonField ? { reason } : {}), ...(needsCode ? { code } : {}) },
      { method: "post", action },
    );
  }

  useResponse(fetcher.data, (result) => {
    if (result.ok) onSuccess?.();
    else if (result.confirmation && !result.message) void askAndSubmit(result.confirmation, result);
    if (result.ok || result.message) codeError.current = result.codeError;
  });

  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => (isPending ? event.preventDefault() : undefined)}
      className={className}
    >
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
