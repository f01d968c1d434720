import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { refusalMessages, withdrawInvitationConfirmation } from "#admin-kit/admin-kit.ui.tsx";
import { withdrawInvitation } from "../invitations/withdraw-invitation.server.ts";
import type { Route } from "./+types/invitation-withdraw.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      const result = await withdrawInvitation(admin.id, params.userId);
      return result.ok
        ? actionSucceeded("Invitation withdrawn.")
        : actionRefused(...REFUSALS[result.refusal]);
    },
    { confirmation: withdrawInvitationConfirmation("this analyst") },
  );

const REFUSALS = refusalMessages({
  "no-such-invitation": ["Invitation not found.", 404],
  accepted: [
    "This invitation has already been accepted. To stop them publishing, suspend them.",
    409,
  ],
});
