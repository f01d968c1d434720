import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { findFreePort } from "#platform/ports.server.ts";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

const MAX_OUTPUT = 200_000;

/** The web processes of the build, run by the application's supervisor in a child process. */
export class AppServer {
  readonly origin: string;
  #child: ChildProcess;
  #pids: number[] = [];
  #listening = 0;
  #processes: number;
  #output = "";
  /** The number of web processes that have exited, for any reason. */
  exitedCount = 0;
  /** The duration of the first start in milliseconds. */
  startMs = 0;

  private constructor(child: ChildProcess, origin: string, processes: number) {
    this.#child = child;
    this.#processes = processes;
    this.origin = origin;
    child.on("message", (message: { event: string; pids?: number[]; listening?: number }) => {
      if (message.pids) this.#pids = message.pids;
      if (message.listening !== undefined) this.#listening = message.listening;
      if (message.event === "exited") this.exitedCount += 1;
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        this.#output = (this.#output + chunk).slice(-MAX_OUTPUT);
      });
  }

  /** Starts the web processes; resolves when all of them listen. */
  static async start(processEnv: NodeJS.ProcessEnv, processes = 2): Promise<AppServer> {
    const port = await findFreePort();
    const child = fork("test/chaos/web-supervisor.ts", {
      env: { ...processEnv, PORT: String(port), NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const web = new AppServer(child, `http://127.0.0.1:${port}`, processes);
    const startedAt = performance.now();
    child.send({ port, processes });
    const listening = new Promise<void>((resolve) =>
      child.on("message", (message: { event: string }) => {
        if (message.event === "listening") resolve();
      }),
    );
    await Promise.race([listening, once(child, "exit")]);
    if (child.exitCode !== null)
      throw new Error(`The application failed to start:\n${web.output()}`);
    web.startMs = performance.now() - startedAt;
    return web;
  }

  /** The process ids of the running web processes. */
  get pids(): readonly number[] {
    return this.#pids;
  }

  /** True while all web processes listen. */
  get isFullyListening(): boolean {
    return this.#listening === this.#processes;
  }

  /** Returns the last 200,000 characters of the processes' output. */
  output(): string {
    return this.#output;
  }

  /** Kills all web processes with SIGKILL. */
  kill(): void {
    for (const pid of this.#pids)
      try {
        process.kill(pid, "SIGKILL");
      } catch {} // the process has already exited
  }

  /** Shuts down gracefully; kills it after 15 seconds. */
  async stop(kind: ShutdownKind = "immediate"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const killTimer = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    this.#child.send({ shutdown: kind }, () => {});
    await once(this.#child, "exit");
    clearTimeout(killTimer);
  }
}
