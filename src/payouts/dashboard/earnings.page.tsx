import { Download } from "lucide-react";
import { useSearchParams } from "react-router";
import { requireCreator } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { readOwnRaceCards } from "#tips/tips.server.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { BarChart } from "#ui/charts/bar-chart.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { Pagination } from "#ui/pagination.tsx";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import { readEarnings, readEarningsByDay, readEarningsSummary } from "../earnings.server.ts";
import { readPayouts } from "../list-payouts.server.ts";
import { readBankDetails } from "../read-bank-details.server.ts";
import type { Route } from "./+types/earnings.page.ts";
import { EarningsTable, RecentSales } from "./earnings-list.ui.tsx";
import { PayoutHistory, PayoutPanel } from "./payout-panel.ui.tsx";

const CHART_DAYS = 30;
const PAGE_SIZE = 20;
const RECENT_SALES = 20;
const RECENT_PAYOUTS = 6;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Earnings",
    description: "Your earnings and payouts.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const { id } = await requireCreator(context);
  const beforeParameter = Number(new URL(request.url).searchParams.get("before"));
  const beforeSaleId =
    Number.isSafeInteger(beforeParameter) && beforeParameter > 0 ? beforeParameter : null;
  const [summary, days, page, recentPage, bank, { payouts }, { earningCents }] = await Promise.all([
    readEarningsSummary(id),
    readEarningsByDay(id, { days: CHART_DAYS }),
    readEarnings(id, { beforeSaleId, limit: PAGE_SIZE }),
    readEarnings(id, { limit: RECENT_SALES }),
    readBankDetails(id),
    readPayouts({ creatorId: id, limit: RECENT_PAYOUTS }),
    readSaleTerms(),
  ]);
  const raceCards = await readOwnRaceCards(id, [
    ...new Set([...page.earnings, ...recentPage.earnings].map((earning) => earning.raceCardId)),
  ]);
  return {
    summary,
    days,
    earnings: page.earnings,
    next: page.next,
    recentSales: recentPage.earnings,
    bank,
    payouts,
    earningCents,
    raceCards: Object.fromEntries(raceCards),
  };
}

/** Shows a creator's earnings and payouts. */
export default function Earnings({ loaderData }: Route.ComponentProps) {
  const { summary, days, earnings, next, recentSales, bank, payouts, raceCards, earningCents } =
    loaderData;
  const [search] = useSearchParams();
  return (
    <div className="grid gap-8">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <PayoutPanel summary={summary} bank={bank} payouts={payouts} />
        <Panel>
          {days.some(({ earnedCents }) => earnedCents !== 0) ? (
            <BarChart
              title={`Earned in the last ${CHART_DAYS} days`}
              valueLabel="Rand per day"
              points={days.map(({ day, earnedCents }) => ({
                label: formatDate(day, "short"),
                value: earnedCents,
              }))}
              formatValue={formatRand}
            />
          ) : (
            <p className="text-sm text-ink-2">No earnings in the last {CHART_DAYS} days.</p>
          )}
        </Panel>
      </div>
      <Summary summary={summary} />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <section aria-labelledby="earnings" className="min-w-0">
          <SectionHeading
            id="earnings"
            aside={
              <a
                href="/tipster-dashboard/earnings.csv"
                download
                className={buttonClasses("quiet", "small")}
              >
                <Download aria-hidden="true" />
                Statement (CSV)
              </a>
            }
          >
            Earnings
          </SectionHeading>
          {earnings.length === 0 ? (
            <EmptyState compact drawing="ledger" title="No sales data found">
              You earn {formatCents(earningCents)} each time someone opens one of your race cards.
            </EmptyState>
          ) : (
            <EarningsTable earnings={earnings} raceCards={raceCards} />
          )}
          <Pagination
            label="Earnings"
            newerHref={search.has("before") ? "?" : null}
            newerLabel="Newest"
            olderHref={next ? `?before=${next}` : null}
            className="mt-4"
          />
        </section>
        <div className="grid content-start gap-8">
          <section aria-labelledby="recent-sales">
            <SectionHeading id="recent-sales">Recent Sales</SectionHeading>
            <RecentSales sales={recentSales} raceCards={raceCards} />
          </section>
          <PayoutHistory payouts={payouts} />
        </div>
      </div>
    </div>
  );
}

function Summary({ summary }: { summary: Route.ComponentProps["loaderData"]["summary"] }) {
  const rand = (cents: number) => <RandAmount amountCents={cents} areCentsShown size="large" />;
  return (
    <StatRow
      className="grid-cols-2! sm:grid-cols-4!"
      stats={[
        { label: "Total sales", value: formatInteger(summary.sales) },
        { label: "Total earnings", value: rand(summary.totalCents) },
        {
          label: "Pending",
          value: rand(summary.pendingCents),
          note: "Payable 14 days after the sale, but not before the day after the race",
        },
        { label: "Held", value: rand(summary.heldCents), note: "While we review a sale" },
        { label: "Paid", value: rand(summary.paidCents) },
        {
          label: "Reversed",
          value: rand(summary.reversedCents),
          note: "Not included in the total",
        },
        {
          label: "Average per tip",
          value: summary.averagePerTipCents === null ? "–" : rand(summary.averagePerTipCents),
        },
        {
          label: "Last sale",
          value: summary.lastSaleAt ? (
            <span className="text-base">
              <DateTime at={summary.lastSaleAt} style="short" />
            </span>
          ) : (
            "–"
          ),
        },
      ]}
    />
  );
}
