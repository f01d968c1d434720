import { MailCheck } from "lucide-react";
import { Form, redirect } from "react-router";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { readRegistration, readReturnTarget } from "../browser-cookies.server.ts";
import { useFocusOnMount } from "../use-focus.ts";
import { findViewer, loginPath } from "../viewer.server.ts";
import type { Route } from "./+types/check-your-email.page.ts";
import { ResendButton } from "./resend-button.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Check your email",
    description: "Confirm your new Furlong account using the link we emailed you.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const registration = await readRegistration(request);
  const target = readReturnTarget(request);
  const path = target === "/" ? "/login" : loginPath(target);
  if (registration?.isConfirmed) throw redirect((await findViewer(context)) ? target : path);
  return { email: registration?.email ?? null, loginPath: path };
}

/** Shows where the confirmation link was sent and lets the user request another. */
export default function CheckYourEmail({ loaderData }: Route.ComponentProps) {
  const { email, loginPath } = loaderData;
  const section = useFocusOnMount<HTMLDivElement>();
  return (
    <AccountLayout heading="Check Your Email">
      <div
        ref={section}
        tabIndex={-1}
        className="grid gap-4 focus-visible:outline-none focus-visible:shadow-none"
      >
        <FormMessage type="success">Please check your email for the confirmation link!</FormMessage>
        <div className="flex items-start gap-3">
          <MailCheck className="mt-1 size-6 shrink-0 text-green-ink" aria-hidden="true" />
          <p className="text-ink-2">
            We have sent a link to{" "}
            {email ? <strong className="break-all text-ink">{email}</strong> : "your address"}. Open
            it in this browser to log in straight away. It works for 24 hours.
          </p>
        </div>
        {email ? (
          <Form method="post" action="/resend-confirmation">
            <input type="hidden" name="email" value={email} />
            <ResendButton />
          </Form>
        ) : (
          <ButtonLink to="/resend-confirmation" variant="secondary" wide>
            Resend Confirmation Email
          </ButtonLink>
        )}
        <ButtonLink to={loginPath} variant="quiet" wide>
          Back to Login
        </ButtonLink>
      </div>
    </AccountLayout>
  );
}
