import type { Argon2Parameters } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import pLimit, { type LimitFunction } from "p-limit";
import { env } from "#platform/env.server.ts";

const MAX_QUEUED = 50;
/** Run from its source, because the build would move it. */
const WORKER_FILE = "src/accounts/password/hash-worker.server.ts";

/** Thrown when the queue is full. Callers should retry after a few seconds. */
export class HashQueueFullError extends Error {}

const idleWorkers: Worker[] = [];
let limit: LimitFunction | undefined;

/**
 * The number of hash workers of this process: at most four and one per CPU core, divided among all
 * web processes.
 */
export function maxConcurrentHashes(): number {
  return Math.max(1, Math.floor(Math.min(4, availableParallelism()) / env().webProcesses));
}

/**
 * The number of hashes this process accepts: one per worker and its share of the queue, which is
 * divided among all web processes.
 */
export function computeHashCapacity(): number {
  return maxConcurrentHashes() + Math.ceil(MAX_QUEUED / env().webProcesses);
}

/**
 * Computes an argon2id tag in a low-priority worker thread. Throws HashQueueFullError when the
 * queue is full.
 */
export async function deriveTag(parameters: Argon2Parameters): Promise<Buffer> {
  limit ??= pLimit(maxConcurrentHashes());
  if (limit.activeCount + limit.pendingCount >= computeHashCapacity())
    throw new HashQueueFullError();
  return await limit(() => runInWorker(parameters));
}

/**
 * Runs one job on an idle worker or a new one. If the worker crashes, only its job fails and
 * another worker takes its place.
 */
function runInWorker(parameters: Argon2Parameters): Promise<Buffer> {
  const worker = idleWorkers.pop() ?? new Worker(join(process.cwd(), WORKER_FILE), { env: {} });
  return new Promise((resolve, reject) => {
    // Keeps the process alive only while a hash is being computed.
    worker.ref();
    const cleanUp = () => {
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.unref();
    };
    const onMessage = ({ tag, error }: { tag?: Uint8Array; error?: string }) => {
      cleanUp();
      idleWorkers.push(worker);
      if (tag) resolve(Buffer.from(tag));
      else reject(new Error(error));
    };
    const onError = (error: unknown) => {
      cleanUp();
      reject(error);
    };
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.postMessage(parameters);
  });
}
