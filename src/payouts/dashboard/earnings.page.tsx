import { Download } from "lucide-react";
import { requireCreator } from "#creators/creators.server.ts";
import { type CalendarDate, dateAt, formatDate, formatMonth } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { now } from "#platform/clock.server.ts";
import { readOwnRaceDates } from "#tips/tips.server.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { BarChart } from "#ui/charts/bar-chart.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { Pagination } from "#ui/pagination.tsx";
import { Panel } from "#ui/panel.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import {
  type EarningStatus,
  readEarningsByDay,
  readEarningsOfCards,
  readEarningsSummary,
} from "../earnings.server.ts";
import { readPayouts } from "../list-payouts.server.ts";
import { readBankDetails } from "../read-bank-details.server.ts";
import {
  findFirstDay,
  findOtherMonth,
  parseMonth,
  readRaceCardsOfMonth,
} from "../statement-month.server.ts";
import type { Route } from "./+types/earnings.page.ts";
import { countSales, EarningsTable, type SoldRaceCard, sumEarnings } from "./earnings-list.ui.tsx";
import { PayoutHistory, PayoutPanel } from "./payout-panel.ui.tsx";

const CHART_DAYS = 30;
const RECENT_PAYOUTS = 6;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Earnings",
    description: "Your earnings and payouts.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const { id, suspendedAt } = await requireCreator(context);
  const [summary, days, statement, bank, { payouts }, { earningCents }] = await Promise.all([
    readEarningsSummary(id),
    readEarningsByDay(id, { days: CHART_DAYS }),
    readStatement(id, parseMonth(new URL(request.url).searchParams.get("month"))),
    readBankDetails(id),
    readPayouts({ creatorId: id, limit: RECENT_PAYOUTS }),
    readSaleTerms(),
  ]);
  const isSuspended = suspendedAt !== null;
  return { summary, days, statement, bank, payouts, earningCents, isSuspended };
}

/**
 * Returns a creator's sales of one month by race card, and the months before and after it that can have some. Without
 * a month: the latest one with a race card, but not after today's.
 */
async function readStatement(creatorId: string, month: CalendarDate | null) {
  const today = dateAt(now());
  const raceDates = await readOwnRaceDates(creatorId);
  const latest = raceDates && raceDates.last < today ? raceDates.last : today;
  const firstDay = month ?? findFirstDay(latest);
  const raceCards = await readRaceCardsOfMonth(creatorId, firstDay);
  const earnings = await readEarningsOfCards(
    creatorId,
    raceCards.map((raceCard) => raceCard.id),
  );
  const groupsByCard = Map.groupBy(earnings, (group) => group.raceCardId);
  const previous = findOtherMonth(firstDay, "before");
  const next = findOtherMonth(firstDay, "after");
  return {
    month: firstDay,
    raceCards: raceCards.flatMap((raceCard): SoldRaceCard[] => {
      const groups = groupsByCard.get(raceCard.id);
      return groups ? [{ raceCard, groups }] : [];
    }),
    previous: raceDates && findFirstDay(raceDates.first) < firstDay ? previous : null,
    next: raceDates && raceDates.last >= next ? next : null,
  };
}

/** Shows a creator's earnings and payouts. */
export default function Earnings({ loaderData }: Route.ComponentProps) {
  const { summary, days, statement, bank, payouts, earningCents, isSuspended } = loaderData;
  return (
    <div className="grid gap-8">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <PayoutPanel summary={summary} bank={bank} payouts={payouts} isSuspended={isSuspended} />
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
      <Statement statement={statement} earningCents={earningCents} />
      <PayoutHistory payouts={payouts} />
    </div>
  );
}

function Statement({
  statement,
  earningCents,
}: {
  statement: Route.ComponentProps["loaderData"]["statement"];
  earningCents: number;
}) {
  const { raceCards, previous, next } = statement;
  const month = formatMonth(statement.month);
  const buildPageUrl = (firstDay: CalendarDate) => `?month=${firstDay.slice(0, 7)}`;
  return (
    <section aria-labelledby="earnings" className="min-w-0">
      <SectionHeading
        id="earnings"
        lead="Your race cards by race date. Every sale is counted once."
        aside={
          <a
            href={`/tipster-dashboard/earnings.csv?month=${statement.month.slice(0, 7)}`}
            download
            className={buttonClasses("quiet", "small")}
          >
            <Download aria-hidden="true" />
            Statement (CSV)
          </a>
        }
      >
        Earnings of {month}
      </SectionHeading>
      {raceCards.length === 0 ? (
        <EmptyState
          compact
          drawing="ledger"
          title={previous || next ? `No sales in ${month}` : "No sales data found"}
        >
          You earn {formatCents(earningCents)} each time someone opens one of your race cards.
        </EmptyState>
      ) : (
        <>
          <EarningsTable raceCards={raceCards} month={month} />
          <MonthTotals raceCards={raceCards} />
        </>
      )}
      <Pagination
        label="Months"
        newerHref={next ? buildPageUrl(next) : null}
        newerLabel={next ? formatMonth(next) : undefined}
        olderHref={previous ? buildPageUrl(previous) : null}
        olderLabel={previous ? formatMonth(previous) : undefined}
        className="mt-4"
      />
    </section>
  );
}

const TOTALS: readonly { label: string; statuses: readonly EarningStatus[] }[] = [
  { label: "Pending", statuses: ["pending"] },
  { label: "Held", statuses: ["held"] },
  { label: "Payable", statuses: ["payable"] },
  { label: "In a payout", statuses: ["requested", "processing"] },
  { label: "Paid", statuses: ["paid"] },
];

/** The sums of the month's rows by state, which add up to what was earned. */
function MonthTotals({ raceCards }: { raceCards: SoldRaceCard[] }) {
  const groups = raceCards.flatMap((card) => card.groups);
  const totals = TOTALS.map(({ label, statuses }) => ({
    label,
    cents: sumEarnings(groups.filter(({ status }) => statuses.includes(status))),
  })).filter(({ cents }) => cents > 0);
  return (
    <p className="mt-3 flex flex-wrap justify-end gap-x-4 gap-y-1 text-sm text-ink-2">
      {totals.map(({ label, cents }) => (
        <span key={label} className="whitespace-nowrap">
          {label} <RandAmount amountCents={cents} areCentsShown />
        </span>
      ))}
      <strong className="font-semibold whitespace-nowrap text-ink">
        {formatInteger(countSales(groups))} sold, earned{" "}
        <RandAmount amountCents={sumEarnings(groups)} areCentsShown />
      </strong>
    </p>
  );
}

function Summary({ summary }: { summary: Route.ComponentProps["loaderData"]["summary"] }) {
  const rand = (cents: number) => <RandAmount amountCents={cents} areCentsShown size="large" />;
  return (
    <StatRow
      className="grid! grid-cols-2 sm:grid-cols-5"
      stats={[
        {
          label: "Pending",
          value: rand(summary.pendingCents),
          note: "Payable 14 days after the sale, but not before the day after the race",
        },
        { label: "Held", value: rand(summary.heldCents), note: "While we review a sale" },
        { label: "Payable", value: rand(summary.payableCents) },
        { label: "In a payout", value: rand(summary.inPayoutCents) },
        { label: "Paid", value: rand(summary.paidCents) },
        {
          label: "Total earnings",
          value: rand(summary.totalCents),
          note: "Pending, held, payable, in a payout and paid",
        },
        { label: "Total sales", value: formatInteger(summary.sales) },
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
              <RaceDate date={dateAt(summary.lastSaleAt)} style="plain" />
            </span>
          ) : (
            "–"
          ),
        },
      ]}
    />
  );
}
