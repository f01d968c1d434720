import { act, done } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/jobs-dismiss.page.ts";
import { settleFailedJobs } from "./settle-failed-jobs.server.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params }) => {
    const jobs = await settleFailedJobs(admin.id, params.name, "drop");
    return done(jobs === 1 ? "It is let go." : `${jobs} are let go.`);
  });
