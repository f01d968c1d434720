import { requireViewer } from "#accounts/accounts.server.ts";
import { addDays, dateAt, formatDate, formatMonth } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { BETTING_TAX_PERCENT, TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { now } from "#platform/clock.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/own-record.page.ts";
import { type OwnRecord, readOwnRecord } from "./own-record.server.ts";
import { describeBets, describeCost, describeWins } from "./own-record.ui.tsx";

const SHOWN_DAYS = 31;

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  const today = dateAt(now());
  const [days, months] = await Promise.all([
    readOwnRecord(viewer.id, "day", { from: addDays(today, 1 - SHOWN_DAYS), until: today }),
    readOwnRecord(viewer.id, "month", {
      // Twelve months, this one included.
      from: `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`,
      until: today,
    }),
  ]);
  return { days, months: months.slice(0, 12) };
}

export const meta = () =>
  pageMeta({
    title: "How I did",
    description: "How the race cards you opened have done, by race day and month.",
    isPrivate: true,
  });

/** Shows how the viewer's opened race cards have done by official results: by month, and by recent race day. */
export default function OwnRecordPage({ loaderData }: Route.ComponentProps) {
  const { days, months } = loaderData;
  return (
    <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
      <TextLink to="/my-cards" standalone className="text-sm">
        My cards
      </TextLink>
      <PageHeading
        lead={`Your race cards by official results. Bets are what ${formatRand(TIP_STAKE_CENTS)} on every tip would have returned, after ${BETTING_TAX_PERCENT}% tax on winnings: to win at the starting price, to place at the tote.`}
      >
        How I did
      </PageHeading>
      {months.length === 0 ? (
        <EmptyState
          drawing="ledger"
          title="No race cards yet"
          action={<ButtonLink to={LIST_PATH}>See race cards on sale</ButtonLink>}
          className="mt-6"
        >
          Race cards that you open are counted here once their races are run.
        </EmptyState>
      ) : (
        <>
          <section className="mt-6 grid gap-3">
            <SectionHeading>By month</SectionHeading>
            <Table
              caption="Your race cards by month"
              columns={toColumns("Month", (month) => formatMonth(`${month}-01`))}
              rows={months}
              rowKey={({ period }) => period}
            />
          </section>
          <section className="mt-8 grid gap-3">
            <SectionHeading>By race day</SectionHeading>
            <Table
              caption="Your race cards by race day"
              columns={toColumns("Race day", (date) => formatDate(date, "short"))}
              rows={days}
              rowKey={({ period }) => period}
              empty={
                <p className="text-sm text-ink-2">No race cards in the last {SHOWN_DAYS} days.</p>
              }
            />
          </section>
        </>
      )}
    </div>
  );
}

function toColumns(
  header: string,
  formatPeriod: (period: string) => string,
): readonly TableColumn<OwnRecord>[] {
  return [
    {
      key: "period",
      header,
      isRowHeader: true,
      narrowLine: 1,
      cell: ({ period }) => formatPeriod(period),
    },
    {
      key: "won",
      header: "Won",
      align: "right",
      narrowLine: 1,
      isLabelHidden: true,
      cell: describeWins,
    },
    {
      key: "cards",
      header: "Race cards",
      align: "right",
      narrowLine: 2,
      isLabelHidden: true,
      cell: describeCost,
    },
    {
      key: "bets",
      header: "Bets",
      align: "right",
      narrowLine: 2,
      cell: (record) => describeBets(record) ?? "–",
    },
  ];
}
