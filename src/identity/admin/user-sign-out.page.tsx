import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { signOutConfirmation } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { endUserSessions } from "../sessions.server.ts";
import type { Route } from "./+types/user-sign-out.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      const result = isId(params.userId) ? await endUserSessions(admin.id, params.userId) : null;
      if (!result?.ok) return actionRefused("User not found.", 404);
      return actionSucceeded(
        result.endedCount === 1 ? "1 session ended." : `${result.endedCount} sessions ended.`,
      );
    },
    { confirmation: signOutConfirmation("this user") },
  );
