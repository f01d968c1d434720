import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#platform/ports.server.ts";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

const MAX_SAID = 200_000;

/** The built product's web processes under the product's own supervisor. */
export class Web {
  readonly origin: string;
  #child: ChildProcess;
  #pids: number[] = [];
  #listening = 0;
  #processes: number;
  #said = "";
  /** How many web processes have ended so far, for whatever reason. */
  ended = 0;
  /** How long the first start took, in milliseconds: what this machine needs for it now. */
  startMs = 0;

  private constructor(child: ChildProcess, origin: string, processes: number) {
    this.#child = child;
    this.#processes = processes;
    this.origin = origin;
    child.on("message", (message: { event: string; pids?: number[]; listening?: number }) => {
      if (message.pids) this.#pids = message.pids;
      if (message.listening !== undefined) this.#listening = message.listening;
      if (message.event === "ended") this.ended += 1;
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        this.#said = (this.#said + chunk).slice(-MAX_SAID);
      });
  }

  /** Starts so many web processes; resolves when all of them listen. */
  static async start(environment: NodeJS.ProcessEnv, processes = 2): Promise<Web> {
    const port = await freePort();
    const child = fork("test/chaos/web-supervisor.ts", {
      env: { ...environment, PORT: String(port), NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const web = new Web(child, `http://127.0.0.1:${port}`, processes);
    const beganAt = performance.now();
    child.send({ port, processes });
    const listening = new Promise<void>((done) =>
      child.on("message", (message: { event: string }) => {
        if (message.event === "listening") done();
      }),
    );
    await Promise.race([listening, once(child, "exit")]);
    if (child.exitCode !== null) throw new Error(`The product does not start:\n${web.said()}`);
    web.startMs = performance.now() - beganAt;
    return web;
  }

  /** The web processes that are running now. */
  get pids(): readonly number[] {
    return this.#pids;
  }

  /** Whether as many web processes listen as there should be. */
  get isWhole(): boolean {
    return this.#listening === this.#processes;
  }

  /** The last of what it has printed. */
  said(): string {
    return this.#said;
  }

  /** Ends all web processes at once, without a word. */
  kill(): void {
    for (const pid of this.#pids)
      try {
        process.kill(pid, "SIGKILL");
      } catch {} // it has just ended by itself
  }

  /** Lets it end in order, and ends it where it does not. */
  async stop(how: ShutdownKind = "now"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    this.#child.send({ end: how }, () => {});
    await once(this.#child, "exit");
    clearTimeout(late);
  }
}
