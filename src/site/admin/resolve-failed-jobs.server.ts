import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { dismissFailedJobs, FAILED_JOBS_ALERT, retryFailedJobs } from "#platform/queue.server.ts";

/**
 * Retries the failed jobs of a name, or dismisses those that had failed by `dismissUpTo`, the last failure that the
 * admin was shown. Returns their number, which is 0 if another admin has resolved them already.
 */
export async function resolveFailedJobs(
  actorId: string,
  name: string,
  action: "retry" | { dismissUpTo: number },
): Promise<number> {
  return await transaction(async (tx) => {
    const jobs = await (action === "retry"
      ? retryFailedJobs(tx, name)
      : dismissFailedJobs(tx, name, action.dismissUpTo));
    await resolveAlertAbout(tx, { kind: FAILED_JOBS_ALERT, subject: name });
    if (jobs > 0)
      await writeAudit(tx, {
        actorId,
        action: action === "retry" ? "retry-jobs" : "drop-jobs",
        subject: name,
        details: { jobs },
      });
    return jobs;
  });
}
