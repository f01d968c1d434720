import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { DELETE_TIP, reasonIn } from "#admin-kit/admin-kit.ui.tsx";
import { deleteTip } from "../tip-visibility.server.ts";
import type { Route } from "./+types/tip-delete.page.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const answer = await deleteTip(admin.id, params.tipId, reasonIn(form));
      return answer.ok
        ? done(
            "Tip deleted. It is permanently off sale and off the lists. Buyers can still read it.",
          )
        : actionRefused("Tip not found.", 404);
    },
    { question: DELETE_TIP },
  );
