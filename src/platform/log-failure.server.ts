import { errorCode, isDatabaseOverloaded, isDatabaseUnavailable } from "./database.server.ts";
import { log } from "./log.server.ts";
import { logOutage } from "./outage-log.server.ts";

/**
 * Logs a failure. Failures caused by an unavailable or overloaded database are summarised per outage;
 * any other is logged separately.
 */
export function logFailure(
  level: "warn" | "error",
  details: { error: unknown; [name: string]: unknown },
  description: string,
): void {
  const { error } = details;
  if (isDatabaseUnavailable(error))
    logOutage(
      description,
      errorCode(error) ?? (error instanceof Error ? error.message : "no response"),
      isDatabaseOverloaded(error) ? "overloaded" : "unavailable",
    );
  else log[level](details, description);
}
