// Public interface of the admin kit for pages: forms, buttons and lists that every admin page uses.

export { AdminActionButton, AdminActionIcon } from "./admin-action-button.ui.tsx";
export { AdminActionForm } from "./admin-action-form.ui.tsx";
export { AdminActionPage, adminActionMeta, adminClientAction } from "./admin-action-page.ui.tsx";
export type { AdminActionResult } from "./admin-action-result.ts";
export { AdminForm } from "./admin-form.ui.tsx";
export { adminFormClientAction } from "./admin-form-client-action.ts";
export type { AdminFormResult } from "./admin-form-result.ts";
export { AdminReasonForm } from "./admin-reason-form.ui.tsx";
export { CodeContext, CodeField } from "./code-field.ui.tsx";
export { DetailList } from "./detail-list.ui.tsx";
export { DialogOverList, OPENED_OVER_LIST } from "./dialog-over-list.ui.tsx";
export { FormDraftMessage } from "./form-draft-message.ui.tsx";
export { ListBar, ListPagination, ORDER_BY_AGE } from "./list-bar.ui.tsx";
export { toNoResponseMessage } from "./no-response-message.ts";
export { twoStepRefusals } from "./password-refusals.ts";
export { optionalReason, reasonForm, reasonInput, yesInput } from "./reason.input.ts";
export { refusalMessages } from "./refusal-messages.ts";
export { useDraftUntilSaved, useFormDraft } from "./use-form-draft.ts";
