import { formSuccess, handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import {
  AdminActionButton,
  AdminForm,
  type AdminFormResult,
  CodeField,
} from "#admin-kit/admin-kit.ui.tsx";
import { Badge } from "#ui/badge.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type ListedAdmin, listAdmins } from "../admins/list-admins.server.ts";
import {
  listOpenAdminInvitations,
  type OpenAdminInvitation,
} from "../invitations/admin-invitations.server.ts";
import { inviteAdmin } from "../invitations/invite-admin.server.ts";
import { SUSPENDED_INVITEE } from "../messages.ts";
import type { Route } from "./+types/admins.page.ts";
import { inviteAdminInput } from "./admins.input.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Admins, Admin", description: "Admins and invitations.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  const { id } = await requireAdmin(context);
  const [admins, invitations] = await Promise.all([listAdmins(), listOpenAdminInvitations()]);
  return { viewerId: id, admins, invitations };
}

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input: inviteAdminInput,
    needsCode: true,
    run: ({ email }) => inviteAdmin(admin.id, email),
    done: (_, { email }) => formSuccess(`We've emailed the invitation to ${email}.`),
    refusals: {
      "already-an-admin": { errors: { email: "They are already an admin" }, status: 409 },
      suspended: { errors: { email: SUSPENDED_INVITEE }, status: 409 },
      "not-permitted": ["You are no longer an admin.", 403],
    },
    failed: "The invitation could not be sent",
  });
}

/** Admin page with the admins, the open invitations and the form to invite one. */
export default function Admins({ loaderData, actionData }: Route.ComponentProps) {
  const { admins, invitations, viewerId } = loaderData;
  const isOnlyOne = admins.filter((admin) => !admin.isAwaitingTwoStep).length === 1;
  return (
    <div className="grid gap-8">
      <Table
        caption="Admins"
        columns={adminColumns(viewerId, isOnlyOne)}
        rows={admins}
        rowKey={(admin) => admin.id}
      />
      <section className="grid gap-3">
        <SectionHeading lead="A link works once, for seven days.">Open invitations</SectionHeading>
        <Table
          caption="Open invitations"
          columns={invitationColumns}
          rows={invitations}
          rowKey={(invitation) => invitation.id}
          empty={
            <EmptyState compact title="No open invitations">
              Invite a colleague below.
            </EmptyState>
          }
        />
      </section>
      <InviteForm actionData={actionData} />
    </div>
  );
}

function InviteForm({ actionData }: { actionData: AdminFormResult | undefined }) {
  return (
    <section className="grid gap-3">
      <SectionHeading lead="Admins can do everything you can. They get access once they have set up two-step login.">
        Invite an admin
      </SectionHeading>
      <AdminForm actionData={actionData} submitLabel="Invite" pendingLabel="Inviting">
        {(field) => (
          <>
            <TextField label="Email" type="email" required autoComplete="off" {...field("email")} />
            <CodeField error={field("code").error} />
          </>
        )}
      </AdminForm>
    </section>
  );
}

function adminColumns(viewerId: string, isOnlyOne: boolean): readonly TableColumn<ListedAdmin>[] {
  return [
    {
      key: "name",
      header: "Name",
      isRowHeader: true,
      cell: ({ id, name }) => (
        <TextLink to={`/admin/users/${id}`} standalone>
          {id === viewerId ? `${name} (you)` : name}
        </TextLink>
      ),
    },
    {
      key: "email",
      header: "Email",
      isUserText: true,
      cell: ({ email }) => <span className="break-all">{email}</span>,
    },
    { key: "since", header: "Since", cell: ({ since }) => <DateTime at={since} /> },
    {
      key: "two-step",
      header: "Two-step login",
      cell: ({ hasTwoStep, isAwaitingTwoStep }) =>
        hasTwoStep ? (
          <Badge tone="green">On</Badge>
        ) : (
          <Badge>{isAwaitingTwoStep ? "Must be set up first" : "Off"}</Badge>
        ),
    },
    {
      key: "actions",
      header: "Actions",
      align: "right",
      isLabelHidden: true,
      cell: ({ id, name, isAwaitingTwoStep }) =>
        isOnlyOne && !isAwaitingTwoStep ? (
          <span className="text-sm text-ink-2">The last admin can't be removed</span>
        ) : (
          <ButtonLink to={`/admin/admins/${id}/remove`} variant="secondary" size="small">
            {id === viewerId ? (
              "Step down"
            ) : (
              <>
                Remove<span className="sr-only"> {name}</span>
              </>
            )}
          </ButtonLink>
        ),
    },
  ];
}

const invitationColumns: readonly TableColumn<OpenAdminInvitation>[] = [
  {
    key: "email",
    header: "Email",
    isRowHeader: true,
    isUserText: true,
    cell: ({ email }) => <span className="break-all">{email}</span>,
  },
  { key: "invited", header: "Invited", cell: ({ invitedAt }) => <DateTime at={invitedAt} /> },
  {
    key: "expires",
    header: "Link",
    cell: ({ expiresAt, isExpired }) =>
      isExpired ? (
        <Badge>Expired</Badge>
      ) : (
        <span>
          Works until <DateTime at={expiresAt} />
        </span>
      ),
  },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    isLabelHidden: true,
    cell: ({ id, email }) => (
      <div className="flex flex-wrap gap-2 sm:justify-end">
        <AdminActionButton
          action={`/admin/admins/invitations/${id}/resend`}
          label={`Resend the invitation to ${email}`}
        >
          Resend
        </AdminActionButton>
        <AdminActionButton
          action={`/admin/admins/invitations/${id}/cancel`}
          label={`Cancel the invitation to ${email}`}
        >
          Cancel
        </AdminActionButton>
      </div>
    ),
  },
];
