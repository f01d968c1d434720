import { data, Form, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { signOutEverywhere } from "../sign-in/sign-out.server.ts";
import { findViewer, requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/sign-out-everywhere.page.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  // After signing out there is no viewer, but the page must still render.
  if (request.method === "GET" && !(await findViewer(context)))
    await requireViewer(context, request);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  return data({ ok: true }, { headers: await signOutEverywhere(viewer.id, request) });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function shouldRevalidate({ actionResult }: ShouldRevalidateFunctionArgs) {
  return !actionResult?.ok;
}

export const meta = () =>
  pageMeta({
    title: "Log out everywhere",
    description: "Log out on every device.",
    isPrivate: true,
  });

export default function SignOutEverywhere({ actionData }: Route.ComponentProps) {
  const isPending = useNavigation().formAction === "/profile/sign-out-everywhere";
  return (
    <ProfileLayout
      title="Log out everywhere"
      lead="Logs you out on every device, including this one."
    >
      {actionData?.ok ? (
        <>
          <FormMessage type="success">You're logged out everywhere.</FormMessage>
          <ButtonLink to="/login">Login</ButtonLink>
        </>
      ) : (
        <Form method="post">
          <Button type="submit" wide pending={isPending} pendingLabel="Signing you out">
            Log out everywhere
          </Button>
        </Form>
      )}
    </ProfileLayout>
  );
}
