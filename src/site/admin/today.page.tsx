import type { ReactNode } from "react";
import { readAdmin } from "#admin-kit/admin-kit.server.ts";
import { listApplications, readCreatorSummaries } from "#creators/creators.server.ts";
import { dateAt, formatDate, instantAt, timeAt } from "#domain/calendar.ts";
import { countNewUsers, countUsers, readUsers } from "#identity/identity.server.ts";
import { type IntegrityCheckRun, readLastChecks } from "#integrity/integrity.server.ts";
import {
  findCustomersMoney,
  readDayTakings,
  readPurchaseSummary,
} from "#payments/payments.server.ts";
import { listHeldEarnings, listPayouts } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { listAlerts } from "#platform/list-alerts.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { listFailedEmails } from "#platform/mail/list-emails.server.ts";
import { listFailedJobs } from "#platform/queue.server.ts";
import { listUnconfirmedResults, readMeetings } from "#racing/racing.server.ts";
import { countSalesOfRaceCards, readDaySales } from "#sales/sales.server.ts";
import {
  countTips,
  listOverdueRaceCards,
  listScratchedSelections,
  listUnconfirmedMeetings,
  listUnconfirmedTipResults,
  readRaceCardSummaries,
} from "#tips/tips.server.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/today.page.ts";
import {
  AlertsTable,
  ApplicationsTable,
  EmailsTable,
  HeldEarningsTable,
  JobsTable,
  MeetingsTable,
  OpenPayoutsTable,
  OverdueRaceCardsTable,
  ScratchingsTable,
  UnconfirmedResultsTable,
} from "./attention-lists.ui.tsx";
import { describeAlerts } from "./describe-alerts.server.ts";
import { MeetingStrips, RACE_STATES_LEGEND } from "./meetings.ui.tsx";
import { readAttentionCounts, selectJobAlerts, sumAttention } from "./read-attention.server.ts";
import { DayFigures, SalesByHour } from "./today-figures.ui.tsx";

const MAX_ROWS = 20;
/** Maximum number of scratched selections that are read to find those with buyers. */
const MAX_SCRATCHINGS = 500;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Today, Admin",
    description: "Today's figures, alerts and open tasks.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  // This URL also shows the admin login form.
  const admin = await readAdmin(context);
  if (!admin) return null;
  const at = now();
  const [counts, jobs, checks, takings, customersMoney, dayMeetings, totals] = await Promise.all([
    readAttentionCounts(context),
    listFailedJobs(),
    readLastChecks(),
    nullOnError(
      Promise.all([readDayTakings(at), readDaySales(at), countNewUsers(instantAt(dateAt(at)))]),
    ),
    nullOnError(findCustomersMoney()),
    readMeetings(dateAt(at), at),
    Promise.all([
      nullOnError(countUsers()),
      nullOnError(countTips()),
      nullOnError(readPurchaseSummary()),
    ]),
  ]);
  const [
    alerts,
    held,
    openPayouts,
    scratchings,
    applications,
    overdue,
    meetings,
    results,
    tipResults,
    failedEmails,
  ] = await Promise.all([
    listAlerts({ limit: MAX_ROWS, except: selectJobAlerts(jobs) }),
    listHeldEarnings({ heldFor: "review", limit: MAX_ROWS }),
    listPayouts({ isPaid: false, order: "oldest", limit: MAX_ROWS }),
    listScratchedSelections(at, MAX_SCRATCHINGS),
    listApplications({ status: "applied", limit: MAX_ROWS }),
    listOverdueRaceCards(at, MAX_ROWS),
    listUnconfirmedMeetings(at),
    listUnconfirmedResults(MAX_ROWS),
    listUnconfirmedTipResults(admin.id, { limit: MAX_ROWS }),
    listFailedEmails({ limit: MAX_ROWS }),
  ]);
  const [buyers, creators, raceCards, sales] = await Promise.all([
    readUsers([...new Set(held.earnings.map((earning) => earning.buyerId))]),
    readCreatorSummaries([
      ...new Set([...held.earnings, ...openPayouts.payouts].map(({ creatorId }) => creatorId)),
    ]),
    readRaceCardSummaries([...new Set(held.earnings.map((earning) => earning.raceCardId))]),
    countSalesOfRaceCards([...new Set(scratchings.map(({ raceCardId }) => raceCardId))]),
  ]);
  const withBuyers = scratchings
    .map((selection) => ({ ...selection, buyers: sales.get(selection.raceCardId) ?? 0 }))
    .filter((selection) => selection.buyers > 0);
  const [users, tips, purchases] = totals;
  return {
    date: dateAt(at),
    time: timeAt(at),
    figures: takings ? { ...takings[0], ...takings[1], newUsers: takings[2] } : null,
    dayMeetings,
    scratchings: withBuyers.slice(0, MAX_ROWS),
    scratchedCount: withBuyers.length,
    payouts: openPayouts.payouts.map(({ id, creatorId, amountCents, status, requestedAt }) => ({
      ...{ id, creatorId, amountCents, status, requestedAt },
      creatorName: creators.get(creatorId)?.name ?? "",
    })),
    totals: {
      users,
      tips,
      purchases: purchases?.purchases ?? null,
      revenueCents: purchases?.revenueCents ?? null,
      customersMoneyCents: customersMoney
        ? customersMoney.ages.reduce((sum, { amountCents }) => sum + amountCents, 0)
        : null,
    },
    counts,
    total: sumAttention(counts),
    checks,
    alerts: await describeAlerts(alerts.alerts),
    held: held.earnings.map((earning) => {
      const raceCard = raceCards.get(earning.raceCardId);
      return {
        ...earning,
        buyerName: buyers.get(earning.buyerId)?.name ?? "",
        creatorName: creators.get(earning.creatorId)?.name ?? "",
        raceCardName: raceCard
          ? `${raceCard.venue.name}, ${formatDate(raceCard.raceDate, "short")}`
          : "",
      };
    }),
    applications: applications.applications.map(({ id, displayName, fullName, createdAt }) => ({
      id,
      displayName,
      fullName,
      createdAt,
    })),
    overdue,
    meetings: meetings.slice(0, MAX_ROWS),
    results: [
      ...results.map(({ id, venueId, venueName, raceDate, raceNumber, enteredAt, enteredBy }) => ({
        ...{ id, venueName, raceDate, raceNumber, enteredAt, isOwn: enteredBy === admin.id },
        path: `/admin/results/${venueId}/${raceDate}/${raceNumber}`,
        of: "race" as const,
      })),
      ...tipResults.map(
        ({ id, raceCardId, venueName, raceDate, raceNumber, enteredAt, enteredBy }) => ({
          ...{ id, venueName, raceDate, raceNumber, enteredAt, isOwn: enteredBy === admin.id },
          path: `/admin/race-cards/${raceCardId}${raceNumber ? `#race-${raceNumber}` : ""}`,
          of: raceNumber === null ? ("race card" as const) : ("tip" as const),
        }),
      ),
    ]
      .sort((a, b) => a.enteredAt.getTime() - b.enteredAt.getTime())
      .slice(0, MAX_ROWS),
    jobs,
    emails: failedEmails.emails.map(
      ({ id, recipient, subject, createdAt, sentAt, failedAt, failure }) => ({
        id,
        recipient,
        subject,
        createdAt,
        sentAt,
        failedAt,
        failure,
      }),
    ),
  };
}

/** Returns null if the query fails, so that one failure does not hide the other totals. */
async function nullOnError<Total>(total: Promise<Total>): Promise<Total | null> {
  try {
    return await total;
  } catch (error) {
    logFailure("error", { error }, "failed to load admin statistics");
    return null;
  }
}

export type Attention = NonNullable<Route.ComponentProps["loaderData"]>;

/** Open tasks and alerts, most urgent first. */
export default function Today({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return null;
  const { date, time, figures, dayMeetings, counts, total, checks } = loaderData;
  const { alerts, held, applications, overdue, meetings, results, jobs, emails } = loaderData;
  const { scratchings, payouts } = loaderData;
  const nextOff = dayMeetings
    .flatMap(({ races }) => races)
    .flatMap(({ offAt, state }) => (state === "to-come" ? [timeAt(offAt)] : []))
    .sort()[0];
  const isIdle = total === 0 && scratchings.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h1 className="font-cond text-2xl font-bold">
            <span className="sr-only">Today: </span>
            {formatDate(date, "long").replace(/ \d{4}$/, "")}
          </h1>
          <p className="text-sm text-ink-2">
            {time} · {dayMeetings.length} {dayMeetings.length === 1 ? "meeting" : "meetings"}
            {nextOff ? ` · next off ${nextOff}` : null}
          </p>
        </div>
        <IntegrityStatus {...checks} />
      </div>
      {/* On a phone, what is to be done comes first. */}
      <div className="max-sm:order-1">
        {figures ? (
          <DayFigures {...figures} />
        ) : (
          <FormMessage type="error">Failed to load today's figures. Please try again.</FormMessage>
        )}
      </div>
      <section className="grid gap-5">
        <SectionHeading aside={total > 0 ? total : undefined}>Do now</SectionHeading>
        {isIdle ? (
          <EmptyState compact drawing="post" title="Nothing to do">
            No open alerts. Payments, jobs, emails and results are up to date.
          </EmptyState>
        ) : null}
        <AttentionSection title="Alerts" count={counts.alerts} shownCount={alerts.length}>
          <AlertsTable alerts={alerts} />
        </AttentionSection>
        <AttentionSection
          title="Earnings held for review"
          count={counts.reviews}
          shownCount={held.length}
          lead="Sales that may have been made for their welcome coins. Release or reverse each earning."
        >
          <HeldEarningsTable held={held} />
        </AttentionSection>
        <AttentionSection
          title="Payouts to make"
          count={counts.payouts}
          shownCount={payouts.length}
          listPath="/admin/payouts"
        >
          <OpenPayoutsTable payouts={payouts} />
        </AttentionSection>
        <AttentionSection
          title="Scratched selections"
          count={loaderData.scratchedCount}
          shownCount={scratchings.length}
          lead="Of race cards that have buyers. They are told by email, and their coins come back with the result."
        >
          <ScratchingsTable scratchings={scratchings} />
        </AttentionSection>
        <AttentionSection
          title="Applications waiting"
          count={counts.applications}
          shownCount={applications.length}
          listPath="/admin/tipsters/applications?status=applied"
        >
          <ApplicationsTable applications={applications} />
        </AttentionSection>
        <AttentionSection
          title="Results overdue"
          count={counts.overdue}
          shownCount={overdue.length}
          lead="No result three days after the race."
          listPath="/admin/tips?state=overdue&order=oldest"
        >
          <OverdueRaceCardsTable overdue={overdue} />
        </AttentionSection>
        <AttentionSection
          title="Results to confirm"
          count={counts.results}
          shownCount={results.length}
          lead="Entered results that wait until another admin enters them again."
          listPath="/admin/results"
        >
          <UnconfirmedResultsTable results={results} />
        </AttentionSection>
        <AttentionSection
          title="Meetings to confirm"
          count={counts.meetings}
          shownCount={meetings.length}
          lead="Race cards with races that no race day has reported. Enter the race day, or void the race card if the race does not exist."
        >
          <MeetingsTable meetings={meetings} />
        </AttentionSection>
        <AttentionSection title="Failed jobs" count={counts.jobs} shownCount={jobs.length}>
          <JobsTable jobs={jobs} />
        </AttentionSection>
        <AttentionSection title="Failed emails" count={counts.emails} shownCount={emails.length}>
          <EmailsTable emails={emails} />
        </AttentionSection>
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 max-sm:order-1 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <section className="grid gap-3">
          <SectionHeading lead={dayMeetings.length > 0 ? RACE_STATES_LEGEND : undefined}>
            Today's meetings
          </SectionHeading>
          {dayMeetings.length > 0 ? (
            <MeetingStrips meetings={dayMeetings} />
          ) : (
            <EmptyState compact drawing="post" title="No meetings reported for today">
              Enter a race day under Venues Management, or import a file.
            </EmptyState>
          )}
        </section>
        {figures ? <SalesByHour hours={figures.hours} /> : null}
      </div>
      <section className="grid gap-3 max-sm:order-1">
        <SectionHeading>In total</SectionHeading>
        <Totals {...loaderData.totals} />
      </section>
    </div>
  );
}

type AttentionSectionProps = {
  title: string;
  count: number;
  shownCount: number;
  lead?: string;
  /** The link to the complete list. */
  listPath?: string;
  children: ReactNode;
};

function AttentionSection({
  title,
  count,
  shownCount,
  lead,
  listPath,
  children,
}: AttentionSectionProps) {
  if (shownCount === 0) return null;
  return (
    <section className="grid gap-3">
      <SectionHeading
        level={3}
        lead={lead}
        aside={
          listPath ? (
            <TextLink to={listPath} standalone>
              {count > shownCount ? `All ${count}` : "All"}
            </TextLink>
          ) : count > shownCount ? (
            `${shownCount} of ${count}`
          ) : (
            String(count)
          )
        }
      >
        {title}
      </SectionHeading>
      {children}
    </section>
  );
}

function IntegrityStatus({
  last,
  lastFull,
}: {
  last: IntegrityCheckRun | null;
  lastFull: IntegrityCheckRun | null;
}) {
  if (!last) return <FormMessage type="info">The integrity checks have not run yet.</FormMessage>;
  if (last.failures.length === 0)
    return (
      <p className="text-sm font-semibold text-green-ink">
        <span aria-hidden="true">✓ </span>Integrity checks passed: <DateTime at={last.checkedAt} />
        {lastFull ? (
          <>
            , all data <DateTime at={lastFull.checkedAt} />
          </>
        ) : null}
      </p>
    );
  return (
    <FormMessage type="error" title="Integrity check failed">
      <ul className="mt-1 grid gap-1">
        {last.failures.map((failure) => (
          <li key={failure.invariant}>
            {failure.statement} ({failure.rows} {failure.rows === 1 ? "row fails" : "rows fail"}.)
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Checked <DateTime at={last.checkedAt} />. Run <code>npm run books</code> to see the rows.
      </p>
    </FormMessage>
  );
}

function Totals(totals: {
  users: number | null;
  tips: number | null;
  purchases: number | null;
  revenueCents: number | null;
  customersMoneyCents: number | null;
}) {
  const formatTotal = (value: number | null) => (value === null ? "–" : formatInteger(value));
  const formatRand = (cents: number | null) =>
    cents === null ? "–" : <RandAmount amountCents={cents} areCentsShown size="large" />;
  return (
    <StatRow
      stats={[
        { label: "Total Users", value: formatTotal(totals.users) },
        { label: "Racing Tips", value: formatTotal(totals.tips) },
        { label: "Total Sales", value: formatTotal(totals.purchases) },
        { label: "Revenue", value: formatRand(totals.revenueCents) },
        {
          label: "Customers' money",
          value: formatRand(totals.customersMoneyCents),
          note: <TextLink to="/admin/purchases/customers-money">Unspent coins</TextLink>,
        },
      ]}
    />
  );
}
