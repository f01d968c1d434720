import { countNewUsers, countUsers, readUsers } from "#accounts/accounts.server.ts";
import { readAdmin, readListParams } from "#admin-kit/admin-kit.server.ts";
import { listApplications, readCreatorSummaries } from "#creators/creators.server.ts";
import { dateAt, formatDate, instantAt, timeAt } from "#domain/calendar.ts";
import { formatRaceNumbers } from "#domain/format-races.ts";
import {
  findCustomersMoney,
  readDayTakings,
  readPurchaseSummary,
} from "#payments/payments.server.ts";
import { listHeldEarnings, listPayouts } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type LastChecks, readLastChecks } from "#platform/integrity/integrity.server.ts";
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
import { readTaskCounts, selectJobAlerts, sumTasks } from "./count-tasks.server.ts";
import { describeAlerts } from "./describe-alerts.server.ts";
import { DoNowList } from "./do-now.ui.tsx";
import { listActivity } from "./list-activity.server.ts";
import { MeetingStrips, RACE_STATES_LEGEND } from "./meetings.ui.tsx";
import { RecentActivity } from "./recent-activity.ui.tsx";
import { DayFigures, SalesByHour } from "./today-figures.ui.tsx";

const MAX_ROWS = 20;
/** Maximum number of unconfirmed results that are read to group them by meeting. */
const MAX_RESULTS = 200;
/** Maximum number of scratched selections that are read to find those with buyers. */
const MAX_SCRATCHINGS = 500;

export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Today, Admin",
    description: "Today's figures, alerts and open tasks.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  // This URL also shows the admin login form.
  const admin = await readAdmin(context);
  if (!admin) return null;
  const at = now();
  const { readText, readNumber } = readListParams(request);
  const cursors = {
    alerts: readText("alerts"),
    held: readNumber("held"),
    emails: readText("emails"),
  };
  const [counts, jobs, checks, takings, customersMoney, dayMeetings, totals, activity] =
    await Promise.all([
      readTaskCounts(context),
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
      nullOnError(listActivity()),
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
    listAlerts({
      cursor: cursors.alerts,
      limit: MAX_ROWS,
      except: selectJobAlerts(jobs),
    }),
    listHeldEarnings({ heldFor: "review", afterSaleId: cursors.held, limit: MAX_ROWS }),
    listPayouts({ isPaid: false, order: "oldest", limit: MAX_ROWS }),
    listScratchedSelections(at, MAX_SCRATCHINGS),
    listApplications({ status: "applied", limit: MAX_ROWS }),
    listOverdueRaceCards(at, MAX_ROWS),
    listUnconfirmedMeetings(at),
    listUnconfirmedResults(MAX_RESULTS, admin.id),
    listUnconfirmedTipResults(admin.id, { limit: MAX_ROWS }),
    listFailedEmails({ cursor: cursors.emails, limit: MAX_ROWS }),
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
    activity,
    scratchings: withBuyers.slice(0, MAX_ROWS),
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
    total: sumTasks(counts),
    isFirstPage: Object.values(cursors).every((cursor) => cursor === null),
    next: { alerts: alerts.next, held: held.next, emails: failedEmails.next },
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
      ...groupByMeeting(results, admin.id),
      ...tipResults.map((result) => ({
        key: result.id,
        venueName: result.venueName,
        raceDate: result.raceDate,
        what: result.raceNumber === null ? "void race card" : `race ${result.raceNumber}, one tip`,
        path: `/admin/race-cards/${result.raceCardId}${result.raceNumber ? `#race-${result.raceNumber}` : ""}`,
        enteredAt: result.enteredAt,
        isOwn: result.enteredBy === admin.id,
        mayConfirm: result.enteredBy !== admin.id,
      })),
    ].sort((a, b) => a.enteredAt.getTime() - b.enteredAt.getTime()),
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

/** Returns the unconfirmed results of each meeting as one task. */
function groupByMeeting(
  results: Awaited<ReturnType<typeof listUnconfirmedResults>>,
  adminId: string,
) {
  const meetings = Map.groupBy(results, ({ venueId, raceDate }) => `${venueId}/${raceDate}`);
  return [...meetings].map(([key, races]) => {
    return {
      key,
      venueName: races[0]?.venueName ?? "",
      raceDate: races[0]?.raceDate ?? "",
      what: formatRaceNumbers(races.map(({ raceNumber }) => raceNumber)),
      path: `/admin/results/${key}`,
      enteredAt: races[0]?.enteredAt ?? new Date(0),
      isOwn: races.every(({ enteredBy }) => enteredBy === adminId),
      mayConfirm: races.some(({ mayConfirm }) => mayConfirm),
    };
  });
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

export type TodayData = NonNullable<Route.ComponentProps["loaderData"]>;

/** Open tasks and alerts, most urgent first. */
export default function Today({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return null;
  const { date, time, figures, dayMeetings, total, checks } = loaderData;
  const nextOff = dayMeetings
    .flatMap(({ races }) => races)
    .flatMap(({ offAt, state }) => (state === "to-come" ? [timeAt(offAt)] : []))
    .sort()[0];
  const isIdle = total === 0 && loaderData.scratchings.length === 0;
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
      <section className="grid gap-3">
        <SectionHeading>Do now</SectionHeading>
        {isIdle ? (
          <EmptyState compact drawing="post" title="Nothing to do">
            No open alerts. Payments, jobs, emails and results are up to date.
          </EmptyState>
        ) : (
          <DoNowList {...loaderData} />
        )}
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 max-sm:order-1 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
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
        <RecentActivity activity={loaderData.activity} />
      </div>
      <section className="grid gap-3 max-sm:order-1">
        <SectionHeading>In total</SectionHeading>
        <Totals {...loaderData.totals} />
      </section>
    </div>
  );
}

function IntegrityStatus({ last, lastFull, failures }: LastChecks) {
  if (!last) return <FormMessage type="info">The integrity checks have not run yet.</FormMessage>;
  const times = (
    <>
      <DateTime at={last.checkedAt} />
      {lastFull ? (
        <>
          , all data <DateTime at={lastFull.checkedAt} />
        </>
      ) : null}
    </>
  );
  if (failures.length === 0)
    return (
      <p className="text-sm font-semibold text-green-ink">
        <span aria-hidden="true">✓ </span>Integrity checks passed: {times}
      </p>
    );
  return (
    <FormMessage type="error" title="Integrity check failed">
      <ul className="mt-1 grid gap-1">
        {failures.map((failure) => (
          <li key={failure.invariant}>
            {failure.statement} ({failure.rows} {failure.rows === 1 ? "row fails" : "rows fail"}.)
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Checked {times}. Run <code>npm run books</code> to see the rows.
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
