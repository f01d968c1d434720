import { refusalMessage } from "#admin-kit/admin-kit.ui.tsx";

/** Why an application could not be decided, with the status of it. */
export const APPLICATION_REFUSALS = refusalMessage({
  "no-such-application": ["There is no such application.", 404],
  "already-declined": ["This application has been declined already.", 409],
  "already-approved": ["This application has been approved already.", 409],
  "already-a-creator": ["Whoever has that address is a tipster already.", 409],
  "display-name-taken": ["Somebody goes by that display name already. Give another.", 409],
});
