// Public interface of the admin kit for servers: the guard and the runner of admin actions.

export { adminAction, adminActions } from "./admin-action.server.ts";
export {
  formError,
  formSuccess,
  handleAdminForm,
  withFormError,
} from "./admin-form-response.server.ts";
export { passwordRefusals } from "./password-refusals.ts";
export { listKeys, readListParams } from "./read-list-params.server.ts";
export {
  mayManageTwoStep,
  readAdmin,
  requireAdmin,
  requireTwoStepAccess,
} from "./require-admin.server.ts";
export {
  SALES_ERROR_MESSAGES,
  TIPS_ERROR_MESSAGES,
  VENUES_ERROR_MESSAGES,
  withLoadError,
} from "./with-load-error.server.ts";
