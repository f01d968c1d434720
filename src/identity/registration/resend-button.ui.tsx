import { useFetcher } from "react-router";
import { Button } from "#ui/button.tsx";
import { canDeliver } from "#ui/forms/form-delivery.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import type { MessageResult } from "../form-results.ts";
import { useCooldown } from "./use-cooldown.ts";

const RESEND_PATH = "/resend-confirmation";

/**
 * Sends the confirmation mail again to the address in the form it stands in; without scripts the form
 * goes to the page that does it.
 */
export function ResendButton() {
  const fetcher = useFetcher<MessageResult>();
  const answer = fetcher.data;
  const coolingSeconds = useCooldown(answer?.ok ? answer : null);
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
        // Not disabled: that would take the focus away from whoever has just pressed it.
        aria-disabled={coolingSeconds > 0 || undefined}
        onClick={async (event) => {
          event.preventDefault();
          if (coolingSeconds > 0) return;
          const { form } = event.currentTarget;
          if (!form) return;
          const email = String(new FormData(form).get("email") ?? "");
          if (await canDeliver(RESEND_PATH))
            fetcher.submit({ email }, { method: "post", action: RESEND_PATH });
        }}
      >
        {coolingSeconds > 0 ? `Resend again in ${coolingSeconds} s` : "Resend Confirmation Email"}
      </Button>
      {answer ? (
        <FormMessage type={answer.ok ? "success" : "error"}>
          {answer.message ?? answer.errors?.email}
        </FormMessage>
      ) : null}
    </div>
  );
}
