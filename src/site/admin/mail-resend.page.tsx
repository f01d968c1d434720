import { actionRefused, done, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { refusalMessage } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import type { Route } from "./+types/mail-resend.page.ts";
import { resendMail } from "./resend-mail.server.ts";

export {
  AdminActionPage as default,
  adminActionInBrowser as clientAction,
  adminActionMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessage({
  "no-such-mail": ["There is no such mail.", 404],
  waiting: ["It is on its way already.", 409],
  "no-text": ["What this mail said is not kept once it has been sent.", 409],
  "not-needed": ["Its link is not needed any more.", 409],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    if (!isId(params.mailId)) return actionRefused(...refusals["no-such-mail"]);
    const answer = await resendMail(admin.id, params.mailId);
    return answer.ok ? done("The mail is on its way.") : actionRefused(...refusals[answer.refusal]);
  });
