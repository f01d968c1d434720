import { type FormEvent, type ReactNode, useEffect } from "react";
import { useFetcher, useLocation } from "react-router";
import { TextField } from "#ui/forms/text-field.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import type { AdminActionResult, Question } from "./admin-action-result.ts";

type ActFormProps = {
  /** The path of the action. */
  to: string;
  /** Hidden fields that are sent with the form. */
  fields?: Record<string, string>;
  /** The confirmation dialog to show before the form is sent. */
  question?: Question | ((form: FormData) => Question);
  className?: string;
  children: (isPending: boolean) => ReactNode;
};

/** A form that submits one admin action without navigation and shows its result as a toast. */
export function AdminActionForm({ to, fields, question, className, children }: ActFormProps) {
  const fetcher = useFetcher<AdminActionResult>();
  const { confirm } = useNotification();
  const { pathname, search } = useLocation();
  const isPending = fetcher.state !== "idle";
  useAdminActionToast(fetcher.data);

  async function ask(event: FormEvent<HTMLFormElement>) {
    if (isPending) event.preventDefault();
    if (isPending || !question) return;
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    let reason = "";
    const {
      asksReason,
      isDestructive = true,
      message,
      ...asked
    } = typeof question === "function" ? question(form) : question;
    const sure = await confirm({
      ...asked,
      destructive: isDestructive,
      message: asksReason ? (
        <>
          {message}
          <ReasonField onChange={(typed) => (reason = typed)} />
        </>
      ) : (
        message
      ),
      plainMessage: message,
    });
    if (!sure) return;
    form.set("sure", "yes");
    if (asksReason) form.set("reason", reason);
    await fetcher.submit(form, { method: "post", action: to });
  }

  return (
    <fetcher.Form method="post" action={to} onSubmit={ask} className={className}>
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

/** Shows the result of an admin action as a toast, once per response. */
export function useAdminActionToast(answer: AdminActionResult | undefined): void {
  useEffect(() => {
    if (answer?.message)
      showToast({ type: answer.ok ? "success" : "error", title: answer.message });
  }, [answer]);
}
