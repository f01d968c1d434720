import { textOf } from "#identity/identity.ui.tsx";
import { withdrawExport } from "#race-cards/race-cards.server.ts";
import type { Route } from "./+types/payouts-withdraw.page.ts";
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
      (payoutId) => withdrawExport(admin.id, payoutId, textOf(form, "reason")),
      (count) =>
        count === 1
          ? "1 payout withdrawn from its payment file."
          : `${count} payouts withdrawn from their payment files.`,
    ),
  );
