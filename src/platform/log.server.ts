import { format } from "node:util";
import { pino } from "pino";
import { isTest } from "./env.server.ts";
import { redactError } from "./redact-error.server.ts";

/**
 * Structured logger on standard output. Pass errors as `error`, as thrown. Never log a person's
 * name, address, password or a tip.
 */
export const log = pino({
  level: isTest ? "silent" : "info",
  base: null,
  serializers: { error: redactError },
  timestamp: pino.stdTimeFunctions.isoTime,
});

/** Writes what libraries print on the console to the log, in which every line is JSON. */
export function logConsole(): void {
  const levels = {
    log: "info",
    info: "info",
    debug: "debug",
    trace: "debug",
    warn: "warn",
    error: "error",
  } as const;
  for (const [method, level] of Object.entries(levels))
    console[method as keyof typeof levels] = (...parts) =>
      log[level](redactError(format(...parts)));
}
