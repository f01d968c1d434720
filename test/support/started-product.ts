import { type ChildProcess, spawn } from "node:child_process";

export type StartedProduct = {
  url: string;
  process: ChildProcess;
  /** Returns everything printed so far. */
  output(): string;
  /** Resolves with the exit code, or with the signal that ended the process. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Sends SIGINT, as Ctrl-C does, and waits for the exit. */
  stop(): Promise<number | NodeJS.Signals | null>;
};

/** Spawns the command that `npm start` runs after installation. */
export function spawnProduct(variables: {
  PORT: string;
  DATA_DIR: string;
  [name: string]: string;
}) {
  const child = spawn(process.execPath, ["bin/serve.ts"], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  const ended: StartedProduct["ended"] = new Promise((done) =>
    child.once("close", (code, signal) => done(code ?? signal)),
  );
  return {
    url: `http://localhost:${variables.PORT}`,
    process: child,
    output: () => text,
    ended,
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  } satisfies StartedProduct;
}

/** Starts the product and waits until it serves. Throws with its output when it exits instead. */
export async function startProduct(
  variables: Parameters<typeof spawnProduct>[0],
): Promise<StartedProduct> {
  const product = spawnProduct(variables);
  const ready = new Promise<void>((done) => {
    product.process.stdout?.on("data", () => {
      if (product.output().includes("Furlong is ready")) done();
    });
  });
  await Promise.race([ready, product.ended]);
  if (product.process.exitCode !== null || product.process.signalCode !== null)
    throw new Error(`The product does not start:\n${product.output()}`);
  return product;
}
