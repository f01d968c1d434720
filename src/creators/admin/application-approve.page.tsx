import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { readField } from "#platform/parse-form.ts";
import { approveApplication } from "../applications/approve-application.server.ts";
import type { Route } from "./+types/application-approve.page.ts";
import { APPLICATION_REFUSALS } from "./application-refusals.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params, form }) => {
    const displayName = readField(form, "displayName").trim();
    if (displayName.length < 2 || displayName.length > 60)
      return actionRefused("Display name must be 2 to 60 characters long.", 422);
    const result = await approveApplication(admin.id, params.applicationId, { displayName });
    if (!result.ok) return actionRefused(...APPLICATION_REFUSALS[result.refusal]);
    return actionSucceeded("Approved. We've emailed them the link.");
  });
