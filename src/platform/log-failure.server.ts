import { errorCode, isDatabaseAway } from "./database.server.ts";
import { log } from "./log.server.ts";
import { logOutage } from "./outage-log.server.ts";

/**
 * Logs a failure: one that an unavailable database caused is counted with the others of the same outage,
 * any other gets a line of its own.
 */
export function logFailure(
  level: "warn" | "error",
  facts: { error: unknown; [name: string]: unknown },
  what: string,
): void {
  const { error } = facts;
  if (isDatabaseAway(error))
    logOutage(what, errorCode(error) ?? (error instanceof Error ? error.message : "no answer"));
  else log[level](facts, what);
}
