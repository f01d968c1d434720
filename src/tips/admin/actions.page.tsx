import * as v from "valibot";
import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { optionalReason, yesInput } from "#admin-kit/admin-kit.ui.tsx";
import { deleteTip, hideTip, showTip } from "../tip-visibility.server.ts";
import { discardTipResult } from "../unconfirmed-tip-results.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = adminActions({
  "/admin/tips/:tipId/visibility": adminAction({
    input: v.object({ active: yesInput, reason: optionalReason }),
    confirm: async ({ input }) =>
      input.active
        ? null
        : {
            title: "Hide tip",
            message:
              "It goes off sale and off the lists. Its buyers keep it, and we notify its tipster.",
            confirmText: "Hide",
            hasReasonField: true,
          },
    run: async ({ admin, params, input }) =>
      input.active
        ? await showTip(admin.id, params.tipId)
        : await hideTip(admin.id, params.tipId, input.reason),
    done: (_, { active }) =>
      active
        ? "Tip shown. If its race card is still on sale, the tip is sold with it again."
        : "Tip hidden. It is off sale and off the lists. Buyers can still read it.",
    refusals: {
      "no-such-tip": ["Tip not found.", 404],
      deleted: "This tip has been deleted. It stays off sale.",
    },
  }),
  "/admin/tips/:tipId/delete": adminAction({
    input: v.object({ reason: optionalReason }),
    confirm: {
      title: "Delete tip",
      message: "Are you sure you want to delete this tip? This action cannot be undone.",
      confirmText: "Delete",
      hasReasonField: true,
    },
    run: ({ admin, params, input }) => deleteTip(admin.id, params.tipId, input.reason),
    done: "Tip deleted. It is permanently off sale and off the lists. Buyers can still read it.",
    refusals: {
      "no-such-tip": ["Tip not found.", 404],
    },
  }),
  "/admin/tip-results/:resultId/discard": adminAction({
    confirm: {
      title: "Discard result",
      message: "This result is not confirmed yet. After you discard it, you can enter a new one.",
      confirmText: "Discard",
    },
    run: async ({ admin, params }) =>
      (await discardTipResult(admin.id, params.resultId))
        ? { ok: true }
        : { ok: false, refusal: "no-such-result" },
    done: "Result discarded.",
    failed: "Failed to discard the result",
    refusals: {
      "no-such-result": ["This result was confirmed or discarded already.", 404],
    },
  }),
});
