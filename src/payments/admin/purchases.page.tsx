import { Download } from "lucide-react";
import { useSearchParams } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin, SALES_ERROR_MESSAGES, withLoadError } from "#admin-kit/admin-kit.server.ts";
import { ListBar, ListPagination, ORDER_BY_AGE } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { BarChart } from "#ui/charts/bar-chart.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  type PurchaseSummary,
  readPurchaseSummary,
  readPurchasesByDay,
  readPurchaseTotals,
} from "../purchase-summary.server.ts";
import { listPurchases } from "../purchases.server.ts";
import type { Route } from "./+types/purchases.page.ts";
import { COIN_PACK_TITLES, parsePurchasesQuery } from "./parse-purchases-query.server.ts";
import { PurchaseStatus } from "./purchase-status.ui.tsx";

const PAGE_SIZE = 50;
const DAYS = 30;
/** Number of characters of a session id that are shown. */
const SESSION_ID_LENGTH = 20;

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Purchases, Admin", description: "Purchases and revenue.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const query = { ...(await parsePurchasesQuery(request)), limit: PAGE_SIZE };
  const hasDates = query.from || query.to;
  const [list, summary, totals, days] = await Promise.all([
    withLoadError(listPurchases(query), SALES_ERROR_MESSAGES),
    withLoadError(readPurchaseSummary(), SALES_ERROR_MESSAGES),
    withLoadError(
      hasDates ? readPurchaseTotals(query) : Promise.resolve(null),
      SALES_ERROR_MESSAGES,
    ),
    withLoadError(readPurchasesByDay({ days: DAYS }), SALES_ERROR_MESSAGES),
  ]);
  const purchases = list.result?.purchases ?? [];
  const buyers = await readUsers([...new Set(purchases.map((purchase) => purchase.userId))]);
  return {
    purchases: purchases.map((purchase) => ({
      ...purchase,
      email: buyers.get(purchase.userId)?.email ?? "",
    })),
    next: list.result?.next ?? null,
    summary: summary.result,
    totals: totals.result,
    days: days.result ?? [],
    errorMessage:
      list.errorMessage ?? summary.errorMessage ?? totals.errorMessage ?? days.errorMessage,
    coinPackTitles: COIN_PACK_TITLES,
  };
}

type PurchaseRow = Route.ComponentProps["loaderData"]["purchases"][number];

/** Lists purchases, with totals and daily charts. */
export default function Purchases({ loaderData }: Route.ComponentProps) {
  const { purchases, next, summary, totals, days, errorMessage, coinPackTitles } = loaderData;
  const [searchParams] = useSearchParams();
  return (
    <div className="grid gap-6">
      {errorMessage ? <FormMessage type="error">{errorMessage}</FormMessage> : null}
      {summary ? <Summary summary={summary} /> : null}
      {days.length > 0 ? (
        <div className="grid gap-4 lg:grid-cols-2">
          <Panel>
            <BarChart
              title="Purchases by day"
              valueLabel={`Rand, last ${DAYS} days`}
              points={days.map((day) => ({
                label: formatDate(day.day, "short"),
                value: day.amountCents / 100,
              }))}
              formatValue={(value) => `R${formatInteger(value)}`}
            />
          </Panel>
          <Panel>
            <BarChart
              title="Coins sold by day"
              valueLabel={`Coins, last ${DAYS} days`}
              points={days.map((day) => ({
                label: formatDate(day.day, "short"),
                value: day.coins,
              }))}
              formatValue={formatInteger}
            />
          </Panel>
        </div>
      ) : null}
      <div className="grid gap-4">
        <SectionHeading
          aside={
            <span className="flex flex-wrap items-center gap-x-4">
              <TextLink to="/admin/purchases/customers-money" standalone>
                Customers' money
              </TextLink>
              <TextLink to="/admin/purchases/claim-codes" standalone>
                Claim codes
              </TextLink>
              <TextLink to="/admin/purchases/coin-packs" standalone>
                Coin packs and margin
              </TextLink>
              <a
                href={`/admin/purchases.csv?${searchParams}`}
                className={buttonClasses("secondary", "small")}
                download
              >
                <Download aria-hidden="true" />
                CSV
              </a>
            </span>
          }
        >
          Recent Sales
        </SectionHeading>
        <ListBar
          searchLabel="Search by buyer or session id"
          hasDates
          filters={[
            {
              name: "state",
              label: "State",
              allLabel: "All purchases",
              options: [
                { value: "refunded", label: "Refunded" },
                { value: "disputed", label: "Disputed" },
              ],
            },
            {
              name: "coinPack",
              label: "Coin pack",
              allLabel: "All coin packs",
              options: coinPackTitles.map((title) => ({ value: title, label: title })),
            },
            {
              ...ORDER_BY_AGE,
              options: [...ORDER_BY_AGE.options, { value: "largest", label: "Largest first" }],
            },
          ]}
        />
        {totals ? (
          <StatRow
            stats={[
              { label: "Purchases of these dates", value: formatInteger(totals.purchases) },
              {
                label: "Paid",
                value: <RandAmount amountCents={totals.amountCents} areCentsShown size="large" />,
              },
              { label: "Coins", value: <CoinAmount amountCoins={totals.coins} size="large" /> },
            ]}
          />
        ) : null}
        <Table
          caption="Purchases"
          fitsFrom="48rem"
          columns={columns}
          rows={purchases}
          rowKey={(purchase) => purchase.id}
          empty={
            errorMessage ? null : (
              <EmptyState compact drawing="ledger" title="No sales data found">
                Purchases appear here when a payment arrives.
              </EmptyState>
            )
          }
        />
        <ListPagination label="Purchases" nextCursor={next} />
      </div>
    </div>
  );
}

function Summary({ summary }: { summary: PurchaseSummary }) {
  const { revenueCents, averageCents, coins, topCoinPack, refundedCents, disputedCents } = summary;
  return (
    <StatRow
      stats={[
        {
          label: "Total revenue",
          value: <RandAmount amountCents={revenueCents} areCentsShown size="large" />,
          note:
            refundedCents + disputedCents > 0 ? (
              <>
                <RandAmount amountCents={refundedCents} areCentsShown size="small" /> refunded,{" "}
                <RandAmount amountCents={disputedCents} areCentsShown size="small" /> disputed
              </>
            ) : undefined,
        },
        {
          label: "Average order",
          value:
            averageCents === null ? (
              "–"
            ) : (
              <RandAmount amountCents={averageCents} areCentsShown size="large" />
            ),
        },
        {
          label: "Coins sold",
          value: <CoinAmount amountCoins={coins} isUnitVisible={false} size="large" />,
        },
        { label: "Top coin pack", value: topCoinPack ?? "–" },
      ]}
    />
  );
}

const columns: readonly TableColumn<PurchaseRow>[] = [
  {
    key: "buyer",
    header: "Buyer",
    isRowHeader: true,
    cell: (purchase) => (
      <TextLink to={`/admin/users/${purchase.userId}`} standalone className="break-all">
        {purchase.email}
      </TextLink>
    ),
  },
  {
    key: "at",
    header: "Bought",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (purchase) => <DateTime at={purchase.boughtAt} />,
  },
  {
    key: "coinPack",
    header: "Coin pack",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (purchase) => purchase.coinPackTitle,
  },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: (purchase) => <CoinAmount amountCoins={purchase.coins} isUnitVisible={false} />,
  },
  {
    key: "paid",
    header: "Paid",
    narrowLine: 1,
    align: "right",
    cell: (purchase) => <RandAmount amountCents={purchase.amountCents} areCentsShown />,
  },
  {
    key: "session",
    header: "Session",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (purchase) => (
      <TextLink
        to={`/admin/purchases/${purchase.id}`}
        standalone
        title={purchase.sessionId}
        className="font-cond"
      >
        {purchase.sessionId.slice(0, SESSION_ID_LENGTH)}…
      </TextLink>
    ),
  },
  {
    key: "state",
    header: "State",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (purchase) => <PurchaseStatus purchase={purchase} />,
  },
];
