import { data } from "react-router";
import { handleChangePassword, requireViewer } from "#accounts/accounts.server.ts";
import { ChangePasswordForm } from "#accounts/accounts.ui.tsx";
import type { RefusedForm } from "#platform/form-result.ts";
import { isNetworkError } from "#ui/is-network-error.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { requireCreator } from "../require-creator.server.ts";
import type { Route } from "./+types/password.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Change Password", description: "Change your password.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  await requireCreator(context);
  return await handleChangePassword(await requireViewer(context, request), { request, context });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Shows a message of its own if the server is unreachable. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    // Sets an error status, so that React Router does not revalidate the loaders.
    return data<RefusedForm>(
      { ok: false, message: "An error occurred. Please try again.", values: {} },
      { status: 503 },
    );
  }
}

/** Page to change the account password from the dashboard. */
export default function ChangePassword({ actionData }: Route.ComponentProps) {
  return (
    <div className="grid max-w-md gap-4">
      <SectionHeading lead="You'll be logged out everywhere else.">Change Password</SectionHeading>
      <ChangePasswordForm result={actionData} />
    </div>
  );
}
