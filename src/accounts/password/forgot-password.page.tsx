import { getRequestDetails } from "#platform/http/request.server.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { AccountLayout } from "../account-layout.ui.tsx";
import { AddressForm } from "../address-form.ui.tsx";
import { handleEmailRequest } from "../handle-email-request.server.ts";
import { requestPasswordReset } from "../request-email.server.ts";
import type { Route } from "./+types/forgot-password.page.ts";

export const handle = { scriptStart: "use" };

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Forgotten password",
    description: "Get a link to choose a new password for Furlong.",
  });

export async function action({ request, context }: Route.ActionArgs) {
  const { clientAddress } = getRequestDetails(context);
  return await handleEmailRequest(
    await request.formData(),
    (email) => requestPasswordReset(email, clientAddress),
    "If there's an account with this email address, we've sent it a link to choose a new password. Check your inbox and spam folder.",
  );
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Page to request a password reset. */
export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  return (
    <AccountLayout
      heading="Forgotten your password?"
      lead="Enter your email address and we'll send you a link to choose a new one. It works for one hour."
      backLink={{ to: "/login", label: "Back to Login" }}
    >
      <AddressForm action="/forgot-password" submitLabel="Send link" result={actionData} />
    </AccountLayout>
  );
}
