import type { ReactNode } from "react";
import { readAdmin } from "#admin-kit/admin-kit.server.ts";
import { listApplications, readCreatorSummaries } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { countUsers, readUsers } from "#identity/identity.server.ts";
import { type IntegrityCheckRun, readLastChecks } from "#integrity/integrity.server.ts";
import { readPurchaseSummary } from "#payments/payments.server.ts";
import { listHeldEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { listAlerts } from "#platform/list-alerts.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { listFailedEmails } from "#platform/mail/list-emails.server.ts";
import { listFailedJobs } from "#platform/queue.server.ts";
import { listUnconfirmedResults } from "#racing/racing.server.ts";
import {
  countTips,
  listTips,
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
  OverdueTipsTable,
  UnconfirmedResultsTable,
} from "./attention-lists.ui.tsx";
import { describeAlerts } from "./describe-alerts.server.ts";
import { countAttention, selectJobAlerts, sumAttention } from "./read-attention.server.ts";

const MAX_ROWS = 20;

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
  const jobs = await listFailedJobs();
  const [
    counts,
    checks,
    alerts,
    held,
    applications,
    overdue,
    meetings,
    results,
    tipResults,
    failedEmails,
  ] = await Promise.all([
    countAttention(),
    readLastChecks(),
    listAlerts({ limit: MAX_ROWS, except: selectJobAlerts(jobs) }),
    listHeldEarnings({ heldFor: "review", limit: MAX_ROWS }),
    listApplications({ status: "applied", limit: MAX_ROWS }),
    listTips({ at, state: "overdue", order: "oldest", limit: MAX_ROWS }),
    listUnconfirmedMeetings(at),
    listUnconfirmedResults(MAX_ROWS),
    listUnconfirmedTipResults(admin.id, { limit: MAX_ROWS }),
    listFailedEmails({ limit: MAX_ROWS }),
  ]);
  const [buyers, creators, raceCards] = await Promise.all([
    readUsers([...new Set(held.earnings.map((earning) => earning.buyerId))]),
    readCreatorSummaries([...new Set(held.earnings.map((earning) => earning.creatorId))]),
    readRaceCardSummaries([...new Set(held.earnings.map((earning) => earning.raceCardId))]),
  ]);
  const [users, tips, purchases] = await Promise.all([
    nullOnError(countUsers()),
    nullOnError(countTips()),
    nullOnError(readPurchaseSummary()),
  ]);
  return {
    totals: {
      users,
      tips,
      purchases: purchases?.purchases ?? null,
      revenueCents: purchases?.revenueCents ?? null,
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
    overdue: overdue.tips.map(
      ({ id, raceCardId, raceNumber, venueName, raceDate, creatorId, creatorName }) => ({
        id,
        raceCardId,
        raceNumber,
        venueName,
        raceDate,
        creatorId,
        creatorName,
      }),
    ),
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
  const { counts, total, checks, alerts, held, applications, overdue } = loaderData;
  const { meetings, results, jobs, emails } = loaderData;
  return (
    <div className="grid gap-8">
      <h1 className="font-cond text-2xl font-bold">Today</h1>
      <IntegrityStatus {...checks} />
      {total === 0 ? (
        <EmptyState drawing="post" title="Nothing needs your attention">
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
        <OverdueTipsTable overdue={overdue} />
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
      <section className="grid gap-3">
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
      <p className="text-sm text-ink-2">
        Integrity checks passed: <DateTime at={last.checkedAt} />
        {lastFull ? (
          <>
            , all data <DateTime at={lastFull.checkedAt} />
          </>
        ) : null}
        .
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
}) {
  const formatTotal = (value: number | null) => (value === null ? "–" : formatInteger(value));
  return (
    <StatRow
      stats={[
        { label: "Total Users", value: formatTotal(totals.users) },
        { label: "Racing Tips", value: formatTotal(totals.tips) },
        { label: "Total Sales", value: formatTotal(totals.purchases) },
        {
          label: "Revenue",
          value:
            totals.revenueCents === null ? (
              "–"
            ) : (
              <RandAmount amountCents={totals.revenueCents} areCentsShown size="large" />
            ),
        },
      ]}
    />
  );
}
