import { actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/jobs-dismiss.page.ts";
import { resolveFailedJobs } from "./resolve-failed-jobs.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const jobs = await resolveFailedJobs(admin.id, params.name, "dismiss");
    return actionSucceeded(jobs === 1 ? "Job dismissed." : `${jobs} jobs dismissed.`);
  });
