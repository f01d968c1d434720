// Public interface of integrity: the invariants, their runs and alerts.
export {
  checkAllInvariants,
  checkRecentInvariants,
  type LastChecks,
  readLastChecks,
} from "./integrity-runs.server.ts";
export { runIntegrityChecks } from "./run-integrity-checks.server.ts";
