import { MailCheck } from "lucide-react";
import { Form } from "react-router";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { ResendButton } from "./resend-button.ui.tsx";
import { useArrivalFocus } from "./use-arrival-focus.ts";

/** What follows on a registration: where the link is, and how to get another. */
export function CheckYourEmail({ email }: { email: string }) {
  const section = useArrivalFocus<HTMLElement>();
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="check-your-email"
      className="grid gap-4 focus-visible:outline-none focus-visible:shadow-none"
    >
      <FormMessage type="success">Please check your email for the confirmation link!</FormMessage>
      <div className="flex items-start gap-3">
        <MailCheck className="mt-1 size-6 shrink-0 text-green-ink" aria-hidden="true" />
        <div>
          <h2 id="check-your-email" className="font-cond text-xl font-bold">
            Check Your Email
          </h2>
          <p className="mt-1 text-ink-2">
            We have sent a link to <strong className="break-all text-ink">{email}</strong>. Open it
            in this browser and you are signed in at once. It is good for a day.
          </p>
        </div>
      </div>
      <Form method="post" action="/resend-confirmation">
        <input type="hidden" name="email" value={email} />
        <ResendButton />
      </Form>
      <ButtonLink to="/login" variant="quiet" wide>
        Back to Login
      </ButtonLink>
    </section>
  );
}
