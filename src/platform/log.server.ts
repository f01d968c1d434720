import { pino } from "pino";
import { isTest } from "./env.server.ts";
import { redactError } from "./redact-error.server.ts";

/**
 * Structured log lines on standard output. What failed is given as `error`, as it was thrown. Never give
 * it a person's name, address, password or a tip.
 */
export const log = pino({
  level: isTest ? "silent" : "info",
  base: null,
  serializers: { error: redactError },
  timestamp: pino.stdTimeFunctions.isoTime,
});
