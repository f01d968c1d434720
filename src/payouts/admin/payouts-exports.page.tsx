import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
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
  const users = await readUsers(exports.flatMap((paymentExport) => paymentExport.createdBy ?? []));
  return {
    exports: exports.map((paymentExport) => ({
      ...paymentExport,
      by: (paymentExport.createdBy && users.get(paymentExport.createdBy)?.name) || "",
    })),
    next,
  };
}

type PaymentExportRow = Route.ComponentProps["loaderData"]["exports"][number];

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
        rowKey={(paymentExport) => paymentExport.id}
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

const columns: readonly TableColumn<PaymentExportRow>[] = [
  {
    key: "at",
    header: "Made",
    isRowHeader: true,
    cell: (paymentExport) => <DateTime at={paymentExport.createdAt} />,
  },
  { key: "by", header: "By", cell: (paymentExport) => paymentExport.by || "–" },
  {
    key: "format",
    header: "Format",
    cell: (paymentExport) => FORMAT_LABELS[paymentExport.format] ?? paymentExport.format,
  },
  {
    key: "action",
    header: "Action date",
    cell: (paymentExport) =>
      paymentExport.actionDate ? formatDate(paymentExport.actionDate) : "–",
  },
  {
    key: "payments",
    header: "Payments",
    align: "right",
    cell: (paymentExport) => paymentExport.payments,
  },
  {
    key: "total",
    header: "Total",
    align: "right",
    cell: (paymentExport) => <RandAmount amountCents={paymentExport.totalCents} areCentsShown />,
  },
];
