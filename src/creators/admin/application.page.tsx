import { data } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminActionForm, DetailList } from "#admin-kit/admin-kit.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { findApplication } from "../applications/applications.server.ts";
import type { Route } from "./+types/application.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Application, Admin", description: "One application.", isPrivate: true });

export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const application = await findApplication(params.applicationId);
  if (!application) throw data(null, { status: 404 });
  const { decidedBy } = application;
  const decider = decidedBy ? (await readUsers([decidedBy])).get(decidedBy) : undefined;
  return { application, decidedByName: decider?.name ?? "" };
}

/** Admin page of one application, with the decision. */
export default function ApplicationPage({ loaderData }: Route.ComponentProps) {
  const { application, decidedByName } = loaderData;
  const { id, status, experienceYears, bio } = application;
  return (
    <div className="grid gap-6">
      <div>
        <TextLink to="/admin/tipsters/applications" standalone className="text-sm">
          All applications
        </TextLink>
        <SectionHeading
          className="mt-2"
          aside={
            <>
              Applied <DateTime at={application.createdAt} />
            </>
          }
        >
          {application.displayName}
        </SectionHeading>
      </div>
      <DetailList
        items={[
          ["Full name", application.fullName],
          [
            "Email",
            <span key="e" className="break-all">
              {application.email}
            </span>,
          ],
          ["Phone", application.phoneNumber || "not given"],
          ["Experience", experienceYears === null ? "not given" : `${experienceYears} years`],
          ["Speciality", application.specialization || "not given"],
          ["Favourite tracks", application.favouriteTracks || "not given"],
        ]}
      />
      {bio ? <p className="max-w-prose whitespace-pre-line">{bio}</p> : null}
      {status === "applied" ? (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <ApproveForm id={id} displayName={application.displayName} />
          <DeclineForm id={id} />
        </div>
      ) : (
        <FormMessage
          type={status === "approved" ? "success" : "info"}
          title={status === "approved" ? "Approved" : "Declined"}
        >
          By {decidedByName}
          {application.decidedAt ? (
            <>
              , <DateTime at={application.decidedAt} />
            </>
          ) : null}
          .{application.reason ? ` ${application.reason}` : ""}
          {status === "approved" && application.userId ? (
            <>
              {" "}
              <TextLink to={`/admin/users/${application.userId}`}>View account</TextLink>
            </>
          ) : null}
        </FormMessage>
      )}
    </div>
  );
}

function ApproveForm({ id, displayName }: { id: string; displayName: string }) {
  return (
    <Panel title="Approve">
      <AdminActionForm action={`/admin/tipsters/applications/${id}/approve`} className="grid gap-4">
        {(isPending) => (
          <>
            <TextField
              label="Display name"
              name="displayName"
              required
              minLength={2}
              maxLength={60}
              defaultValue={displayName}
              hint="Change it if another tipster already uses it"
            />
            <p className="text-sm text-ink-2">
              We email them a link to set a password, or to accept the role if they already have an
              account.
            </p>
            <div>
              <Button type="submit" pending={isPending}>
                Approve
              </Button>
            </div>
          </>
        )}
      </AdminActionForm>
    </Panel>
  );
}

function DeclineForm({ id }: { id: string }) {
  return (
    <Panel title="Decline">
      <AdminActionForm action={`/admin/tipsters/applications/${id}/decline`} className="grid gap-4">
        {(isPending) => (
          <>
            <TextAreaField
              label="Reason"
              name="reason"
              required
              maxLength={300}
              hint="Included in the email"
            />
            <div>
              <Button type="submit" variant="secondary" pending={isPending}>
                Decline
              </Button>
            </div>
          </>
        )}
      </AdminActionForm>
    </Panel>
  );
}
