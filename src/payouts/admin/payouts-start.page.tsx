import { runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { startPayout } from "../start-payout.server.ts";
import type { Route } from "./+types/payouts-start.page.ts";
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
        (payoutId) => startPayout(admin.id, payoutId),
        (count) =>
          count === 1 ? "1 payout is now processing." : `${count} payouts are now processing.`,
      ),
    { needsCode: true },
  );
