// Public interface of the admin kit for servers: the guard and the runner of admin actions.

export { saved, withFormError, wrong } from "./answer-form.server.ts";
export { passwordChecks } from "./password-checks.ts";
export { keysOf, readListSearch } from "./read-list-search.server.ts";
export { adminOf, requireAdmin } from "./require-admin.server.ts";
export { actionRefused, done, runAdminAction } from "./run-admin-action.server.ts";
export {
  SALES_ERROR_MESSAGE,
  TIPS_ERROR_MESSAGE,
  VENUES_ERROR_MESSAGE,
  withLoadError,
} from "./with-load-error.server.ts";
