import type { ReactNode } from "react";
import { AdminActionButton } from "#admin-kit/admin-kit.ui.tsx";
import { PurchaseStatus } from "#payments/payments.ui.tsx";
import { Badge } from "#ui/badge.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { Panel } from "#ui/panel.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { UserDetails } from "./read-user.server.ts";

type ListPanelProps<Row> = {
  id: string;
  title: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  olderPath: string | null;
  emptyText: string;
};

function ListPanel<Row>({
  id,
  title,
  columns,
  rows,
  rowKey,
  olderPath,
  emptyText,
}: ListPanelProps<Row>) {
  const more: ReactNode = olderPath ? (
    <TextLink to={olderPath} preventScrollReset standalone className="text-sm">
      More
    </TextLink>
  ) : null;
  return (
    <Panel id={id} title={title} footer={more} className="scroll-mt-20">
      <Table
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        empty={<p className="text-sm text-ink-2">{emptyText}.</p>}
      />
    </Panel>
  );
}

type StatementLine = UserDetails["statement"]["lines"][number];

const KIND_LABELS: Record<StatementLine["kind"], string> = {
  purchase: "Coins bought",
  welcome: "Welcome coins",
  grant: "Granted",
  unlock: "Card opened",
  reversal: "Coins returned",
  refund: "Refund",
  dispute: "Dispute",
  payout: "Payout",
  forfeit: "Account closed",
  claim: "Claim code",
};

/** The statement of the wallet. */
export function StatementPanel({
  lines,
  olderPath,
}: {
  lines: StatementLine[];
  olderPath: string | null;
}) {
  return (
    <ListPanel
      id="statement"
      title="Wallet"
      emptyText="No coin transactions yet"
      rows={lines}
      rowKey={(line) => String(line.id)}
      olderPath={olderPath}
      columns={[
        { key: "kind", header: "What", isRowHeader: true, cell: (line) => KIND_LABELS[line.kind] },
        { key: "at", header: "When", cell: (line) => <DateTime at={line.movedAt} /> },
        {
          key: "amount",
          header: "Coins",
          align: "right",
          cell: (line) => (
            <CoinAmount amountCoins={line.amountCoins} hasSign isUnitVisible={false} />
          ),
        },
        {
          key: "balance",
          header: "Balance",
          align: "right",
          cell: (line) => <CoinAmount amountCoins={line.balanceCoins} isUnitVisible={false} />,
        },
      ]}
    />
  );
}

type Order = UserDetails["orders"][number];

const STATUS_BADGES: Record<Order["status"], ReactNode> = {
  pending: <Badge>Not paid yet</Badge>,
  awaiting_payment: <Badge tone="info">Paid later</Badge>,
  fulfilled: <Badge tone="green">Paid</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
  expired: <Badge>Expired</Badge>,
};

/** The orders with their status. */
export function OrdersPanel({ orders }: { orders: Order[] }) {
  return (
    <ListPanel
      id="orders"
      title="Orders"
      emptyText="Nothing ordered yet"
      rows={orders}
      rowKey={(order) => order.id}
      olderPath={null}
      columns={[
        {
          key: "coinPack",
          header: "Coin pack",
          isRowHeader: true,
          cell: (order) =>
            order.purchaseId ? (
              <TextLink to={`/admin/purchases/${order.purchaseId}`} standalone>
                {order.coinPackTitle}
              </TextLink>
            ) : (
              order.coinPackTitle
            ),
        },
        { key: "at", header: "When", cell: (order) => <DateTime at={order.orderedAt} /> },
        {
          key: "amount",
          header: "Amount",
          align: "right",
          cell: (order) => <RandAmount amountCents={order.amountCents} areCentsShown />,
        },
        {
          key: "status",
          header: "Status",
          cell: (order) => (
            <span className="grid justify-items-end gap-0.5 sm:justify-items-start">
              {order.refundedCents || order.disputeStatus ? (
                <PurchaseStatus
                  purchase={{
                    amountCents: order.amountCents,
                    refundedCents: order.refundedCents ?? 0,
                    disputeStatus: order.disputeStatus,
                  }}
                />
              ) : (
                STATUS_BADGES[order.status]
              )}
              {order.note ? <span className="text-xs text-danger-ink">{order.note}</span> : null}
            </span>
          ),
        },
        {
          key: "provider",
          header: "Provider",
          cell: (order) => (
            <AdminActionButton
              action={`/admin/orders/${order.id}/status`}
              label={`Ask now about ${order.coinPackTitle}`}
            >
              Ask now
            </AdminActionButton>
          ),
        },
      ]}
    />
  );
}

type OpenedRaceCard = UserDetails["cards"]["rows"][number];

export function OpenedRaceCardsPanel({
  rows,
  olderPath,
}: {
  rows: OpenedRaceCard[];
  olderPath: string | null;
}) {
  return (
    <ListPanel
      id="cards"
      title="Cards opened"
      emptyText="No race cards opened yet"
      rows={rows}
      rowKey={(raceCard) => String(raceCard.saleId)}
      olderPath={olderPath}
      columns={[
        {
          key: "card",
          header: "Card",
          isRowHeader: true,
          cell: (raceCard) => (
            <TextLink to={`/admin/race-cards/${raceCard.raceCardId}`} standalone>
              {raceCard.venueName}, <RaceDate date={raceCard.raceDate} />
            </TextLink>
          ),
        },
        { key: "creator", header: "Tipster", cell: (raceCard) => raceCard.creatorName },
        { key: "races", header: "Races", align: "right", cell: (raceCard) => raceCard.races },
        { key: "at", header: "Opened", cell: (raceCard) => <DateTime at={raceCard.openedAt} /> },
      ]}
    />
  );
}

type EmailRow = UserDetails["emails"]["rows"][number];

/** The emails to the user with their status. */
export function EmailsPanel({ rows, olderPath }: { rows: EmailRow[]; olderPath: string | null }) {
  return (
    <ListPanel
      id="emails"
      title="Mails"
      emptyText="No emails yet"
      rows={rows}
      rowKey={(email) => email.id}
      olderPath={olderPath}
      columns={[
        { key: "subject", header: "Subject", isRowHeader: true, cell: (email) => email.subject },
        { key: "at", header: "Requested", cell: (email) => <DateTime at={email.createdAt} /> },
        { key: "state", header: "State", cell: (email) => <EmailStatus email={email} /> },
        {
          key: "actions",
          header: "Actions",
          align: "right",
          isLabelHidden: true,
          cell: (email) => <ResendButton email={email} />,
        },
      ]}
    />
  );
}

export function EmailStatus({
  email,
}: {
  email: Pick<EmailRow, "sentAt" | "failedAt" | "failure">;
}) {
  if (email.sentAt) return <Badge tone="green">Sent</Badge>;
  if (email.failedAt)
    return (
      <span className="grid justify-items-end gap-0.5 sm:justify-items-start">
        <Badge tone="danger">Failed</Badge>
        <span className="text-xs text-ink-2">{email.failure}</span>
      </span>
    );
  return <Badge tone="info">Waiting</Badge>;
}

export function ResendButton({ email }: { email: Pick<EmailRow, "id" | "subject"> }) {
  return (
    <AdminActionButton
      action={`/admin/emails/${email.id}/resend`}
      variant="quiet"
      label={`Resend ${email.subject}`}
    >
      Resend
    </AdminActionButton>
  );
}
