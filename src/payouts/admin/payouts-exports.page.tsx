import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { readUsers } from "#identity/identity.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { listPaymentExports } from "../payment-exports.server.ts";
import type { Route } from "./+types/payouts-exports.page.ts";
import { FORMAT_LABELS } from "./payment-file-messages.ts";
import { PayoutsTabs } from "./payouts-tabs.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Payment files, Admin",
    description: "Files made for the bank.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { exports, next } = await listPaymentExports({
    cursor: new URL(request.url).searchParams.get("after"),
  });
  const users = await readUsers(exports.flatMap((each) => each.createdBy ?? []));
  return {
    exports: exports.map((each) => ({
      ...each,
      by: (each.createdBy && users.get(each.createdBy)?.name) || "",
    })),
    next,
  };
}

type Row = Route.ComponentProps["loaderData"]["exports"][number];

/** Lists payment files, newest first, with count and total to compare with the bank. */
export default function PayoutsExports({ loaderData }: Route.ComponentProps) {
  const { exports, next } = loaderData;
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">Payment files</h2>
      <PayoutsTabs current="exports" />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-ink-2">
          Compare the number of payments and the total with what the bank shows before you release
          them.
        </p>
        <ButtonLink to="/admin/payouts/file-settings" variant="secondary" size="small">
          Payment file settings
        </ButtonLink>
      </div>
      <Table
        caption="Payment files"
        columns={columns}
        rows={exports}
        rowKey={(each) => each.id}
        empty={
          <EmptyState compact drawing="ledger" title="No payment files found">
            They appear here when payouts are exported for the bank.
          </EmptyState>
        }
      />
      <ListPagination label="Payment files" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<Row>[] = [
  { key: "at", header: "Made", lead: true, cell: (each) => <DateTime at={each.createdAt} /> },
  { key: "by", header: "By", cell: (each) => each.by || "–" },
  { key: "format", header: "Format", cell: (each) => FORMAT_LABELS[each.format] ?? each.format },
  {
    key: "action",
    header: "Action date",
    cell: (each) => (each.actionDate ? formatDate(each.actionDate) : "–"),
  },
  { key: "payments", header: "Payments", align: "right", cell: (each) => each.payments },
  {
    key: "total",
    header: "Total",
    align: "right",
    cell: (each) => <RandAmount amountCents={each.totalCents} cents />,
  },
];
