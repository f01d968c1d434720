import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { signOutQuestion } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { endUserSessions } from "../sessions.server.ts";
import type { Route } from "./+types/user-sign-out.page.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      const result = isId(params.userId) ? await endUserSessions(admin.id, params.userId) : null;
      if (!result?.ok) return actionRefused("User not found.", 404);
      return done(result.ended === 1 ? "1 session ended." : `${result.ended} sessions ended.`);
    },
    { question: signOutQuestion("this user") },
  );
