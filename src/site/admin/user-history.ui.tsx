import { AdminActionButton, ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { PurchaseStatus } from "#payments/payments.ui.tsx";
import { auditAction, auditDetails } from "#platform/audit/audit.ui.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { EmailStatus, ResendButton } from "./email-status.ui.tsx";
import type { UserEvent } from "./read-user-history.server.ts";

type CoinsEvent = Extract<UserEvent, { type: "coins" }>;

const KIND_LABELS: Record<CoinsEvent["line"]["kind"], string> = {
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

/** What happened to an account, newest first. */
export function UserHistory({ events, next }: { events: UserEvent[]; next: Date | null }) {
  return (
    <section aria-labelledby="history">
      <SectionHeading
        id="history"
        lead="The account, payments, coins, race cards, emails, notes and actions of admins in the order in which they happened."
      >
        History
      </SectionHeading>
      <Table
        caption="History"
        columns={columns}
        rows={events}
        rowKey={(event) => event.key}
        className="mt-2"
      />
      <ListPagination label="History" nextCursor={next ? String(next.getTime()) : null} />
    </section>
  );
}

const columns: readonly TableColumn<UserEvent>[] = [
  {
    key: "what",
    header: "What",
    isRowHeader: true,
    isUserText: true,
    cell: (event) => (
      <span className="grid">
        <What event={event} />
      </span>
    ),
  },
  {
    key: "at",
    header: "When",
    narrowLine: 2,
    isLabelHidden: true,
    cell: ({ at }) => <DateTime at={at} />,
  },
  {
    key: "change",
    header: "Change",
    narrowLine: 1,
    align: "right",
    cell: (event) => <Change event={event} />,
  },
  {
    key: "state",
    header: "State",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (event) => <State event={event} />,
  },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (event) => <Action event={event} />,
  },
];

function What({ event }: { event: UserEvent }) {
  switch (event.type) {
    case "account":
      return event.what;
    case "session":
      return "Logged in";
    case "email":
      return `Email: ${event.email.subject}`;
    case "order": {
      const { purchaseId, coinPackTitle, note } = event.order;
      return (
        <>
          {purchaseId ? (
            <TextLink to={`/admin/purchases/${purchaseId}`} standalone>
              Order: {coinPackTitle}
            </TextLink>
          ) : (
            `Order: ${coinPackTitle}`
          )}
          {note ? <span className="text-xs text-danger-ink">{note}</span> : null}
        </>
      );
    }
    case "coins":
      return (
        <>
          {KIND_LABELS[event.line.kind]}
          {event.raceCard ? (
            <TextLink to={`/admin/race-cards/${event.raceCard.id}`} standalone className="text-sm">
              {event.raceCard.venue.name}, <RaceDate date={event.raceCard.raceDate} />,{" "}
              {event.raceCard.creator.name}
            </TextLink>
          ) : null}
        </>
      );
    case "audit":
      return (
        <>
          {auditAction(event.action).label}
          <span className="text-xs font-normal text-ink-2">by {event.actorName}</span>
          {auditDetails(event.details).map(([name, text]) => (
            <span key={name} className="text-sm font-normal whitespace-pre-line">
              {name === "Text" ? text : `${name}: ${text}`}
            </span>
          ))}
        </>
      );
  }
}

function Change({ event }: { event: UserEvent }) {
  if (event.type === "order")
    return <RandAmount amountCents={event.order.amountCents} areCentsShown />;
  if (event.type === "coins") return <CoinAmount amountCoins={event.line.amountCoins} hasSign />;
  return null;
}

function State({ event }: { event: UserEvent }) {
  if (event.type === "email") return <EmailStatus email={event.email} />;
  if (event.type === "coins")
    return (
      <>
        Balance <CoinAmount amountCoins={event.line.balanceCoins} isUnitVisible={false} />
      </>
    );
  return event.type === "order" ? <PurchaseStatus purchase={event.order} /> : null;
}

function Action({ event }: { event: UserEvent }) {
  if (event.type === "email") return <ResendButton email={event.email} />;
  if (event.type !== "order") return null;
  return (
    <AdminActionButton
      action={`/admin/orders/${event.order.id}/status`}
      label={`Ask now about ${event.order.coinPackTitle}`}
    >
      Ask now
    </AdminActionButton>
  );
}
