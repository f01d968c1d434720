import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { resendReceipt } from "../purchase-mail.server.ts";
import type { Route } from "./+types/purchase-receipt.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const answer = await resendReceipt(admin.id, params.purchaseId);
    if (answer.ok) return actionSucceeded("Receipt sent.");
    return answer.refusal === "just-sent"
      ? actionRefused("That receipt has just been sent.", 429)
      : actionRefused("Sale not found.", 404);
  });
