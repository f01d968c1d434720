import { useFetcher } from "react-router";
import { Button } from "#ui/button.tsx";
import { canSubmit } from "#ui/forms/form-delivery.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import type { EmailRequestFormResult } from "../form-results.ts";
import { useCooldown } from "./use-cooldown.ts";

const RESEND_PATH = "/resend-confirmation";

/**
 * Sends the confirmation email again to the address in the surrounding form. Without JavaScript,
 * submits the form to the page that does it.
 */
export function ResendButton() {
  const fetcher = useFetcher<EmailRequestFormResult>();
  const result = fetcher.data;
  const cooldownSeconds = useCooldown(result?.ok ? result : null);
  return (
    <div className="grid gap-3">
      <Button
        type="submit"
        variant="secondary"
        wide
        formAction={RESEND_PATH}
        formMethod="post"
        pending={fetcher.state !== "idle"}
        pendingLabel="Sending"
        // Not `disabled`, which would move the focus away from the button.
        aria-disabled={cooldownSeconds > 0 || undefined}
        onClick={async (event) => {
          event.preventDefault();
          if (cooldownSeconds > 0) return;
          const { form } = event.currentTarget;
          if (!form) return;
          const email = String(new FormData(form).get("email") ?? "");
          if (await canSubmit(RESEND_PATH))
            fetcher.submit({ email }, { method: "post", action: RESEND_PATH });
        }}
      >
        {cooldownSeconds > 0 ? `Resend again in ${cooldownSeconds} s` : "Resend Confirmation Email"}
      </Button>
      {result ? (
        <FormMessage type={result.ok ? "success" : "error"}>
          {result.ok ? result.message : (result.message ?? result.errors?.email)}
        </FormMessage>
      ) : null}
    </div>
  );
}
