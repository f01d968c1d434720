import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { reasonInput, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import { TIP_RESULTS } from "#domain/tip.ts";
import { parseForm } from "#platform/parse-form.ts";
import { enterResult } from "../enter-result.server.ts";
import type { Route } from "./+types/tip-result.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const resultInput = v.object({
  result: v.picklist(TIP_RESULTS, "Please choose won, lost or void"),
  reason: reasonInput,
});

const refusals = refusalMessages({
  "no-such-tip": ["Tip not found.", 404],
  "too-early": ["You can enter won or lost after the off. Void can be entered at any time.", 409],
  "reason-missing": ["Please give the reason.", 422],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params, form }) => {
    const read = parseForm(resultInput, form);
    if (!read.ok) return actionRefused(Object.values(read.errors).join(" "), 422);
    const { result } = read.values;
    const answer = await enterResult(admin.id, { tipId: params.tipId, ...read.values });
    if (!answer.ok) return actionRefused(...refusals[answer.refusal]);
    if (answer.isCardVoid)
      return actionSucceeded(
        `Tip set to void. All tips on this race card are now void, so its buyers get their ${formatCoins(CARD_PRICE_COINS)} back.`,
      );
    const before = answer.previous;
    if (before === result) return actionSucceeded(`No change: the tip was already ${result}.`);
    return actionSucceeded(
      before ? `Result changed from ${before} to ${result}.` : `Result saved: ${result}.`,
    );
  });
