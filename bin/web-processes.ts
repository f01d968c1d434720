import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry } from "prom-client";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

type Role = { port: number; host: string; runsJobs: boolean };

const STOP_TIMEOUT_MS = 10_000;
const STABLE_AFTER_MS = 1_000;
const MAX_FIRST_ATTEMPTS = 2;

/**
 * Runs one process for each role. Replaces an exited process at once. A process that requests
 * a replacement exits when its replacement is listening. Retries repeated failures at start with
 * exponential backoff, at most 5 s. Gives up only before the first complete start, because later failures can be
 * caused by a database outage of any length.
 */
export class WebProcesses {
  #running = new Set<Worker>();
  #stopping = false;
  #hasListened = false;
  /** Rejects when a process repeatedly fails before the first complete start. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #environment: NodeJS.ProcessEnv;
  #metrics = new AggregatorRegistry();

  constructor(environment: NodeJS.ProcessEnv) {
    // Each process accepts its own connections. With round-robin scheduling, a connection would
    // hang if the worker is killed before it acknowledges the handover.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: "bin/web-process.ts", args: [] });
    this.#environment = environment;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {}); // the caller may no longer await it
  }

  /** Starts a process for each role; resolves when all of them listen. */
  async start(roles: Role[]): Promise<void> {
    const listening = roles.map((role) => new Promise<void>((resolve) => this.#run(role, resolve)));
    await Promise.race([Promise.all(listening), this.failed]);
    this.#hasListened = true;
  }

  /** Lets every process finish its requests, and kills those that are still running after 10 s. */
  async stop(kind: ShutdownKind = "immediate"): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running].map((worker) => stopWorker(worker, kind)));
  }

  /**
   * Sends the aggregated metrics of all processes to one process, or null if one does not respond.
   */
  async #sendMetrics(worker: Worker): Promise<void> {
    const metrics = await this.#metrics.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ metrics });
  }

  #run(role: Role, onListening: () => void, failures = 0): void {
    const worker = cluster.fork(this.#environment);
    let listeningSince = Number.POSITIVE_INFINITY;
    this.#running.add(worker);
    worker.send(role);
    let isReplaced = false;
    worker.on("message", (message) => {
      if (message === "metrics") void this.#sendMetrics(worker);
      if (message === "replace" && !isReplaced && !this.#stopping) {
        isReplaced = true;
        this.#run(role, () => void stopWorker(worker, "replaced"));
      }
      if (message !== "listening") return;
      listeningSince = Date.now();
      onListening();
    });
    worker.on("error", () => {}); // the channel of an exited process is closed
    worker.on("exit", async (code, signal) => {
      this.#running.delete(worker);
      if (this.#stopping || isReplaced) return;
      const wasStable = Date.now() - listeningSince > STABLE_AFTER_MS;
      const count = wasStable ? 0 : failures + 1;
      const description = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (count >= MAX_FIRST_ATTEMPTS && !this.#hasListened)
        return this.#fail(
          new Error(`The web process ${description} ${count} times in a row. Giving up.`),
        );
      console.error(`A web process ${description}; starting another.`);
      await sleep(count === 0 ? 0 : Math.min(100 * 2 ** count, 5_000));
      if (!this.#stopping) this.#run(role, onListening, count);
    });
  }
}

/** Stops a process after its current requests, and kills it after 10 s. */
async function stopWorker(worker: Worker, kind: ShutdownKind): Promise<void> {
  if (worker.isDead()) return;
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  if (worker.isConnected()) worker.send({ shutdown: kind });
  const killTimer = setTimeout(() => worker.process.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}
