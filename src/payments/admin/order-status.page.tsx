import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { askProvider } from "../ask-provider.server.ts";
import type { Fulfilment } from "../fulfil-purchase.server.ts";
import type { Route } from "./+types/order-status.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const MESSAGES: Record<Fulfilment, string> = {
  credited: "Paid. The coins are credited now.",
  already: "Paid, and the coins were credited before. Refunds and disputes are up to date.",
  open: "Not paid yet. The payment page is still open.",
  "awaiting-payment": "The bank has not confirmed this payment yet.",
  failed: "The payment failed. No money was taken.",
  expired: "The payment page has expired. No money was taken.",
  mismatch: "Paid, but not as ordered. Nothing was credited; see Today.",
  "unknown-order": "The provider names another order. Nothing was credited; see Today.",
};

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const result = await askProvider(admin.id, params.orderId);
    if (result.ok) return actionSucceeded(MESSAGES[result.outcome]);
    if (result.refusal === "no-such-order") return actionRefused("Order not found.", 404);
    return result.refusal === "no-payment-page"
      ? actionRefused("The provider knows no payment page of this order. No money was taken.")
      : actionRefused("The payment provider can't be reached. Please try again.", 503);
  });
