import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { DELETE_TIP_CONFIRMATION, readReason } from "#admin-kit/admin-kit.ui.tsx";
import { deleteTip } from "../tip-visibility.server.ts";
import type { Route } from "./+types/tip-delete.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const result = await deleteTip(admin.id, params.tipId, readReason(form));
      return result.ok
        ? actionSucceeded(
            "Tip deleted. It is permanently off sale and off the lists. Buyers can still read it.",
          )
        : actionRefused("Tip not found.", 404);
    },
    { confirmation: DELETE_TIP_CONFIRMATION },
  );
