import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { askProvider } from "../ask-provider.server.ts";
import type { Fulfilment } from "../fulfil-purchase.server.ts";
import { resendReceipt } from "../purchase-emails.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const ORDER_STATUSES: Record<Fulfilment, string> = {
  credited: "Paid. The coins are credited now.",
  already: "Paid, and the coins were credited before. Refunds and disputes are up to date.",
  unpaid: "Not paid yet. The payment page is still open.",
  delayed: "The bank has not confirmed this payment yet.",
  failed: "The payment failed. No money was taken.",
  expired: "The payment page has expired. No money was taken.",
  mismatch: "Paid, but not as ordered. Nothing was credited; see Today.",
  "unknown-order": "The provider names another order. Nothing was credited; see Today.",
};

export const action = adminActions({
  "/admin/orders/:orderId/status": adminAction({
    run: ({ admin, params }) => askProvider(admin.id, params.orderId),
    done: ({ outcome }) => ORDER_STATUSES[outcome],
    refusals: {
      "no-such-order": ["Order not found.", 404],
      "no-payment-page": "The provider knows no payment page of this order. No money was taken.",
      unreachable: ["The payment provider can't be reached. Please try again.", 503],
    },
  }),
  "/admin/purchases/:purchaseId/receipt": adminAction({
    run: ({ admin, params }) => resendReceipt(admin.id, params.purchaseId),
    done: "Receipt sent.",
    refusals: {
      "just-sent": ["That receipt has just been sent.", 429],
      "no-such-purchase": ["Sale not found.", 404],
    },
  }),
});
