import { pino } from "pino";
import { underTest } from "./env.server.ts";
import { failureInWords } from "./failure-in-words.server.ts";

/**
 * Structured log lines on standard output. What failed is given as `error`, as it was thrown. Never give
 * it a person's name, address, password or a tip.
 */
export const log = pino({
  level: underTest ? "silent" : "info",
  base: null,
  serializers: { error: failureInWords },
  timestamp: pino.stdTimeFunctions.isoTime,
});
