import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { reasonIn, suspendQuestion } from "#admin-kit/admin-kit.ui.tsx";
import { textOf } from "#platform/read-form.ts";
import { reinstateCreator } from "../reinstate-creator.server.ts";
import { suspendCreator } from "../suspend-creator.server.ts";
import type { Route } from "./+types/creator-suspension.page.ts";

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
      const result = isSuspending
        ? await suspendCreator(admin.id, params.creatorId, reasonIn(form))
        : await reinstateCreator(admin.id, params.creatorId);
      if (!result.ok) return actionRefused("Tipster not found.", 404);
      return done(
        isSuspending
          ? "Suspended. Their race cards are off sale and they can't publish. They can still see their earnings."
          : "Reinstated. Their race cards are on sale again and they can publish.",
      );
    },
    { question: isSuspending ? suspendQuestion("this tipster") : undefined },
  );
}
