// Public interface of proof: the public log of tips and results.

export { appendToLogJob } from "./append-job.server.ts";
export { findLogEntries } from "./find-log-entries.server.ts";
export { appendToLog, readLastAppendedAt } from "./log/append-to-log.server.ts";
export { type BeginNextLogResult, beginNextLog } from "./log/begin-next-log.server.ts";
export { type ConfirmLogResult, confirmLog } from "./log/confirm-log.server.ts";
export { checkKeptCheckpoint } from "./log/kept-checkpoint.server.ts";
export { type RotateKeyResult, rotateKey } from "./log/rotate-key.server.ts";
export { startLog } from "./log/start-log.server.ts";
export { stopLog } from "./log/stop-log.server.ts";
export { readCreatorEntries } from "./read-creator-entries.server.ts";
export { readRaceCardEntries } from "./read-race-card-entries.server.ts";
export { readTipEntries, type TipEntry } from "./read-tip-entries.server.ts";
export { readTipReveals } from "./read-tip-reveals.server.ts";
export { readCheckpointEmailSetting } from "./timestamps/checkpoint-email-settings.server.ts";
export { emailCheckpointJob } from "./timestamps/email-checkpoint.server.ts";
export { timestampCheckpointsJob } from "./timestamps/timestamp-checkpoints.server.ts";
