import { formSuccess, handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminActionButton, AdminForm } from "#admin-kit/admin-kit.ui.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { listInvitations, type PendingInvitation } from "../invitations/invitations.server.ts";
import { inviteAnalystInput } from "../invitations/invite-analyst.input.ts";
import { inviteAnalyst } from "../invitations/invite-analyst.server.ts";
import type { Route } from "./+types/invite-analyst.page.ts";
import { TipstersTabs } from "./tipsters-tabs.ui.tsx";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Invite an analyst, Admin",
    description: "Invite an analyst.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  return { waiting: await listInvitations() };
}

const refusals = {
  "display-name-taken": { errors: { displayName: "That display name is taken" } },
  "already-a-creator": { errors: { email: "There is already a tipster with this email address" } },
  "not-confirmed": {
    errors: {
      email:
        "The account with this email address is not confirmed yet. Ask its owner to confirm it first",
    },
  },
};

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input: inviteAnalystInput,
    run: (input) => inviteAnalyst(admin.id, input),
    done: ({ isPending }, { displayName }) =>
      formSuccess(
        `${displayName} is an analyst${isPending ? " once they accept" : ""}. We've emailed the invitation.`,
      ),
    refusals: ({ refusal }) => ({ ...refusals[refusal], status: 409 }),
    failed: "The invitation could not be sent",
  });
}

/** Admin page to invite an analyst by email. */
export default function InviteAnalyst({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">Invite an analyst</h2>
      <TipstersTabs current="invite" />
      <p className="max-w-prose text-ink-2">
        Analysts publish under their own display name, log in at the analyst portal and earn the
        same commission as tipsters. We email a link: new people set a password, people with an
        account accept the role.
      </p>
      <AdminForm actionData={actionData} submitLabel="Invite" pendingLabel="Inviting">
        {(field) => (
          <>
            <TextField
              label="Full name"
              required
              maxLength={120}
              autoComplete="off"
              {...field("name")}
            />
            <TextField label="Email" type="email" required autoComplete="off" {...field("email")} />
            <TextField
              label="Display name"
              required
              maxLength={60}
              autoComplete="off"
              hint="The name shown with their tips"
              {...field("displayName")}
            />
          </>
        )}
      </AdminForm>
      {loaderData.waiting.length > 0 ? (
        <PendingInvitations invitations={loaderData.waiting} />
      ) : null}
    </div>
  );
}

function PendingInvitations({ invitations }: { invitations: PendingInvitation[] }) {
  return (
    <section className="grid gap-3">
      <SectionHeading lead="People with an account who haven't accepted yet.">
        Invitations waiting
      </SectionHeading>
      <Table
        caption="Invitations waiting"
        columns={columns}
        rows={invitations}
        rowKey={(invitation) => invitation.userId}
      />
    </section>
  );
}

const columns: readonly TableColumn<PendingInvitation>[] = [
  {
    key: "name",
    header: "Analyst",
    isRowHeader: true,
    cell: ({ userId, displayName }) => (
      <TextLink to={`/admin/users/${userId}`} standalone>
        {displayName}
      </TextLink>
    ),
  },
  {
    key: "email",
    header: "Email",
    cell: ({ email }) => <span className="break-all">{email}</span>,
  },
  { key: "invited", header: "Invited", cell: ({ invitedAt }) => <DateTime at={invitedAt} /> },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    isLabelHidden: true,
    cell: ({ userId, displayName }) => (
      <AdminActionButton
        action={`/admin/tipsters/invitations/${userId}/cancel`}
        label={`Cancel the invitation of ${displayName}`}
      >
        Cancel
      </AdminActionButton>
    ),
  },
];
