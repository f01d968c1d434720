import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { DISCARD_RESULT_CONFIRMATION } from "#admin-kit/admin-kit.ui.tsx";
import { discardTipResult } from "../enter-tip-result.server.ts";
import type { Route } from "./+types/tip-result-discard.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) =>
      (await discardTipResult(admin.id, params.resultId))
        ? actionSucceeded("Result discarded.")
        : actionRefused("This result was confirmed or discarded already.", 404),
    { confirmation: DISCARD_RESULT_CONFIRMATION, errorPrefix: "Failed to discard the result" },
  );
