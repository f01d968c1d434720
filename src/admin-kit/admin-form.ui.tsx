import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import type { AdminFormResult } from "./admin-form-result.ts";

type Field = { name: string; defaultValue?: string; error?: string };

type AdminFormProps = {
  /** The result of a submission without JavaScript. */
  actionData: AdminFormResult | undefined;
  submitLabel: string;
  pendingLabel: string;
  /** Renders the fields. Returns the attributes that keep a refused field's value and show its error. */
  children: (field: (name: string, initialValue?: string) => Field) => ReactNode;
};

/** A form of an admin page that makes one new thing, says so in a toast, and is then empty again. */
export function AdminForm({ actionData, submitLabel, pendingLabel, children }: AdminFormProps) {
  const fetcher = useFetcher<AdminFormResult>();
  const result = fetcher.data ?? actionData;
  const form = useFocusFirstError(result);
  useResponse(fetcher.data, ({ ok, message }) => {
    if (!ok) return;
    showToast({ type: "success", title: message ?? "" });
    form.current?.reset();
  });
  const { errors, values }: Partial<AdminFormResult> = result && !result.ok ? result : {};
  return (
    <fetcher.Form ref={form} method="post" noValidate className="grid max-w-md gap-4">
      {result?.message ? (
        <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
      ) : null}
      {children((name, initialValue) => ({
        name,
        defaultValue: values?.[name] ?? initialValue,
        error: errors?.[name],
      }))}
      <div>
        <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel={pendingLabel}>
          {submitLabel}
        </Button>
      </div>
    </fetcher.Form>
  );
}
