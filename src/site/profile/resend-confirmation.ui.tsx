import { useFetcher } from "react-router";
import type { action } from "#accounts/accounts.ui.tsx";
import { useCooldown } from "#accounts/accounts.ui.tsx";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";

/** Resends the confirmation email to the viewer. */
export function ResendConfirmation({ className }: { className?: string }) {
  const fetcher = useFetcher<typeof action>();
  const result = fetcher.data;
  const coolingSeconds = useCooldown(result?.ok ? result : null);
  return (
    <div className={classNames("grid gap-3", className)}>
      {result ? (
        <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
      ) : null}
      <fetcher.Form method="post" action="/profile/confirmation">
        <Button
          type="submit"
          variant="secondary"
          pending={fetcher.state !== "idle"}
          pendingLabel="Sending"
          // Not `disabled`, because that would remove the focus from the button.
          aria-disabled={coolingSeconds > 0 || undefined}
          onClick={(event) => {
            if (coolingSeconds > 0) event.preventDefault();
          }}
        >
          {coolingSeconds > 0 ? `Resend again in ${coolingSeconds} s` : "Resend verification email"}
        </Button>
      </fetcher.Form>
    </div>
  );
}
