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
    return result.ok ? actionSucceeded("Alert resolved.") : actionRefused("Alert not found.", 404);
  });
