import { data, Form, redirect, useNavigation } from "react-router";
import { handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { CodeField, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { listAdmins } from "../admins/list-admins.server.ts";
import { removeAdmin } from "../admins/remove-admin.server.ts";
import { useFocusFirstError } from "../use-focus.ts";
import type { Route } from "./+types/admin-remove.page.ts";
import { removeAdminInput } from "./admins.input.ts";

const LIST_PATH = "/admin/admins";

const refusals = refusalMessages({
  "not-permitted": ["You are no longer an admin.", 403],
  "not-an-admin": ["This user isn't an admin.", 409],
  "last-admin": [
    "At least one admin who can open the admin area must remain. Invite another admin first.",
    409,
  ],
});

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Remove an admin, Admin", description: "Remove an admin.", isPrivate: true });

export async function loader({ context, params }: Route.LoaderArgs) {
  const viewer = await requireAdmin(context);
  const admins = await listAdmins();
  const admin = admins.find(({ id }) => id === params.userId);
  if (!admin) throw data("This user isn't an admin.", { status: 404 });
  return { name: admin.name, isSelf: admin.id === viewer.id };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const viewer = await requireAdmin(context);
  return await handleAdminForm(viewer, {
    request,
    context,
    input: removeAdminInput,
    needsCode: true,
    run: ({ reason }) => removeAdmin(viewer.id, params.userId, reason),
    done: () => redirect(viewer.id === params.userId ? "/login" : LIST_PATH),
    refusals,
  });
}

/** Page to remove an admin or to step down. Asks for a reason and a code. */
export default function AdminRemove({ loaderData, actionData }: Route.ComponentProps) {
  const { name, isSelf } = loaderData;
  const isPending = useNavigation().formMethod === "POST";
  const form = useFocusFirstError(actionData);
  return (
    <Panel title={isSelf ? "Step down as an admin" : `Remove ${name}`} className="max-w-xl">
      <p className="mb-4 text-ink-2">
        {isSelf
          ? "You are logged out on all devices and can no longer open the admin area. Your account stays open."
          : "They are logged out on all devices and can no longer open the admin area. Their account stays open. Invitations they have sent are cancelled."}
      </p>
      <Form ref={form} method="post" noValidate className="grid gap-4">
        {actionData?.message ? <FormMessage type="error">{actionData.message}</FormMessage> : null}
        <TextField
          label="Reason"
          name="reason"
          required
          maxLength={300}
          hint={
            isSelf ? "Recorded in the audit log" : "Recorded in the audit log and emailed to them"
          }
          defaultValue={actionData?.values.reason}
          error={actionData?.errors?.reason}
        />
        <CodeField error={actionData?.errors?.code} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="danger" pending={isPending} pendingLabel="Removing">
            {isSelf ? "Step down" : "Remove admin"}
          </Button>
          <ButtonLink to={LIST_PATH} variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Panel>
  );
}
