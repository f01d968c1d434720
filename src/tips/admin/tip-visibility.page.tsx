import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { readReason } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { hideTip, showTip } from "../tip-visibility.server.ts";
import type { Route } from "./+types/tip-visibility.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params, form }) => {
    const isActive = readField(form, "active") === "yes";
    const result = isActive
      ? await showTip(admin.id, params.tipId)
      : await hideTip(admin.id, params.tipId, readReason(form));
    if (!result.ok)
      return result.refusal === "deleted"
        ? actionRefused("This tip has been deleted. It stays off sale.")
        : actionRefused("Tip not found.", 404);
    return actionSucceeded(
      isActive
        ? "Tip shown. If its race card is still on sale, the tip is sold with it again."
        : "Tip hidden. It is off sale and off the lists. Buyers can still read it.",
    );
  });
