import { useSearchParams } from "react-router";
import { listUsers, readUsers } from "#accounts/accounts.server.ts";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListBar, ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { listAllCreators } from "#creators/creators.server.ts";
import { type AuditEntry, readAudit } from "#platform/audit/audit.server.ts";
import {
  AUDIT_ACTIONS,
  type AuditAction,
  auditAction,
  auditDetails,
} from "#platform/audit/audit.ui.tsx";
import { listSubjectsOfUnconfirmedResults } from "#racing/racing.server.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/audit.page.ts";
import { listAuditedAdmins } from "./list-audited-admins.server.ts";
import { listSubjectsOfUsers } from "./list-subjects-of-users.server.ts";
import { nameSubjects } from "./name-subjects.server.ts";

/** Maximum number of people whose entries a search includes. */
const MAX_PEOPLE = 50;

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Audit, Admin", description: "The audit log.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const { readText, readChoice, readDate, readNumber } = readListParams(request);
  const search = readText("search");
  const [{ entries, next }, admins] = await Promise.all([
    readAudit({
      actorId: readText("actor"),
      action: readChoice("act", Object.keys(AUDIT_ACTIONS) as AuditAction[]),
      subject: readText("subject"),
      ...(search ? await findSubjects(search) : {}),
      from: readDate("from"),
      to: readDate("to"),
      beforeId: readNumber("after"),
    }),
    listAuditedAdmins(),
  ]);
  // The subjects are read after the entries, so that they include every result that these show.
  const [actors, subjects, unconfirmedSubjects] = await Promise.all([
    readUsers([...new Set(entries.flatMap((entry) => entry.actorId ?? []))]),
    nameSubjects(entries),
    listSubjectsOfUnconfirmedResults(),
  ]);
  return {
    entries: entries.map((entry) => ({
      ...entry,
      // The admin who confirms a result must not know what another one entered.
      details:
        unconfirmedSubjects.has(entry.subject) && entry.actorId !== admin.id
          ? { result: "shown once it is confirmed" }
          : entry.details,
      actorName: entry.actorId ? (actors.get(entry.actorId)?.name ?? "") : "Furlong",
      subjectName: subjects.get(entry.id) ?? null,
    })),
    next,
    admins,
  };
}

/** Returns the subjects that a search may mean: the text itself, or the people who match with their money. */
async function findSubjects(search: string) {
  const [{ users }, { creators }] = await Promise.all([
    listUsers({ search, limit: MAX_PEOPLE }),
    listAllCreators({ search, limit: MAX_PEOPLE }),
  ]);
  const userIds = [...new Set([...users, ...creators].map(({ id }) => id))];
  return { subjects: [search, ...(await listSubjectsOfUsers(userIds))], userIds };
}

type Row = AuditEntry & { actorName: string; subjectName: string | null };

/** The audit log. It is append-only. */
export default function Audit({ loaderData }: Route.ComponentProps) {
  const { entries, next, admins } = loaderData;
  const [params] = useSearchParams();
  const actor = params.get("actor");
  return (
    <div className="grid gap-4">
      <p className="max-w-prose text-sm text-ink-2">
        All admin actions, and all actions that affect money or access. Entries can't be changed or
        removed.
      </p>
      <ListBar
        searchLabel="Search by name, address or id"
        hasDates
        otherParams={{ subject: params.get("subject") }}
        filters={[
          {
            name: "act",
            label: "Action",
            allLabel: "All actions",
            options: Object.entries(AUDIT_ACTIONS).map(([act, { label }]) => ({
              value: act,
              label,
            })),
          },
          {
            name: "actor",
            label: "Who",
            allLabel: "Everyone",
            options: [
              ...admins.map(({ id, name, isFormer }) => ({
                value: id,
                label: isFormer ? `${name} (former admin)` : name,
              })),
              ...(actor && !admins.some(({ id }) => id === actor)
                ? [{ value: actor, label: entries[0]?.actorName ?? "This user" }]
                : []),
            ],
          },
        ]}
      />
      {params.get("subject") ? (
        <p className="text-sm text-ink-2">
          Showing actions on one subject. <TextLink to="/admin/audit">Show all</TextLink>
        </p>
      ) : null}
      <Table
        caption="Audit"
        columns={columns}
        rows={entries}
        rowKey={(entry) => String(entry.id)}
        empty={<EmptyState compact drawing="ledger" title="No entries found" />}
      />
      <ListPagination label="Audit" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<Row>[] = [
  {
    key: "action",
    header: "What",
    isRowHeader: true,
    cell: (entry) => {
      const to = auditAction(entry.action).link?.(entry.subject);
      return (
        <span className="grid">
          {to ? (
            <TextLink to={to} standalone>
              {auditAction(entry.action).label}
            </TextLink>
          ) : (
            auditAction(entry.action).label
          )}
          {entry.subjectName ? (
            <span className="text-xs font-normal text-ink-2">{entry.subjectName}</span>
          ) : null}
        </span>
      );
    },
  },
  {
    key: "who",
    header: "Who",
    isUserText: true,
    cell: (entry) =>
      entry.actorId ? (
        <TextLink to={`/admin/users/${entry.actorId}`}>{entry.actorName}</TextLink>
      ) : (
        entry.actorName
      ),
  },
  { key: "at", header: "When", cell: (entry) => <DateTime at={entry.createdAt} /> },
  {
    key: "details",
    header: "Details",
    isUserText: true,
    cell: (entry) => <Details entry={entry} />,
  },
];

function Details({ entry }: { entry: Row }) {
  const details = auditDetails(entry.details);
  return (
    <span className="grid max-w-md min-w-0 gap-0.5 text-xs text-ink-2">
      {details.map(([name, value]) => (
        <span key={name} className="wrap-anywhere">
          {name}: <span className="text-ink">{value}</span>
        </span>
      ))}
      <span className="font-cond break-all text-ink-3">{entry.subject}</span>
    </span>
  );
}
