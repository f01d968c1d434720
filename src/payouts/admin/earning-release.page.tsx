import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { RELEASE_EARNING_CONFIRMATION } from "#admin-kit/admin-kit.ui.tsx";
import { releaseEarning } from "../review-earning.server.ts";
import type { Route } from "./+types/earning-release.page.ts";
import { REVIEW_REFUSALS } from "./review-messages.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      const saleId = Number(params.saleId);
      if (!Number.isSafeInteger(saleId)) return actionRefused(...REVIEW_REFUSALS["no-such-sale"]);
      const result = await releaseEarning(admin.id, saleId);
      return result.ok
        ? actionSucceeded("Released. It can be paid out from its payable date.")
        : actionRefused(...REVIEW_REFUSALS[result.refusal]);
    },
    { confirmation: RELEASE_EARNING_CONFIRMATION, needsCode: true },
  );
