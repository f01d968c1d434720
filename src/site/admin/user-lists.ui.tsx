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
  older: string | null;
  none: string;
};

function ListPanel<Row>({ id, title, columns, rows, rowKey, older, none }: ListPanelProps<Row>) {
  const more: ReactNode = older ? (
    <TextLink to={older} preventScrollReset standalone className="text-sm">
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
        empty={<p className="text-sm text-ink-2">{none}.</p>}
      />
    </Panel>
  );
}

type Movement = UserDetails["statement"]["lines"][number];

const KINDS: Record<Movement["kind"], string> = {
  purchase: "Coins bought",
  welcome: "Welcome coins",
  grant: "Granted",
  unlock: "Card opened",
  reversal: "Coins refunded",
  refund: "Refund",
  dispute: "Dispute",
  payout: "Payout",
  forfeit: "Forfeited",
};

/** The movements of the wallet. */
export function StatementPanel({
  lines: movements,
  older,
}: {
  lines: Movement[];
  older: string | null;
}) {
  return (
    <ListPanel
      id="statement"
      title="Wallet"
      none="No coin transactions yet"
      rows={movements}
      rowKey={(movement) => String(movement.id)}
      older={older}
      columns={[
        { key: "kind", header: "What", lead: true, cell: (movement) => KINDS[movement.kind] },
        { key: "at", header: "When", cell: (movement) => <DateTime at={movement.movedAt} /> },
        {
          key: "amount",
          header: "Coins",
          align: "right",
          cell: (movement) => (
            <CoinAmount amountCoins={movement.amountCoins} signed unitShown={false} />
          ),
        },
        {
          key: "balance",
          header: "Balance",
          align: "right",
          cell: (movement) => <CoinAmount amountCoins={movement.balanceCoins} unitShown={false} />,
        },
      ]}
    />
  );
}

type Order = UserDetails["orders"][number];

const STATUSES: Record<Order["status"], ReactNode> = {
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
      none="Nothing ordered yet"
      rows={orders}
      rowKey={(order) => order.id}
      older={null}
      columns={[
        {
          key: "package",
          header: "Package",
          lead: true,
          cell: (order) =>
            order.purchaseId ? (
              <TextLink to={`/admin/sales/${order.purchaseId}`} standalone>
                {order.packageTitle}
              </TextLink>
            ) : (
              order.packageTitle
            ),
        },
        { key: "at", header: "When", cell: (order) => <DateTime at={order.orderedAt} /> },
        {
          key: "amount",
          header: "Amount",
          align: "right",
          cell: (order) => <RandAmount amountCents={order.amountCents} cents />,
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
                STATUSES[order.status]
              )}
              {order.note ? <span className="text-xs text-danger-ink">{order.note}</span> : null}
            </span>
          ),
        },
      ]}
    />
  );
}

type Card = UserDetails["cards"]["rows"][number];

export function OpenedCardsPanel({ rows, older }: { rows: Card[]; older: string | null }) {
  return (
    <ListPanel
      id="cards"
      title="Cards opened"
      none="No race cards opened yet"
      rows={rows}
      rowKey={(card) => String(card.saleId)}
      older={older}
      columns={[
        {
          key: "card",
          header: "Card",
          lead: true,
          cell: (card) => (
            <TextLink to={`/admin/race-cards/${card.raceCardId}`} standalone>
              {card.venueName}, <RaceDate date={card.raceDate} />
            </TextLink>
          ),
        },
        { key: "creator", header: "Tipster", cell: (card) => card.creatorName },
        { key: "races", header: "Races", align: "right", cell: (card) => card.races },
        { key: "at", header: "Opened", cell: (card) => <DateTime at={card.openedAt} /> },
      ]}
    />
  );
}

type MailRow = UserDetails["mails"]["rows"][number];

/** The emails to the user with their status. */
export function MailsPanel({ rows, older }: { rows: MailRow[]; older: string | null }) {
  return (
    <ListPanel
      id="mails"
      title="Mails"
      none="No emails yet"
      rows={rows}
      rowKey={(mail) => mail.id}
      older={older}
      columns={[
        { key: "subject", header: "Subject", lead: true, cell: (mail) => mail.subject },
        { key: "at", header: "Requested", cell: (mail) => <DateTime at={mail.createdAt} /> },
        { key: "state", header: "State", cell: (mail) => <MailState mail={mail} /> },
        {
          key: "act",
          header: "Actions",
          align: "right",
          bare: true,
          cell: (mail) => <ResendButton mail={mail} />,
        },
      ]}
    />
  );
}

export function MailState({ mail }: { mail: Pick<MailRow, "sentAt" | "failedAt" | "failure"> }) {
  if (mail.sentAt) return <Badge tone="green">Sent</Badge>;
  if (mail.failedAt)
    return (
      <span className="grid justify-items-end gap-0.5 sm:justify-items-start">
        <Badge tone="danger">Failed</Badge>
        <span className="text-xs text-ink-2">{mail.failure}</span>
      </span>
    );
  return <Badge tone="info">Waiting</Badge>;
}

export function ResendButton({ mail }: { mail: Pick<MailRow, "id" | "subject"> }) {
  return (
    <AdminActionButton
      action={`/admin/mails/${mail.id}/resend`}
      variant="quiet"
      label={`Resend ${mail.subject}`}
    >
      Resend
    </AdminActionButton>
  );
}
