// Public interface of integrity: the invariants, their runs and alerts.
export { checkAllInvariants, checkRecentInvariants } from "./keep-books.server.ts";
export { type IntegrityCheckRun, readLastChecks } from "./read-last-check.server.ts";
export { type IntegrityFailure, runIntegrityChecks } from "./run-integrity-checks.server.ts";
