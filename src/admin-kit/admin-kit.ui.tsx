// Public interface of the admin kit for pages: forms, buttons and lists that every admin page uses.
export type { ActAnswer } from "./act-answer.ts";
export { ActButton, ActIcon } from "./act-button.ui.tsx";
export { ActForm, useActToast } from "./act-form.ui.tsx";
export { ActPage, actInBrowser, actMeta } from "./act-page.ui.tsx";
export { Facts } from "./facts.ui.tsx";
export type { FormAnswer } from "./form-answer.ts";
export { formInBrowser } from "./form-in-browser.ts";
export { BY_AGE, ListBar, ListPages } from "./list-bar.ui.tsx";
export { OVER_LIST, Over } from "./over.ui.tsx";
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
export { refusalWords } from "./refusal-words.ts";
