import { AdminReasonForm } from "#admin-kit/admin-kit.ui.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";

type ContradictedTransfer = {
  reference: string;
  creatorName: string;
  amountCents: number;
  status: "pending" | "paid" | "failed" | "returned";
  providerStatus: string | null;
};

/** Lists the transfers whose end Paystack reports differently, each with the form that resolves it. */
export function ContradictedTransfers({
  transfers,
}: {
  transfers: readonly ContradictedTransfer[];
}) {
  return (
    <section className="grid gap-3">
      <SectionHeading lead="Ask Paystack, and compare with its dashboard and the bank. Until a transfer that failed here is resolved, the tipster isn't paid.">
        Transfers that Paystack reports differently
      </SectionHeading>
      <Table
        caption="Transfers that Paystack reports differently"
        columns={COLUMNS}
        rows={transfers}
        rowKey={({ reference }) => reference}
      />
    </section>
  );
}

const COLUMNS: readonly TableColumn<ContradictedTransfer>[] = [
  {
    key: "creator",
    header: "Tipster",
    isRowHeader: true,
    cell: ({ creatorName }) => creatorName,
  },
  {
    key: "reference",
    header: "Reference",
    cell: ({ reference }) => <span className="text-xs break-all">{reference}</span>,
  },
  {
    key: "amount",
    header: "Amount",
    align: "right",
    cell: ({ amountCents }) => <RandAmount amountCents={amountCents} areCentsShown />,
  },
  { key: "status", header: "Here", cell: ({ status }) => status },
  {
    key: "providerStatus",
    header: "At Paystack",
    cell: ({ providerStatus }) => providerStatus ?? "unknown",
  },
  {
    key: "action",
    header: "Action",
    cell: ({ reference }) => (
      <AdminReasonForm
        action={`/admin/payouts/transfers/${reference}/resolve`}
        label="Reason for resolving the transfer"
        submitText="Resolve"
      />
    ),
  },
];
