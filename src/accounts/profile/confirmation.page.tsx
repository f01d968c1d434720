import { data, Form } from "react-router";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { isNetworkError } from "#ui/is-network-error.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { TOO_MANY_EMAILS } from "../messages.ts";
import { resendConfirmation } from "../request-email.server.ts";
import { requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/confirmation.page.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  await requireViewer(context, request);
  return null;
}

/** Sends the viewer's confirmation email again. */
export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  const result = await resendConfirmation(viewer.email, getRequestDetails(context).clientAddress);
  if (result.ok)
    return { ok: true, message: "Verification email sent! Check your inbox and spam folder." };
  return result.refusal === "too-many-emails"
    ? { ok: false, message: TOO_MANY_EMAILS }
    : { ok: false, message: "Failed to send verification email. Please try again later." };
}

/** Shows a message of its own if the server is unreachable. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    // Sets an error status, so that React Router does not revalidate the loaders.
    return data({ ok: false, message: "Network error. Please try again later." }, { status: 503 });
  }
}

export const meta = () =>
  pageMeta({
    title: "Verification email",
    description: "Get a new verification email.",
    isPrivate: true,
  });

export default function ProfileConfirmation({ actionData }: Route.ComponentProps) {
  return (
    <ProfileLayout title="Verification email">
      {actionData ? (
        <FormMessage type={actionData.ok ? "success" : "error"}>{actionData.message}</FormMessage>
      ) : (
        <Form method="post">
          <Button type="submit">Send verification email</Button>
        </Form>
      )}
    </ProfileLayout>
  );
}
