import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { REVERSE_EARNING_CONFIRMATION, reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { parseForm } from "#platform/parse-form.ts";
import { reverseHeldEarning } from "../review-earning.server.ts";
import type { Route } from "./+types/earning-reverse.page.ts";
import { REVIEW_REFUSALS } from "./review-messages.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(v.object({ reason: reasonInput }), form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      const saleId = Number(params.saleId);
      if (!Number.isSafeInteger(saleId)) return actionRefused(...REVIEW_REFUSALS["no-such-sale"]);
      const result = await reverseHeldEarning(admin.id, saleId, parsed.values.reason);
      return result.ok
        ? actionSucceeded(
            "Earning reversed. The tipster isn't paid for this sale. The buyer keeps the race card.",
          )
        : actionRefused(...REVIEW_REFUSALS[result.refusal]);
    },
    { confirmation: REVERSE_EARNING_CONFIRMATION, needsCode: true },
  );
