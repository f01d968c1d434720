import * as v from "valibot";
import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { optionalReason, reasonForm, yesInput } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { approveApplication } from "../applications/approve-application.server.ts";
import { declineApplication } from "../applications/decline-application.server.ts";
import { readCreatorSummaries } from "../creator.server.ts";
import { cancelInvitation } from "../invitations/cancel-invitation.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import { reinstateCreator, suspendCreator } from "../suspension.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const DISPLAY_NAME_LENGTH = "Display name must be 2 to 60 characters long.";

const APPLICATION_REFUSALS = {
  "no-such-application": ["Application not found.", 404],
  "already-declined": "This application has already been declined.",
  "already-approved": "This application has already been approved.",
  "already-a-creator": "There is already a tipster with this email address.",
  "display-name-taken": "That display name is taken. Enter another.",
} as const;

export const action = adminActions({
  "/admin/tipsters/applications/:applicationId/approve": adminAction({
    input: v.object({
      displayName: v.pipe(
        v.string(DISPLAY_NAME_LENGTH),
        v.trim(),
        v.minLength(2, DISPLAY_NAME_LENGTH),
        v.maxLength(60, DISPLAY_NAME_LENGTH),
      ),
    }),
    run: ({ admin, params, input }) => approveApplication(admin.id, params.applicationId, input),
    done: "Approved. We've emailed them the link.",
    refusals: APPLICATION_REFUSALS,
  }),
  "/admin/tipsters/applications/:applicationId/decline": adminAction({
    input: reasonForm,
    run: ({ admin, params, input }) =>
      declineApplication(admin.id, params.applicationId, input.reason),
    done: "Declined. We've emailed the applicant the reason.",
    refusals: APPLICATION_REFUSALS,
  }),
  "/admin/tipsters/invitations/:userId/cancel": adminAction({
    confirm: async ({ params: { userId } }) => {
      const invitation = isId(userId) ? await readInvitation(userId) : null;
      return (
        invitation && {
          title: `Cancel the invitation of ${invitation.displayName}`,
          message: "Their invitation is cancelled. You can invite them again.",
          confirmText: "Cancel the invitation",
        }
      );
    },
    run: ({ admin, params }) => cancelInvitation(admin.id, params.userId),
    done: "Invitation cancelled.",
    refusals: {
      "no-such-invitation": ["Invitation not found.", 404],
      accepted: "This invitation has already been accepted. To stop them publishing, suspend them.",
    },
  }),
  "/admin/tipsters/:creatorId/suspension": adminAction({
    input: v.object({ suspended: yesInput, reason: optionalReason }),
    confirm: async ({ params: { creatorId }, input }) => {
      if (!input.suspended || !isId(creatorId)) return null;
      const creator = (await readCreatorSummaries([creatorId])).get(creatorId);
      return creator
        ? {
            title: `Suspend ${creator.name}`,
            message:
              "Their race cards go off sale, they are removed from the lists and logged out. Buyers keep their race cards. Earnings to date are still paid, whatever the amount.",
            confirmText: "Suspend",
            hasReasonField: true,
          }
        : null;
    },
    run: ({ admin, params, input }) =>
      input.suspended
        ? suspendCreator(admin.id, params.creatorId, input.reason)
        : reinstateCreator(admin.id, params.creatorId),
    done: (_, { suspended }) =>
      suspended
        ? "Suspended. Their race cards are off sale and they can't publish. They can still see their earnings."
        : "Reinstated. Their race cards are on sale again and they can publish.",
    refusals: {
      "not-a-creator": ["Tipster not found.", 404],
      yourself: ["This is your own account. Another admin must suspend or reinstate you.", 403],
      closed: "This account is closed.",
    },
  }),
});
