import { getRequestDetails } from "#platform/http/request.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { AddressForm } from "../address-form.ui.tsx";
import { handleEmailRequest } from "../handle-email-request.server.ts";
import { CONFIRMATION_RESENT } from "../messages.ts";
import { resendConfirmation } from "../request-email.server.ts";
import type { Route } from "./+types/resend-confirmation.page.ts";

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Confirm your email address",
    description: "Get a new confirmation link for your Furlong account.",
    isPrivate: true,
  });

export async function action({ request, context }: Route.ActionArgs) {
  const { clientAddress } = getRequestDetails(context);
  return await handleEmailRequest(
    await request.formData(),
    (email) => resendConfirmation(email, clientAddress),
    CONFIRMATION_RESENT,
  );
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Page to request another confirmation email. */
export default function ResendConfirmation({ actionData }: Route.ComponentProps) {
  return (
    <AccountLayout
      heading="Confirm your email address"
      lead="We'll send a new link to the email address you registered with. It works for 24 hours."
      backLink={{ to: "/login", label: "Back to Login" }}
    >
      <AddressForm
        action="/resend-confirmation"
        submitLabel="Resend Confirmation Email"
        result={actionData}
      />
      <ButtonLink to="/login" variant="quiet" wide className="mt-3">
        Back to Login
      </ButtonLink>
    </AccountLayout>
  );
}
