import { pageMeta } from "#ui/page-meta.ts";
import { ChangePasswordForm } from "../password/change-password-form.ui.tsx";
import { handleChangePassword } from "../password/handle-change-password.server.ts";
import { requireViewer } from "../viewer.server.ts";
import type { Route } from "./+types/password.page.ts";
import { ProfileLayout } from "./profile-layout.ui.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  await requireViewer(context, request);
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  return await handleChangePassword(await requireViewer(context, request), { request, context });
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const meta = () =>
  pageMeta({
    title: "Change password",
    description: "Change your account password.",
    isPrivate: true,
  });

export default function ProfilePassword({ actionData }: Route.ComponentProps) {
  return (
    <ProfileLayout title="Change password" lead="You'll be logged out everywhere else.">
      <ChangePasswordForm result={actionData} />
    </ProfileLayout>
  );
}
