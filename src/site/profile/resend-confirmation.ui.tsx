import { useFetcher } from "react-router";
import type { action } from "#identity/identity.ui.tsx";
import { useCooldown } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";

/** Sends the confirmation mail to the viewer's own address again. */
export function ResendConfirmation({ className }: { className?: string }) {
  const fetcher = useFetcher<typeof action>();
  const answer = fetcher.data;
  const coolingSeconds = useCooldown(answer?.ok ? answer : null);
  return (
    <div className={classNames("grid gap-3", className)}>
      {answer ? (
        <FormMessage type={answer.ok ? "success" : "error"}>{answer.message}</FormMessage>
      ) : null}
      <fetcher.Form method="post" action="/profile/confirmation">
        <Button
          type="submit"
          variant="secondary"
          pending={fetcher.state !== "idle"}
          pendingLabel="Sending"
          // Not disabled: that would take the focus away from whoever has just pressed it.
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
