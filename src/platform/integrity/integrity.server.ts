// Public interface of integrity: the invariants, their runs and alerts.
export {
  checkAllInvariants,
  checkRecentInvariants,
  type IntegrityCheckRun,
  readLastChecks,
} from "./integrity-runs.server.ts";
export { runIntegrityChecks } from "./run-integrity-checks.server.ts";
