import { runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { markPayoutPaid } from "../mark-payout-paid.server.ts";
import type { Route } from "./+types/payouts-paid.page.ts";
import { runOnEachPayout } from "./run-on-each-payout.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    ({ admin, form }) =>
      runOnEachPayout(
        form,
        (payoutId) => markPayoutPaid(admin.id, payoutId),
        (count) => (count === 1 ? "1 payout marked as paid." : `${count} payouts marked as paid.`),
      ),
    { needsCode: true },
  );
