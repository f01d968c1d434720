import { writeAudit } from "#audit/audit.server.ts";
import { transaction } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { dropFailedJobs, FAILED_JOBS_ALERT, retryFailedJobs } from "#platform/queue.server.ts";

/**
 * Lets the jobs of a name that gave up be tried once more, or lets go of them, for the operator.
 * Answers how many there were; none is no failure: somebody was quicker.
 */
export async function resolveFailedJobs(
  actorId: string,
  name: string,
  how: "retry" | "drop",
): Promise<number> {
  return await transaction(async (tx) => {
    const jobs = await (how === "retry" ? retryFailedJobs(tx, name) : dropFailedJobs(tx, name));
    await resolveAlertAbout(tx, { kind: FAILED_JOBS_ALERT, subject: name });
    if (jobs > 0)
      await writeAudit(tx, { actorId, action: `${how}-jobs`, subject: name, details: { jobs } });
    return jobs;
  });
}
