import { type ChildProcess, spawn } from "node:child_process";
import { RACE_DAY } from "./test-clock.ts";

export type ServerProcess = {
  url: string;
  process: ChildProcess;
  /** Returns everything printed so far. */
  output(): string;
  /** Resolves with the exit code, or with the signal that terminated the process. */
  exited: Promise<number | NodeJS.Signals | null>;
  /** Sends SIGINT, as Ctrl-C does, and waits for the exit. */
  stop(): Promise<number | NodeJS.Signals | null>;
};

/**
 * Spawns the command that `npm start` runs after installation. The demo's clock starts at `RACE_DAY`, or at the
 * instant in E2E_DEMO_NOW. A busy machine must not decide a test, so requests wait long for a database connection.
 */
export function spawnServer(variables: { PORT: string; DATA_DIR: string; [name: string]: string }) {
  const child = spawn(process.execPath, ["bin/serve.ts"], {
    env: {
      ...process.env,
      DATABASE_CONNECT_MS: "30000",
      ...(variables.APP_ENV === "production"
        ? {}
        : { DEMO_NOW: process.env.E2E_DEMO_NOW ?? RACE_DAY }),
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      printed += chunk;
    });
  const exited: ServerProcess["exited"] = new Promise((done) =>
    child.once("close", (code, signal) => done(code ?? signal)),
  );
  return {
    url: `http://localhost:${variables.PORT}`,
    process: child,
    output: () => printed,
    exited,
    stop: () => {
      child.kill("SIGINT");
      return exited;
    },
  } satisfies ServerProcess;
}

/** Starts the server and waits until it is ready. Throws an Error with its output if it exits first. */
export async function startServer(
  variables: Parameters<typeof spawnServer>[0],
): Promise<ServerProcess> {
  const server = spawnServer(variables);
  const ready = new Promise<void>((done) => {
    server.process.stdout?.on("data", () => {
      if (server.output().includes("Furlong is ready")) done();
    });
  });
  await Promise.race([ready, server.exited]);
  if (server.process.exitCode !== null || server.process.signalCode !== null)
    throw new Error(`The server did not start:\n${server.output()}`);
  return server;
}
