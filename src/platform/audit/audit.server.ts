// Public interface of audit: the append-only log of admin and account actions.
export { type AuditEntry, readAudit } from "./read-audit.server.ts";
export { writeAudit, writeAuditOnce } from "./write-audit.server.ts";
