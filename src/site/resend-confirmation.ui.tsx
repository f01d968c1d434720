import { useFetcher } from "react-router";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { FormMessage } from "#ui/form-message.tsx";
import type { action } from "./profile-confirmation.page.tsx";

/** Sends the confirmation mail to the viewer's own address again. */
export function ResendConfirmation({ className }: { className?: string }) {
  const fetcher = useFetcher<typeof action>();
  const answer = fetcher.data;
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
        >
          Resend verification email
        </Button>
      </fetcher.Form>
    </div>
  );
}
