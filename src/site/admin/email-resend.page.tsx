import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import type { Route } from "./+types/email-resend.page.ts";
import { resendEmailAsAdmin } from "./resend-email.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "no-such-email": ["Email not found.", 404],
  waiting: ["This email is already being sent.", 409],
  "no-text": ["We don't keep the text of sent emails, so it can't be sent again.", 409],
  "not-needed": ["The link in this email is no longer needed.", 409],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    if (!isId(params.emailId)) return actionRefused(...refusals["no-such-email"]);
    const result = await resendEmailAsAdmin(admin.id, params.emailId);
    return result.ok
      ? actionSucceeded("Email queued.")
      : actionRefused(...refusals[result.refusal]);
  });
