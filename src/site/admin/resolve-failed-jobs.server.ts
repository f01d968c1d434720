import { writeAudit } from "#platform/audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { dismissFailedJobs, FAILED_JOBS_ALERT, retryFailedJobs } from "#platform/queue.server.ts";

const AUDIT_ACTIONS = { retry: "retry-jobs", dismiss: "drop-jobs" } as const;

/**
 * Retries or dismisses the failed jobs of a name. Returns their number, which is 0 if another admin
 * has resolved them already.
 */
export async function resolveFailedJobs(
  actorId: string,
  name: string,
  action: "retry" | "dismiss",
): Promise<number> {
  return await transaction(async (tx) => {
    const jobs = await (action === "retry"
      ? retryFailedJobs(tx, name)
      : dismissFailedJobs(tx, name));
    await resolveAlertAbout(tx, { kind: FAILED_JOBS_ALERT, subject: name });
    if (jobs > 0)
      await writeAudit(tx, {
        actorId,
        action: AUDIT_ACTIONS[action],
        subject: name,
        details: { jobs },
      });
    return jobs;
  });
}
