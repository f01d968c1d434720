import { listKeys, readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListBar, ListPagination, ORDER_BY_AGE } from "#admin-kit/admin-kit.ui.tsx";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type ListedUser, listUsers, USER_ORDERS } from "../list-users.server.ts";
import type { Route } from "./+types/users.page.ts";
import { UserBadges } from "./user-badges.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Users, Admin", description: "All users.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { readText, readChoice, cursor } = readListParams(request);
  return await listUsers({
    search: readText("search"),
    role: readChoice("role", ["tipster", "analyst", "admin"]),
    order: readChoice("order", listKeys(USER_ORDERS)) ?? undefined,
    cursor,
    limit: 25,
  });
}

/** Admin list of users. */
export default function Users({ loaderData }: Route.ComponentProps) {
  const { users, next } = loaderData;
  return (
    <div className="grid gap-4">
      <ListBar
        searchLabel="Search by name, email or id"
        filters={[
          {
            name: "role",
            label: "Role",
            allLabel: "All users",
            options: [
              { value: "tipster", label: "Tipsters" },
              { value: "analyst", label: "Analysts" },
              { value: "admin", label: "Admins" },
            ],
          },
          ORDER_BY_AGE,
        ]}
      />
      <Table
        caption="Users"
        columns={columns}
        rows={users}
        rowKey={(user) => user.id}
        empty={
          <EmptyState compact drawing="search" title="No users found">
            Search by the start of a name or email address.
          </EmptyState>
        }
      />
      <ListPagination label="Users" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<ListedUser>[] = [
  {
    key: "name",
    header: "Name",
    isRowHeader: true,
    cell: (user) => (
      <TextLink to={`/admin/users/${user.id}`} standalone>
        {user.name}
      </TextLink>
    ),
  },
  {
    key: "email",
    header: "Email",
    isUserText: true,
    cell: (user) =>
      user.isClosed ? (
        <span className="text-ink-3">–</span>
      ) : (
        <span className="break-all">{user.email}</span>
      ),
  },
  {
    key: "state",
    header: "State",
    cell: (user) => (user.isClosed ? <Badge>Closed</Badge> : <UserBadges user={user} />),
  },
  { key: "since", header: "Since", cell: (user) => <DateTime at={user.createdAt} /> },
];
