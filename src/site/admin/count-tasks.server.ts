import type { RouterContextProvider } from "react-router";
import { countOpenApplications } from "#creators/creators.server.ts";
import { countOpenPayouts, countReviews } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { getRequestDetails, type RequestDetails } from "#platform/http/request.server.ts";
import { readLastChecks } from "#platform/integrity/integrity.server.ts";
import { type AlertSelection, countOpenAlerts } from "#platform/list-alerts.server.ts";
import { countFailedEmails } from "#platform/mail/list-emails.server.ts";
import { FAILED_JOBS_ALERT, type FailedJobs, listFailedJobs } from "#platform/queue.server.ts";
import { countUnconfirmedResults } from "#racing/racing.server.ts";
import {
  countOverdueRaceCards,
  countUnconfirmedTipResults,
  listUnconfirmedMeetings,
} from "#tips/tips.server.ts";

/** The number of open tasks of each kind. */
export type TaskCounts = {
  alerts: number;
  jobs: number;
  failures: number;
  reviews: number;
  overdue: number;
  meetings: number;
  results: number;
  applications: number;
  payouts: number;
  emails: number;
};

/** Returns the alerts about failed jobs, which are listed as jobs and not again as alerts. */
export function selectJobAlerts(jobs: readonly FailedJobs[]): AlertSelection {
  return { kind: FAILED_JOBS_ALERT, subjects: jobs.map((job) => job.name) };
}

const countsOfRequests = new WeakMap<RequestDetails, Promise<TaskCounts>>();

/** Returns the number of open tasks of each kind. Cached per request: the frame and the page show them. */
export function readTaskCounts(context: Readonly<RouterContextProvider>): Promise<TaskCounts> {
  const request = getRequestDetails(context);
  const counts = countsOfRequests.get(request) ?? countTasks();
  countsOfRequests.set(request, counts);
  return counts;
}

/** @internal Counts the open tasks of each kind. */
export async function countTasks(): Promise<TaskCounts> {
  const jobs = await listFailedJobs();
  const [
    alerts,
    { failures },
    reviews,
    overdue,
    meetings,
    raceResults,
    tipResults,
    applications,
    payouts,
    emails,
  ] = await Promise.all([
    countOpenAlerts(selectJobAlerts(jobs)),
    readLastChecks(),
    countReviews(),
    countOverdueRaceCards(now()),
    listUnconfirmedMeetings(now()),
    countUnconfirmedResults(),
    countUnconfirmedTipResults(),
    countOpenApplications(),
    countOpenPayouts(),
    countFailedEmails(),
  ]);
  return {
    alerts,
    jobs: jobs.length,
    failures: failures.length,
    reviews,
    overdue,
    meetings: meetings.length,
    results: raceResults + tipResults,
    applications,
    payouts,
    emails,
  };
}

export function sumTasks(counts: TaskCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
