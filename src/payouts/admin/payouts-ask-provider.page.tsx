import { runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { askAboutTransfer } from "../transfers/ask-about-transfer.server.ts";
import type { Route } from "./+types/payouts-ask-provider.page.ts";
import { runOnEachPayout } from "./run-on-each-payout.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, ({ admin, form }) =>
    runOnEachPayout(
      form,
      (payoutId) => askAboutTransfer(admin.id, payoutId),
      (count) =>
        `Paystack was asked about ${count === 1 ? "1 payout" : `${count} payouts`}. The list shows what it said.`,
    ),
  );
