// Public interface of audit.
export { AUDIT_ACTIONS, auditActionLabel, auditDetails } from "./audit-words.ts";
