import type { Argon2Parameters } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { env } from "#platform/env.server.ts";

type Job = {
  parameters: Argon2Parameters;
  resolve: (tag: Buffer) => void;
  reject: (error: unknown) => void;
};

const idleWorkers: Worker[] = [];
const waitingJobs: Job[] = [];
let workerCount = 0;

/**
 * The number of hash workers of this process: at most four and one per CPU core, divided among all
 * web processes.
 */
export function maxConcurrentHashes(): number {
  return Math.max(1, Math.floor(Math.min(4, availableParallelism()) / env().webProcesses));
}

/** Computes an argon2id tag in a low-priority worker thread. */
export function deriveTag(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    waitingJobs.push({ parameters, resolve, reject });
    dispatch();
  });
}

function dispatch(): void {
  while (waitingJobs.length > 0) {
    const worker =
      idleWorkers.pop() ?? (workerCount < maxConcurrentHashes() ? startWorker() : null);
    if (!worker) return;
    const job = waitingJobs.shift();
    if (job) run(worker, job);
  }
}

function startWorker(): Worker {
  workerCount += 1;
  return new Worker(`(${workerMain})()`, { eval: true, env: {} });
}

/**
 * Runs one job on an idle worker. If the worker crashes, only its job fails and another worker
 * takes its place.
 */
function run(worker: Worker, { parameters, resolve, reject }: Job): void {
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
    dispatch();
  };
  const onError = (error: unknown) => {
    cleanUp();
    workerCount -= 1;
    reject(error);
    dispatch();
  };
  worker.on("message", onMessage);
  worker.on("error", onError);
  worker.postMessage(parameters);
}

/**
 * Main function of a worker thread. It is passed as source text, so it cannot use anything from
 * this module. Runs at a lower priority, so that hashing does not slow down other requests; only
 * Linux can set the priority of a single thread.
 */
function workerMain(): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  const { argon2Sync } = process.getBuiltinModule("node:crypto");
  const { setPriority } = process.getBuiltinModule("node:os");
  if (process.platform === "linux") setPriority(0, 10);
  parentPort?.on("message", (parameters) => {
    try {
      parentPort.postMessage({ tag: argon2Sync("argon2id", parameters) });
    } catch (error) {
      parentPort.postMessage({ error: String(error) });
    }
  });
}
