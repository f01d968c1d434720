// Public interface of the admin kit for pages: forms, buttons and lists that every admin page uses.

export { AdminActionButton, AdminActionIcon } from "./admin-action-button.ui.tsx";
export { AdminActionForm, useAdminActionToast } from "./admin-action-form.ui.tsx";
export { AdminActionPage, adminActionInBrowser, adminActionMeta } from "./admin-action-page.ui.tsx";
export type { AdminActionResult } from "./admin-action-result.ts";
export { DetailList } from "./detail-list.ui.tsx";
export { DialogOverList, OPENED_OVER_LIST } from "./dialog-over-list.ui.tsx";
export type { FormAnswer } from "./form-answer.ts";
export { formInBrowser } from "./form-in-browser.ts";
export { BY_AGE, ListBar, ListPages } from "./list-bar.ui.tsx";
export { twoStepChecks } from "./password-checks.ts";
export {
  closeQuestion,
  DELETE_TIP,
  deleteVenueQuestion,
  grantQuestion,
  HIDE_TIP,
  signOutQuestion,
  suspendQuestion,
  VOID_CARD,
  withdrawQuestion,
} from "./questions.ts";
export { reasonIn, reasonInput } from "./reason.input.ts";
export { refusalMessage } from "./refusal-message.ts";
