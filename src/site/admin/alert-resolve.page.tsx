import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/alert-resolve.page.ts";
import { resolveAlert } from "./resolve-alert.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const result = await resolveAlert(admin.id, params.alertId);
    if (result.ok) return actionSucceeded("Alert resolved.");
    if (result.refusal === "no-such-alert") return actionRefused("Alert not found.", 404);
    return actionRefused(
      "What this alert is about is still open. The alert is resolved automatically when it ends.",
    );
  });
