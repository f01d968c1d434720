// Public interface of audit.
export { AUDIT_ACTIONS, type AuditAction, auditAction, auditDetails } from "./audit-actions.ts";
