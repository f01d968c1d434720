import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { CANCEL_ADMIN_INVITATION_CONFIRMATION, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { cancelAdminInvitation } from "../admins/invite-admin.server.ts";
import type { Route } from "./+types/admin-invitation-cancel.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const refusals = refusalMessages({
  "not-permitted": ["You are no longer an admin.", 403],
  "no-such-invitation": ["Invitation not found.", 404],
  accepted: ["This invitation has already been accepted. Remove the admin instead.", 409],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      const result = await cancelAdminInvitation(admin.id, params.invitationId);
      return result.ok
        ? actionSucceeded("Invitation cancelled. Its link no longer works.")
        : actionRefused(...refusals[result.refusal]);
    },
    { confirmation: CANCEL_ADMIN_INVITATION_CONFIRMATION },
  );
