import { errorCode, isDatabaseUnavailable } from "./database.server.ts";
import { log } from "./log.server.ts";
import { logOutage } from "./outage-log.server.ts";

/**
 * Logs a failure. Failures caused by an unavailable database are summarised per outage; any other
 * is logged separately.
 */
export function logFailure(
  level: "warn" | "error",
  facts: { error: unknown; [name: string]: unknown },
  what: string,
): void {
  const { error } = facts;
  if (isDatabaseUnavailable(error))
    logOutage(what, errorCode(error) ?? (error instanceof Error ? error.message : "no response"));
  else log[level](facts, what);
}
