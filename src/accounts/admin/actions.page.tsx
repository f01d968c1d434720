import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { formatCoins } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import {
  cancelAdminInvitation,
  resendAdminInvitation,
} from "../invitations/invite-admin.server.ts";
import { SUSPENDED_INVITEE, TOO_MANY_EMAILS } from "../messages.ts";
import { endUserSessions } from "../sessions.server.ts";
import { readUsers } from "../users.server.ts";
import { grantCoinsInput } from "./grant-coins.input.ts";
import { grantCoins } from "./grant-coins.server.ts";
import { userNoteInput } from "./user-note.input.ts";
import { writeUserNote } from "./write-user-note.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const USER_NOT_FOUND = ["User not found.", 404] as const;
const CLOSED = "This account is closed.";
const NOT_PERMITTED = ["You are no longer an admin.", 403] as const;
const INVITATION_NOT_FOUND = ["Invitation not found.", 404] as const;

export const action = adminActions({
  "/admin/users/:userId/grant": adminAction({
    input: grantCoinsInput,
    confirm: async ({ params, input }) => {
      const user = await findUser(params.userId);
      return user
        ? {
            title: `Grant ${formatCoins(input.amountCoins)} to ${user.name}?`,
            message: "The coins are in their wallet immediately. A grant cannot be undone.",
            confirmText: "Grant coins",
            isDestructive: false,
          }
        : null;
    },
    needsCode: true,
    run: ({ admin, params, input }) => grantCoins(admin.id, params.userId, input),
    done: ({ balanceCoins, repaidCoins }, { amountCoins }) =>
      [
        `Granted ${formatCoins(amountCoins)}. New balance: ${formatCoins(balanceCoins)}.`,
        ...(repaidCoins > 0 ? [`${formatCoins(repaidCoins)} were used to repay coins owed.`] : []),
      ].join(" "),
    refusals: {
      "no-such-user": USER_NOT_FOUND,
      closed: CLOSED,
      yourself: ["You can't grant coins to yourself.", 403],
      "other-amount":
        "No coins were granted. This form has already granted another amount. Reload the page and try again.",
    },
  }),
  "/admin/users/:userId/note": adminAction({
    input: userNoteInput,
    run: ({ admin, params, input }) => writeUserNote(admin.id, params.userId, input),
    done: (_, { kind }) => (kind === "complaint" ? "Complaint recorded." : "Note saved."),
    refusals: {
      "no-such-user": USER_NOT_FOUND,
      closed: CLOSED,
    },
  }),
  "/admin/users/:userId/sign-out": adminAction({
    confirm: async ({ params }) => {
      const user = await findUser(params.userId);
      return user
        ? {
            title: `Log ${user.name} out everywhere`,
            message:
              "They are logged out on every device. Their password doesn't change, so anyone who knows it can log in again.",
            confirmText: "Log out",
          }
        : null;
    },
    run: ({ admin, params }) => endUserSessions(admin.id, params.userId),
    done: ({ endedCount }) =>
      endedCount === 1 ? "1 session ended." : `${endedCount} sessions ended.`,
    refusals: {
      "no-such-user": USER_NOT_FOUND,
    },
  }),
  "/admin/admins/invitations/:invitationId/resend": adminAction({
    run: ({ admin, params }) => resendAdminInvitation(admin.id, params.invitationId),
    done: "New link sent. The old one no longer works.",
    refusals: {
      "not-permitted": NOT_PERMITTED,
      "no-such-invitation": INVITATION_NOT_FOUND,
      suspended: SUSPENDED_INVITEE,
      "too-many-emails": [TOO_MANY_EMAILS, 429],
    },
  }),
  "/admin/admins/invitations/:invitationId/cancel": adminAction({
    confirm: {
      title: "Cancel the invitation",
      message: "The link in the email stops working. You can invite them again.",
      confirmText: "Cancel the invitation",
    },
    run: ({ admin, params }) => cancelAdminInvitation(admin.id, params.invitationId),
    done: "Invitation cancelled. Its link no longer works.",
    refusals: {
      "not-permitted": NOT_PERMITTED,
      "no-such-invitation": INVITATION_NOT_FOUND,
      accepted: "This invitation has already been accepted. Remove the admin instead.",
    },
  }),
});

async function findUser(userId: string) {
  return isId(userId) ? (await readUsers([userId])).get(userId) : undefined;
}
