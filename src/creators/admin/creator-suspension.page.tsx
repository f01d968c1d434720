import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { readReason, suspendCreatorConfirmation } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { reinstateCreator, suspendCreator } from "../suspension.server.ts";
import type { Route } from "./+types/creator-suspension.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export async function action(args: Route.ActionArgs) {
  const form = await args.request.clone().formData();
  const isSuspending = readField(form, "suspended") === "yes";
  return await runAdminAction(
    args,
    async ({ admin, params }) => {
      const result = isSuspending
        ? await suspendCreator(admin.id, params.creatorId, readReason(form))
        : await reinstateCreator(admin.id, params.creatorId);
      if (!result.ok) return actionRefused("Tipster not found.", 404);
      return actionSucceeded(
        isSuspending
          ? "Suspended. Their race cards are off sale and they can't publish. They can still see their earnings."
          : "Reinstated. Their race cards are on sale again and they can publish.",
      );
    },
    { confirmation: isSuspending ? suspendCreatorConfirmation("this tipster") : undefined },
  );
}
