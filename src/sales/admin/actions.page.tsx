import * as v from "valibot";
import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { reasonForm, reasonInput } from "#admin-kit/admin-kit.ui.tsx";
import { TIP_RESULTS } from "#domain/tip.ts";
import { HAS_TIPS_MESSAGE } from "#racing/racing.ui.tsx";
import { describeEffect, enterTipResult, previewTipResult } from "../enter-tip-result.server.ts";
import { previewVoidRaceCard, voidRaceCard } from "../void-race-card.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = adminActions({
  "/admin/tips/:tipId/result": adminAction({
    input: v.object({
      result: v.picklist(TIP_RESULTS, "Please choose won, lost or void"),
      reason: reasonInput,
    }),
    confirm: async ({ admin, params, input }) => {
      const effect = await previewTipResult(admin.id, { ...params, ...input });
      return (
        effect && {
          title: "Set result",
          message: describeEffect(effect),
          confirmText: "Set result",
          isDestructive: false,
        }
      );
    },
    run: ({ admin, params, input }) => enterTipResult(admin.id, { ...params, ...input }),
    done: (outcome, { result }) => {
      if (outcome.isWaiting) return "Result entered. Another admin must enter the same result.";
      if (outcome.isCardVoid)
        return "Tip set to void. All visible tips on this race card are now void. Its buyers get back the coins that are due.";
      const { previous, wasClaim } = outcome;
      if (previous === result && wasClaim) return `The tipster's claim is confirmed: ${result}.`;
      if (previous === result) return `No change: the tip was already ${result}.`;
      return previous
        ? `Result changed from ${previous} to ${result}.`
        : `Result saved: ${result}.`;
    },
    refusals: {
      "no-such-tip": ["Tip not found.", 404],
      "too-early": "You can enter won or lost after the off. Void can be entered at any time.",
      "has-tips": [HAS_TIPS_MESSAGE, 403],
      different:
        "Another admin entered another result of this tip. Nothing was changed. Check the source, or discard the entry.",
      "reason-missing": ["Please give the reason.", 422],
      "official-result":
        "This tip follows the official result of its race. Correct the result of the race instead.",
      "card-void":
        "This race card was voided, and its race has an official result. The tip stays void.",
    },
  }),
  "/admin/race-cards/:raceCardId/void": adminAction({
    input: reasonForm,
    confirm: async ({ admin, params, input }) => {
      const effect = await previewVoidRaceCard(admin.id, { ...params, ...input });
      return {
        title: "Void race card",
        message: effect
          ? `All tips on this race card become void. ${describeEffect(effect)} This action cannot be undone.`
          : "Nothing changes until another admin voids it too. Then all its tips become void, and its buyers get back the coins that are due.",
        confirmText: "Void race card",
      };
    },
    run: ({ admin, params, input }) => voidRaceCard(admin.id, { ...params, ...input }),
    done: ({ voided }) =>
      voided === null
        ? "Entered. Another admin must void this race card too."
        : "Race card voided. Its buyers get back the coins that are due.",
    refusals: {
      "race-card-not-found": ["Race card not found.", 404],
      "has-tips": [HAS_TIPS_MESSAGE, 403],
      "reason-missing": ["Please enter a reason.", 422],
    },
  }),
});
