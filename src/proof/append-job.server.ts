import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { appendToLog } from "./log/append-to-log.server.ts";
import { checkKeptCheckpoint, keepCheckpoint } from "./log/kept-checkpoint.server.ts";
import { SigningKeyError } from "./log/signing-key.server.ts";
import { SIGNING_KEY_ALERT } from "./log/start-log.server.ts";

const ALERT_INTERVAL_MS = 60 * 60 * 1000;

/** Enters new tips, withdrawals and results in the log within seconds, and keeps the newest checkpoint in DATA_DIR. */
export const appendToLogJob: Job = {
  name: "append-to-log",
  everySeconds: 2,
  async run() {
    // Compared first: a log that is behind its newest checkpoint must not sign anything.
    if (!(await checkKeptCheckpoint())) return;
    try {
      while ((await appendToLog()) > 0);
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      await raiseAlertThrottled(ALERT_INTERVAL_MS, SIGNING_KEY_ALERT);
    }
    await keepCheckpoint();
  },
};
