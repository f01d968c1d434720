import { act } from "#admin-kit/admin-kit.server.ts";
import { markPayoutPaid } from "../mark-payout-paid.server.ts";
import type { Route } from "./+types/payouts-paid.page.ts";
import { eachPayout } from "./each-payout.server.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, ({ admin, form }) =>
    eachPayout(
      admin,
      form,
      (payoutId) => markPayoutPaid(admin.id, payoutId),
      (count) => (count === 1 ? "1 payout is paid." : `${count} payouts are paid.`),
    ),
  );
