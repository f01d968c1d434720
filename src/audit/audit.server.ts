// Public interface of audit: the append-only log of who did what to whom.
export { type AuditEntry, readAudit } from "./read-audit.server.ts";
export { auditEntries } from "./tables.server.ts";
export { writeAudit } from "./write-audit.server.ts";
