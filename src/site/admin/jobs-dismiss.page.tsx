import { done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/jobs-dismiss.page.ts";
import { resolveFailedJobs } from "./resolve-failed-jobs.server.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const jobs = await resolveFailedJobs(admin.id, params.name, "drop");
    return done(jobs === 1 ? "Job dismissed." : `${jobs} jobs dismissed.`);
  });
