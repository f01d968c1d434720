import { requestDetailsOf } from "#platform/request.server.ts";
import { pageMeta } from "#ui/page-meta.ts";
import type { Route } from "./+types/forgot-password.page.ts";
import { AccountSheet } from "./account-sheet.ui.tsx";
import { AddressForm } from "./address-form.ui.tsx";
import { requestPasswordReset } from "./ask-for-mail.server.ts";
import { handleEmailRequest } from "./handle-email-request.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Forgotten password",
    description: "Have a link sent to you by which you choose a new password for Furlong.",
  });

export async function action({ request, context }: Route.ActionArgs) {
  const { clientAddress } = requestDetailsOf(context);
  return await handleEmailRequest(
    await request.formData(),
    (email) => requestPasswordReset(email, clientAddress),
    "If this address has an account, a link to choose a new password is on its way. Please check your email, the spam folder too.",
  );
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Where a new password is asked for. */
export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  return (
    <AccountSheet
      heading="Forgotten your password?"
      lead="Tell us your address, and we send you a link to choose a new one. It is good for an hour."
      back={{ to: "/login", label: "Back to Login" }}
    >
      <AddressForm action="/forgot-password" submit="Send the link" answer={actionData} />
    </AccountSheet>
  );
}
