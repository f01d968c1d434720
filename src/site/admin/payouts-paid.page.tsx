import { markPayoutPaid } from "#race-cards/race-cards.server.ts";
import type { Route } from "./+types/payouts-paid.page.ts";
import { act } from "./act.server.ts";
import { eachPayout } from "./each-payout.server.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, ({ admin, form }) =>
    eachPayout(
      admin,
      form,
      (payoutId) => markPayoutPaid(admin.id, payoutId),
      (count) => (count === 1 ? "1 payout is paid." : `${count} payouts are paid.`),
    ),
  );
