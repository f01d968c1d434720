// A worker thread that computes argon2id tags. Its priority is low, so that hashing does not slow down
// other requests; only Linux can set the priority of a single thread.
import { type Argon2Parameters, argon2Sync } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

if (process.platform === "linux") setPriority(0, 10);
parentPort?.on("message", (parameters: Argon2Parameters) => {
  try {
    parentPort?.postMessage({ tag: argon2Sync("argon2id", parameters) });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
