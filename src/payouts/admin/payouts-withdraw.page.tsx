import { runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { readField } from "#platform/parse-form.ts";
import { withdrawExport } from "../withdraw-export.server.ts";
import type { Route } from "./+types/payouts-withdraw.page.ts";
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
        (payoutId) => withdrawExport(admin.id, payoutId, readField(form, "reason")),
        (count) =>
          count === 1
            ? "1 payout withdrawn. It can be paid again."
            : `${count} payouts withdrawn. They can be paid again.`,
      ),
    { needsCode: true },
  );
