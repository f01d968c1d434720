import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { resendAdminInvitation } from "../admins/invite-admin.server.ts";
import { SUSPENDED_INVITEE, TOO_MANY_EMAILS } from "../messages.ts";
import type { Route } from "./+types/admin-invitation-resend.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "not-permitted": ["You are no longer an admin.", 403],
  "no-such-invitation": ["Invitation not found.", 404],
  suspended: [SUSPENDED_INVITEE, 409],
  "too-many-emails": [TOO_MANY_EMAILS, 429],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(args, async ({ admin, params }) => {
    const result = await resendAdminInvitation(admin.id, params.invitationId);
    return result.ok
      ? actionSucceeded("New link sent. The old one no longer works.")
      : actionRefused(...refusals[result.refusal]);
  });
