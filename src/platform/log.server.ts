import { pino } from "pino";
import { underTest } from "./env.server.ts";

/** Structured log lines on standard output. Never give it a person's name, address, password or a tip. */
export const log = pino({
  level: underTest ? "silent" : "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
});
