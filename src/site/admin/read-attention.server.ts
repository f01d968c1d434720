import { countOpenApplications } from "#creators/creators.server.ts";
import { readLastChecks } from "#integrity/integrity.server.ts";
import { countReviews } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { countOpenAlerts } from "#platform/list-alerts.server.ts";
import { countFailedEmails } from "#platform/mail/list-emails.server.ts";
import { FAILED_JOBS_ALERT, listFailedJobs } from "#platform/queue.server.ts";
import { countOverdueTips, listUnconfirmedMeetings } from "#tips/tips.server.ts";

/** The number of open tasks of each kind. */
export type AttentionCounts = {
  alerts: number;
  jobs: number;
  failures: number;
  reviews: number;
  overdue: number;
  meetings: number;
  applications: number;
  mails: number;
};

export async function countAttention(): Promise<AttentionCounts> {
  const jobs = await listFailedJobs();
  const [alerts, { last }, reviews, overdue, meetings, applications, mails] = await Promise.all([
    // Failed jobs are listed themselves, so their alerts are not counted again.
    countOpenAlerts({ kind: FAILED_JOBS_ALERT, subjects: jobs.map((job) => job.name) }),
    readLastChecks(),
    countReviews(),
    countOverdueTips(now()),
    listUnconfirmedMeetings(now()),
    countOpenApplications(),
    countFailedEmails(),
  ]);
  return {
    alerts,
    jobs: jobs.length,
    failures: last?.failures.length ?? 0,
    reviews,
    overdue,
    meetings: meetings.length,
    applications,
    mails,
  };
}

export function totalAttention(counts: AttentionCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
