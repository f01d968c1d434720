import { once } from "node:events";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { buildIfStale } from "./build.ts";
import { claimDataFolder, environmentOrExit } from "./operator.ts";
import { runNode } from "./run-node.ts";
import { stopSignal } from "./stop-signal.ts";
import { tell } from "./tell.ts";
import { WebProcesses } from "./web-processes.ts";
import { welcome } from "./welcome.ts";

const signal = stopSignal();
const told = once(signal, "abort");
const env = environmentOrExit();
const undo: (() => Promise<void> | void)[] = [];

/**
 * Starts the server. Each step adds its clean-up to `undo`, which runs in reverse order at exit.
 * Returns null when a stop signal arrives during the start.
 */
async function start(): Promise<WebProcesses | null> {
  undo.push(await claimDataFolder(env));
  await buildIfStale(signal);
  if (signal.aborted) return null;

  const postgres = env.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: env.dataDir, keepRunning: true });
  if (postgres) undo.push(postgres.stop);
  const environment = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: env.databaseUrl ?? postgres?.url,
  };
  const prepared = await runNode(["bin/prepare.ts"], { env: environment, signal });
  if (signal.aborted) return null;
  if (prepared.code !== 0) throw new Error("Not starting: the database is not ready.");

  const web = new WebProcesses(environment);
  // Load balancers need time to detect a shutdown; a developer at a terminal does not want to wait.
  const isBehindOne = env.mode === "production";
  undo.push(() => web.stop(isBehindOne && signal.reason === "SIGTERM" ? "announced" : "now"));
  const { port, host } = env;
  const roles = Array.from({ length: env.webProcesses }, (_, index) => ({
    port,
    host,
    runsJobs: index === 0,
  }));
  await Promise.race([web.start(roles), told]);
  return signal.aborted ? null : web;
}

async function main(): Promise<number> {
  try {
    const web = await start();
    if (!web) return 0;
    console.log(welcome(env));
    await Promise.race([told, web.failed]);
    console.log("Stopping ...");
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    tell(error);
    return 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

process.exit(await main());
