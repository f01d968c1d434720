import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry } from "prom-client";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

type Role = { port: number; host: string; runsJobs: boolean };

const STOP_WITHIN_MS = 10_000;
const SETTLED_AFTER_MS = 1_000;
const FIRST_TRIES = 2;

/**
 * Keeps one process for each role: one that ends is replaced at once, one that wants to go goes when
 * another serves in its place, one that keeps ending as soon as it starts is replaced ever later. It gives
 * up only on a product that has never served: one that has may be waiting for its database, for however
 * long that is away.
 */
export class WebProcesses {
  #running = new Set<Worker>();
  #stopping = false;
  #everListened = false;
  /** Rejects when a process cannot be kept running. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #environment: NodeJS.ProcessEnv;
  #figures = new AggregatorRegistry();

  constructor(environment: NodeJS.ProcessEnv) {
    // Each process takes its connections from the port itself. Handed over by this one, a connection
    // would wait for ever where the process that was to have it is killed before it says that it does.
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

  /** Lets every process finish the requests it has, and ends those that do not within ten seconds. */
  async stop(how: ShutdownKind = "now"): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running].map((worker) => end(worker, how)));
  }

  /** Tells a process the figures of all of them, or null where one does not answer. */
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
    worker.on("error", () => {}); // a process that ends takes its channel with it
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

/** Has a process end: with the requests it has, and within ten seconds. */
async function end(worker: Worker, how: ShutdownKind): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((done) => worker.once("exit", () => done()));
  if (worker.isConnected()) worker.send({ end: how });
  const late = setTimeout(() => worker.process.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}
