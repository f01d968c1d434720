// Public interface of proof: the public log of tips and results.

export {
  deleteCheckpointEmailSetting,
  readCheckpointEmailSetting,
} from "./clocks/checkpoint-email-settings.server.ts";
export { emailCheckpointJob } from "./clocks/email-checkpoint.server.ts";
export { timestampCheckpointsJob } from "./clocks/timestamp-checkpoints.server.ts";
export { serveCheckpointFile } from "./files/checkpoint-files.route.ts";
export { serveDayFile } from "./files/day-files.route.ts";
export {
  serveCheckpoint,
  serveProofFile,
  serveTile,
  serveVerifier,
  serveVerifierKeys,
} from "./files/log-files.route.ts";
export { appendToLog, appendToLogJob, readLastAppendedAt } from "./log/append-to-log.server.ts";
export { type ConfirmLogResult, confirmLog, stopLog } from "./log/confirm-log.server.ts";
export { startLog } from "./log/start-log.server.ts";
export { type RaceCardEntries, readRaceCardEntries } from "./read-race-card-entries.server.ts";
export { readTipReveals } from "./read-tip-reveals.server.ts";
export { serveRecordFile } from "./records/record-files.route.ts";
