import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { reasonInput, refusalMessages, setResultConfirmation } from "#admin-kit/admin-kit.ui.tsx";
import { TIP_RESULTS } from "#domain/tip.ts";
import { parseForm } from "#platform/parse-form.ts";
import { HAS_TIPS_MESSAGE } from "#racing/racing.ui.tsx";
import { describeEffect, enterResult, previewResult } from "../enter-result.server.ts";
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

const REFUSALS = refusalMessages({
  "no-such-tip": ["Tip not found.", 404],
  "too-early": ["You can enter won or lost after the off. Void can be entered at any time.", 409],
  "has-tips": [HAS_TIPS_MESSAGE, 403],
  different: [
    "Another admin entered another result of this tip. Nothing was changed. Check the source, or discard the entry.",
    409,
  ],
  "reason-missing": ["Please give the reason.", 422],
  "official-result": [
    "This tip follows the official result of its race. Correct the result of the race instead.",
    409,
  ],
  "card-void": [
    "This race card was voided, and its race has an official result. The tip stays void.",
    409,
  ],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(resultInput, form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      const { result } = parsed.values;
      const outcome = await enterResult(admin.id, { tipId: params.tipId, ...parsed.values });
      if (!outcome.ok) return actionRefused(...REFUSALS[outcome.refusal]);
      if (outcome.isWaiting)
        return actionSucceeded("Result entered. Another admin must enter the same result.");
      if (outcome.isCardVoid)
        return actionSucceeded(
          "Tip set to void. All visible tips on this race card are now void. Its buyers get back the coins that are due.",
        );
      const { previous: previousResult, wasClaim } = outcome;
      if (previousResult === result && wasClaim)
        return actionSucceeded(`The tipster's claim is confirmed: ${result}.`);
      if (previousResult === result)
        return actionSucceeded(`No change: the tip was already ${result}.`);
      return actionSucceeded(
        previousResult
          ? `Result changed from ${previousResult} to ${result}.`
          : `Result saved: ${result}.`,
      );
    },
    {
      confirmation: async ({ admin, params, form }) => {
        const parsed = parseForm(resultInput, form);
        if (!parsed.ok) return null;
        const effect = await previewResult(admin.id, { tipId: params.tipId, ...parsed.values });
        return effect && setResultConfirmation(describeEffect(effect));
      },
    },
  );
