import { refusalMessages } from "#admin-kit/admin-kit.ui.tsx";

/** Messages and statuses of refused decisions. */
export const APPLICATION_REFUSALS = refusalMessages({
  "no-such-application": ["Application not found.", 404],
  "already-declined": ["This application has already been declined.", 409],
  "already-approved": ["This application has already been approved.", 409],
  "already-a-creator": ["There is already a tipster with this email address.", 409],
  "display-name-taken": ["That display name is taken. Enter another.", 409],
});
