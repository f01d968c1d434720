import { type ChildProcess, spawn } from "node:child_process";
import { RACE_DAY } from "./test-clock.ts";

export type ServerProcess = {
  url: string;
  process: ChildProcess;
  /** Returns everything printed so far. */
  output(): string;
  /** Resolves when this text has been printed. Rejects with the output if the process exits first. */
  printed(text: string): Promise<void>;
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
    printed: (text) =>
      new Promise((done, fail) => {
        const check = () => printed.includes(text) && done();
        for (const stream of [child.stdout, child.stderr]) stream?.on("data", check);
        exited.then(() => fail(new Error(`The server has exited:\n${printed}`)));
        check();
      }),
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
  await server.printed("Furlong is ready");
  return server;
}
