import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListBar, ListPagination, ORDER_BY_AGE } from "#admin-kit/admin-kit.ui.tsx";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  APPLICATION_ORDERS,
  type Application,
  type ApplicationStatus,
  listApplications,
} from "../applications/applications.server.ts";
import type { Route } from "./+types/applications.page.ts";
import { TipstersTabs } from "./tipsters-tabs.ui.tsx";

const STATUSES: readonly ApplicationStatus[] = ["applied", "approved", "declined"];

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Applications, Admin", description: "Tipster applications.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { readText, readChoice, cursor } = readListParams(request);
  const { applications, next } = await listApplications({
    status: readChoice("status", STATUSES) ?? undefined,
    search: readText("search"),
    order: readChoice("order", APPLICATION_ORDERS) ?? undefined,
    cursor,
  });
  return {
    applications: applications.map(({ id, fullName, displayName, email, status, createdAt }) => ({
      id,
      fullName,
      displayName,
      email,
      status,
      createdAt,
    })),
    next,
  };
}

type Row = Pick<Application, "id" | "fullName" | "displayName" | "email" | "status" | "createdAt">;

/** Admin list of tipster applications. */
export default function Applications({ loaderData }: Route.ComponentProps) {
  const { applications, next } = loaderData;
  return (
    <div className="grid gap-4">
      <h2 className="sr-only">Tipster applications</h2>
      <TipstersTabs current="applications" />
      <ListBar
        searchLabel="Search by name or email"
        filters={[
          {
            name: "status",
            label: "Status",
            allLabel: "All applications",
            options: [
              { value: "applied", label: "Waiting" },
              { value: "approved", label: "Approved" },
              { value: "declined", label: "Declined" },
            ],
          },
          ORDER_BY_AGE,
        ]}
      />
      <Table
        caption="Applications"
        columns={columns}
        rows={applications}
        rowKey={(application) => application.id}
        empty={
          <EmptyState compact drawing="mail" title="No applications found">
            Applications from the Become a Tipster page appear here.
          </EmptyState>
        }
      />
      <ListPagination label="Applications" nextCursor={next} />
    </div>
  );
}

const STATUS_BADGES: Record<ApplicationStatus, { label: string; tone: BadgeTone }> = {
  applied: { label: "Waiting", tone: "warn" },
  approved: { label: "Approved", tone: "green" },
  declined: { label: "Declined", tone: "plain" },
};

const columns: readonly TableColumn<Row>[] = [
  {
    key: "name",
    header: "Display name",
    isRowHeader: true,
    cell: (application) => (
      <TextLink to={`/admin/tipsters/applications/${application.id}`} standalone>
        {application.displayName}
      </TextLink>
    ),
  },
  { key: "person", header: "Full name", cell: (application) => application.fullName },
  {
    key: "email",
    header: "Email",
    cell: (application) => <span className="break-all">{application.email}</span>,
  },
  { key: "at", header: "Applied", cell: (application) => <DateTime at={application.createdAt} /> },
  {
    key: "status",
    header: "Status",
    cell: (application) => {
      const { label, tone } = STATUS_BADGES[application.status];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
];
