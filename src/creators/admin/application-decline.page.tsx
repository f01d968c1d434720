import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { parseForm } from "#platform/parse-form.ts";
import { declineApplication } from "../applications/decline-application.server.ts";
import type { Route } from "./+types/application-decline.page.ts";
import { APPLICATION_REFUSALS } from "./application-refusals.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params, form }) => {
    const parsed = parseForm(reasonForm, form);
    if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
    const result = await declineApplication(admin.id, params.applicationId, parsed.values.reason);
    if (!result.ok) return actionRefused(...APPLICATION_REFUSALS[result.refusal]);
    return actionSucceeded("Declined. We've emailed the applicant the reason.");
  });

const reasonForm = v.object({ reason: reasonInput });
