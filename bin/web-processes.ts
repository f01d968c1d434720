import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry } from "prom-client";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

type Role = { port: number; host: string; runsJobs: boolean };

const STOP_WITHIN_MS = 10_000;
const SETTLED_AFTER_MS = 1_000;
const FIRST_TRIES = 2;

/**
 * Keeps one process running for each role. Replaces an exited process at once. A process that asks
 * to leave exits when its replacement is listening. Repeated failures at start are retried with
 * exponential backoff, at most 5 s. Gives up only if all processes have never listened together,
 * because later failures can be caused by a database outage of any length.
 */
export class WebProcesses {
  #running = new Set<Worker>();
  #stopping = false;
  #everListened = false;
  /** Rejects when a process repeatedly fails before the first complete start. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #environment: NodeJS.ProcessEnv;
  #figures = new AggregatorRegistry();

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
    const listening = roles.map((role) => new Promise<void>((done) => this.#keep(role, done)));
    await Promise.race([Promise.all(listening), this.failed]);
    this.#everListened = true;
  }

  /** Lets every process finish its requests, and kills those that are still running after 10 s. */
  async stop(how: ShutdownKind = "now"): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running].map((worker) => end(worker, how)));
  }

  /**
   * Sends the aggregated metrics of all processes to one process, or null if one does not respond.
   */
  async #tellFigures(worker: Worker): Promise<void> {
    const figures = await this.#figures.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ figures });
  }

  #keep(role: Role, onListening: () => void, failures = 0): void {
    const worker = cluster.fork(this.#environment);
    let listeningSince = Number.POSITIVE_INFINITY;
    this.#running.add(worker);
    worker.send(role);
    let isReplaced = false;
    worker.on("message", (message) => {
      if (message === "figures") void this.#tellFigures(worker);
      if (message === "leaving" && !isReplaced && !this.#stopping) {
        isReplaced = true;
        this.#keep(role, () => void end(worker, "replaced"));
      }
      if (message !== "listening") return;
      listeningSince = Date.now();
      onListening();
    });
    worker.on("error", () => {}); // the channel of an exited process is closed
    worker.on("exit", async (code, signal) => {
      this.#running.delete(worker);
      if (this.#stopping || isReplaced) return;
      const settled = Date.now() - listeningSince > SETTLED_AFTER_MS;
      const count = settled ? 0 : failures + 1;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (count >= FIRST_TRIES && !this.#everListened)
        return this.#fail(new Error(`The web process ${how} ${count} times in a row. Giving up.`));
      console.error(`A web process ${how}; starting another.`);
      await sleep(count === 0 ? 0 : Math.min(100 * 2 ** count, 5_000));
      if (!this.#stopping) this.#keep(role, onListening, count);
    });
  }
}

/** Asks a process to finish its requests and exit, and kills it after 10 s. */
async function end(worker: Worker, how: ShutdownKind): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((done) => worker.once("exit", () => done()));
  if (worker.isConnected()) worker.send({ end: how });
  const late = setTimeout(() => worker.process.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}
