import { readUsers } from "#accounts/accounts.server.ts";
import { listKeys, readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListBar, ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Creator } from "../creator.server.ts";
import { CREATOR_ORDERS, listAllCreators } from "../list-creators.server.ts";
import type { Route } from "./+types/tipsters.page.ts";
import { SuspensionButton } from "./suspension-button.ui.tsx";
import { TipstersTabs } from "./tipsters-tabs.ui.tsx";

const STATES = { writing: false, suspended: true };

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Tipsters, Admin", description: "Tipsters and analysts.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const { readText, readChoice, cursor } = readListParams(request);
  const state = readChoice("state", listKeys(STATES));
  const { creators, next } = await listAllCreators({
    search: readText("search"),
    kind: readChoice("kind", ["tipster", "analyst"]),
    isSuspended: state ? STATES[state] : null,
    order: readChoice("order", listKeys(CREATOR_ORDERS)) ?? undefined,
    cursor,
  });
  const users = await readUsers(creators.map(({ id }) => id));
  return {
    creators: creators.map((creator) => ({
      ...creator,
      isClosed: users.get(creator.id)?.isClosed ?? false,
      isSelf: creator.id === admin.id,
    })),
    next,
  };
}

/** Admin list of tipsters and analysts. */
export default function Tipsters({ loaderData }: Route.ComponentProps) {
  const { creators, next } = loaderData;
  return (
    <div className="grid gap-4">
      <TipstersTabs current="creators" />
      <ListBar
        searchLabel="Search by display name"
        filters={[
          {
            name: "kind",
            label: "Type",
            allLabel: "Tipsters and analysts",
            options: [
              { value: "tipster", label: "Tipsters" },
              { value: "analyst", label: "Analysts" },
            ],
          },
          {
            name: "state",
            label: "State",
            allLabel: "Any state",
            options: [
              { value: "writing", label: "Active" },
              { value: "suspended", label: "Suspended" },
            ],
          },
          {
            name: "order",
            label: "Order",
            options: [
              { value: "name", label: "By name" },
              { value: "newest", label: "Newest first" },
            ],
          },
        ]}
      />
      <Table
        caption="Tipsters"
        columns={columns}
        rows={creators}
        rowKey={(creator) => creator.id}
        empty={
          <EmptyState compact drawing="search" title="No tipsters found">
            Approve an application, or invite an analyst.
          </EmptyState>
        }
      />
      <ListPagination label="Tipsters" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<Creator & { isClosed: boolean; isSelf: boolean }>[] = [
  {
    key: "name",
    header: "Tipster",
    isRowHeader: true,
    cell: (creator) => (
      <TextLink
        to={`/admin/users/${creator.id}`}
        standalone
        className="inline-flex items-center gap-2.5"
      >
        <Avatar name={creator.name} photo={creator.photo} size="small" />
        {creator.name}
      </TextLink>
    ),
  },
  { key: "kind", header: "Kind", cell: (creator) => creator.kind },
  {
    key: "record",
    header: "Record",
    cell: (creator) => (
      <WinRecord wonTips={creator.record.won} settledTips={creator.record.settled} />
    ),
  },
  {
    key: "tips",
    header: "Tips",
    align: "right",
    cell: (creator) => (
      <TextLink to={`/admin/tips?tipster=${creator.slug}`}>
        {creator.record.tips}
        <span className="sr-only"> tips of {creator.name}</span>
      </TextLink>
    ),
  },
  { key: "since", header: "Since", cell: (creator) => <DateTime at={creator.approvedAt} /> },
  {
    key: "state",
    header: "State",
    cell: (creator) =>
      creator.isClosed ? (
        <Badge>Closed</Badge>
      ) : creator.suspendedAt ? (
        <Badge tone="danger">Suspended</Badge>
      ) : (
        <Badge tone="green">Active</Badge>
      ),
  },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    isLabelHidden: true,
    cell: (creator) =>
      creator.isClosed || creator.isSelf ? null : (
        <SuspensionButton
          creator={{
            id: creator.id,
            name: creator.name,
            isSuspended: creator.suspendedAt !== null,
          }}
        />
      ),
  },
];
