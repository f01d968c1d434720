import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { resendReceipt } from "../purchase-emails.server.ts";
import type { Route } from "./+types/purchase-receipt.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const result = await resendReceipt(admin.id, params.purchaseId);
    if (result.ok) return actionSucceeded("Receipt sent.");
    return result.refusal === "just-sent"
      ? actionRefused("That receipt has just been sent.", 429)
      : actionRefused("Sale not found.", 404);
  });
