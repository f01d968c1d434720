import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { reasonIn, suspendQuestion } from "#admin-kit/admin-kit.ui.tsx";
import { textOf } from "#platform/read-form.ts";
import { reinstateCreator } from "../reinstate-creator.server.ts";
import { suspendCreator } from "../suspend-creator.server.ts";
import type { Route } from "./+types/creator-standing.page.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export async function action(args: Route.ActionArgs) {
  const form = await args.request.clone().formData();
  const isSuspending = textOf(form, "suspended") === "yes";
  return await runAdminAction(
    args,
    async ({ admin, params }) => {
      const answer = isSuspending
        ? await suspendCreator(admin.id, params.creatorId, reasonIn(form))
        : await reinstateCreator(admin.id, params.creatorId);
      if (!answer.ok) return actionRefused("There is no such tipster.", 404);
      return done(
        isSuspending
          ? "Suspended: the cards are off sale, and nothing new is published. Earnings stay in reach."
          : "Reinstated: the cards are on sale again, and new ones can be published.",
      );
    },
    { question: isSuspending ? suspendQuestion("this tipster") : undefined },
  );
}
