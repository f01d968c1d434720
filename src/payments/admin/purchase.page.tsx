import { Download } from "lucide-react";
import { data } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminActionButton, DetailList } from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { findTransactions, type LedgerTransaction } from "#wallet/wallet.server.ts";
import { getGateway } from "../gateways.server.ts";
import { findPurchase } from "../purchases.server.ts";
import { listPurchaseRefunds } from "../refunds/refund-purchase.server.ts";
import type { Route } from "./+types/purchase.page.ts";
import { PurchaseStatus } from "./purchase-status.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Sale, Admin",
    description: "One sale and its history.",
    isPrivate: true,
  });

export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const purchase = await findPurchase(params.purchaseId);
  if (!purchase) throw data(null, { status: 404 });
  const { id, userId, sessionId, openedRaceCardId } = purchase;
  const [buyers, raceCards, ...transactions] = await Promise.all([
    readUsers([userId]),
    readRaceCardSummaries(openedRaceCardId ? [openedRaceCardId] : []),
    findTransactions("purchase", sessionId),
    findTransactions("welcome", purchase.orderId),
    findTransactions("refund", id, { isPrefix: true }),
    findTransactions("dispute", id, { isPrefix: true }),
  ]);
  const refunds = await listPurchaseRefunds(id);
  const admins = await readUsers(refunds.flatMap(({ requestedBy }) => requestedBy ?? []));
  const raceCard = openedRaceCardId ? raceCards.get(openedRaceCardId) : undefined;
  const provider = getGateway(purchase.provider).describe();
  return {
    purchase,
    provider: {
      name: provider.name,
      paymentUrl: purchase.paymentId ? provider.buildDashboardUrl(purchase.paymentId) : null,
    },
    buyer: { name: buyers.get(userId)?.name ?? "", email: buyers.get(userId)?.email ?? "" },
    openedRaceCard: raceCard
      ? { id: raceCard.id, venueName: raceCard.venue.name, raceDate: raceCard.raceDate }
      : null,
    refunds: refunds.map((refund) => ({
      ...refund,
      requestedByName: refund.requestedBy
        ? (admins.get(refund.requestedBy)?.name ?? "")
        : "The buyer",
    })),
    history: transactions
      .flat()
      .sort((a, b) => a.id - b.id)
      .map(toHistoryEntry),
  };
}

/** Sums the postings of one ledger transaction by account. */
function toHistoryEntry(transaction: LedgerTransaction) {
  const sum = (account: string) =>
    transaction.postings
      .filter((posting) => posting.account === account)
      .reduce((total, posting) => total + posting.amount, 0);
  return {
    id: transaction.id,
    kind: transaction.kind,
    at: transaction.createdAt,
    walletCoins: sum("wallet"),
    owedCoins: -sum("owed"),
    providerCents: sum("provider"),
  };
}

type HistoryEntry = ReturnType<typeof toHistoryEntry>;

const KIND_LABELS: Partial<Record<HistoryEntry["kind"], string>> = {
  purchase: "Paid",
  welcome: "Welcome coins",
  refund: "Refund",
  dispute: "Dispute",
};

/** Shows one purchase with its refunds and disputes. */
export default function PurchasePage({ loaderData }: Route.ComponentProps) {
  const { purchase, provider, buyer, openedRaceCard, refunds, history } = loaderData;
  return (
    <div className="grid gap-6">
      <div>
        <TextLink to="/admin/purchases" standalone className="text-sm">
          All purchases
        </TextLink>
        <SectionHeading className="mt-2" aside={<PurchaseStatus purchase={purchase} />}>
          {purchase.coinPackTitle}, <DateTime at={purchase.boughtAt} />
        </SectionHeading>
      </div>
      <DetailList
        items={[
          [
            "Buyer",
            <TextLink key="b" to={`/admin/users/${purchase.userId}`}>
              {buyer.email}
            </TextLink>,
          ],
          ["Coins", <CoinAmount key="c" amountCoins={purchase.coins} />],
          ["Paid", <RandAmount key="p" amountCents={purchase.amountCents} areCentsShown />],
          ["Refunded", <RandAmount key="r" amountCents={purchase.refundedCents} areCentsShown />],
          ["Coins removed", <CoinAmount key="t" amountCoins={purchase.recoveredCoins} />],
          ["Provider", provider.name],
          [
            "Session",
            <span key="s" className="font-cond break-all">
              {purchase.sessionId}
            </span>,
          ],
          [
            "Payment",
            <span key="i" className="font-cond break-all">
              {provider.paymentUrl ? (
                <a className="link" href={provider.paymentUrl} rel="noreferrer">
                  {purchase.paymentId}
                </a>
              ) : (
                (purchase.paymentId ?? "not known")
              )}
            </span>,
          ],
          [
            "Order",
            <span key="o" className="font-cond break-all">
              {purchase.orderId}
            </span>,
          ],
          ...(openedRaceCard
            ? [
                [
                  "Race card opened",
                  <TextLink key="c" to={`/admin/race-cards/${openedRaceCard.id}`}>
                    {openedRaceCard.venueName}, <RaceDate date={openedRaceCard.raceDate} />
                  </TextLink>,
                ] as [string, React.ReactNode],
              ]
            : []),
        ]}
      />
      <div className="grid gap-3">
        <h3 className="font-cond text-lg font-bold">History</h3>
        <Table
          caption="Payments, refunds and disputes of this sale"
          columns={columns}
          rows={history}
          rowKey={(entry) => String(entry.id)}
        />
        {purchase.disputeStatus === "open" ? (
          <p className="max-w-prose text-sm text-ink-2">
            While the dispute is open, the buyer can't open race cards, and the tipsters' earnings
            that it could take are held.
          </p>
        ) : null}
      </div>
      {refunds.length > 0 ? (
        <div className="grid gap-3">
          <h3 className="font-cond text-lg font-bold">Requested refunds</h3>
          <Table
            caption="Refunds that an admin or the buyer requested"
            columns={refundColumns}
            rows={refunds}
            rowKey={({ id }) => id}
          />
        </div>
      ) : null}
      <div className="flex flex-wrap items-start gap-3">
        <AdminActionButton action={`/admin/purchases/${purchase.id}/receipt`} size="medium">
          Send the receipt again
        </AdminActionButton>
        {purchase.disputeStatus ? (
          <a
            href={`/admin/purchases/${purchase.id}/evidence.csv`}
            className={buttonClasses("secondary", "medium")}
            download
          >
            <Download aria-hidden="true" />
            Download evidence
          </a>
        ) : null}
        {purchase.remainingCents > 0 ? (
          <ButtonLink
            to={`/admin/purchases/${purchase.id}/refund`}
            variant="secondary"
            size="medium"
          >
            Refund
          </ButtonLink>
        ) : null}
      </div>
    </div>
  );
}

const REFUND_STATUS_LABELS = { requested: "In progress", sent: "Refunded", failed: "Failed" };

const refundColumns: readonly TableColumn<Route.ComponentProps["loaderData"]["refunds"][number]>[] =
  [
    {
      key: "reason",
      header: "Reason",
      isRowHeader: true,
      cell: ({ reason }) => reason,
    },
    { key: "by", header: "Requested by", cell: ({ requestedByName }) => requestedByName },
    { key: "at", header: "When", cell: ({ requestedAt }) => <DateTime at={requestedAt} /> },
    {
      key: "amount",
      header: "Amount",
      align: "right",
      cell: ({ amountCents }) => <RandAmount amountCents={amountCents} areCentsShown />,
    },
    {
      key: "bearer",
      header: "Spent coins",
      cell: ({ isBorneByHouse }) => (isBorneByHouse ? "The house" : "The buyer"),
    },
    { key: "status", header: "Status", cell: ({ status }) => REFUND_STATUS_LABELS[status] },
  ];

const columns: readonly TableColumn<HistoryEntry>[] = [
  {
    key: "kind",
    header: "What",
    isRowHeader: true,
    cell: (entry) => KIND_LABELS[entry.kind] ?? entry.kind,
  },
  { key: "at", header: "When", cell: (entry) => <DateTime at={entry.at} /> },
  {
    key: "money",
    header: "Money",
    align: "right",
    cell: (entry) =>
      entry.providerCents === 0 ? (
        "–"
      ) : (
        <RandAmount amountCents={entry.providerCents} areCentsShown hasSign />
      ),
  },
  {
    key: "wallet",
    header: "Wallet",
    align: "right",
    cell: (entry) =>
      entry.walletCoins === 0 ? (
        "–"
      ) : (
        <CoinAmount amountCoins={entry.walletCoins} hasSign isUnitVisible={false} />
      ),
  },
  {
    key: "owed",
    header: "Owed",
    align: "right",
    cell: (entry) =>
      entry.owedCoins === 0
        ? "–"
        : entry.owedCoins > 0
          ? formatCoins(entry.owedCoins)
          : `${formatCoins(-entry.owedCoins)} repaid`,
  },
];
