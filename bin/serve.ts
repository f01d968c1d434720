import { once } from "node:events";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { buildApplicationIfStale, buildPreparationIfStale } from "./build.ts";
import { lockDataFolder, readEnvOrExit } from "./command-environment.ts";
import { printError } from "./print-error.ts";
import { runNode } from "./run-node.ts";
import { createShutdownSignal } from "./shutdown-signal.ts";
import { formatStartupMessage } from "./startup-message.ts";
import { WebProcesses } from "./web-processes.ts";

const signal = createShutdownSignal();
const shutdownRequested = once(signal, "abort");
const env = readEnvOrExit();
const cleanUpSteps: (() => Promise<void> | void)[] = [];

/**
 * Starts the server. Each step adds its clean-up to `cleanUpSteps`, which runs in reverse order at exit.
 * Returns null when a stop signal arrives during the start.
 */
async function start(): Promise<WebProcesses | null> {
  cleanUpSteps.push(await lockDataFolder(env));
  const processEnv = await buildAndPrepare();
  if (signal.aborted) return null;

  const web = new WebProcesses(processEnv);
  // In production, a load balancer needs time to detect the shutdown.
  const isProduction = env.mode === "production";
  cleanUpSteps.push(() =>
    web.stop(isProduction && signal.reason === "SIGTERM" ? "drain" : "immediate"),
  );
  const { port, host } = env;
  const roles = Array.from({ length: env.webProcesses }, (_, index) => ({
    port,
    host,
    runsJobs: index === 0,
  }));
  await Promise.race([web.start(roles), shutdownRequested]);
  return signal.aborted ? null : web;
}

/**
 * Builds the application and prepares the database. Returns the environment of the web processes. The demo's data is
 * created beside the build, because either takes long, and the first failure stops the other one; other databases change
 * only when the build has succeeded.
 */
async function buildAndPrepare(): Promise<NodeJS.ProcessEnv> {
  await buildPreparationIfStale(signal);
  const failure = new AbortController();
  const stopSignal = AbortSignal.any([signal, failure.signal]);
  const stopBoth = (error: unknown) => {
    failure.abort(error);
    throw error;
  };
  const building = buildApplicationIfStale(stopSignal).catch(stopBoth);
  if (env.mode !== "demo" || env.databaseUrl) await building;
  const preparing = prepareDatabase(stopSignal).catch(stopBoth);
  // Waits for both in any case, because the clean-up must know what was started.
  await Promise.allSettled([preparing, building]);
  failure.signal.throwIfAborted();
  return await preparing;
}

async function prepareDatabase(abortSignal: AbortSignal): Promise<NodeJS.ProcessEnv> {
  const postgres =
    env.databaseUrl || abortSignal.aborted
      ? null
      : await startEmbeddedPostgres({ dataDir: env.dataDir, keepRunning: true });
  if (postgres) cleanUpSteps.push(postgres.stop);
  const processEnv = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: env.databaseUrl ?? postgres?.url,
  };
  const prepared = await runNode(["bin/prepare.ts"], { env: processEnv, signal: abortSignal });
  if (prepared.code !== 0 && !abortSignal.aborted)
    throw new Error("Cannot start: preparing the database failed.");
  return processEnv;
}

async function main(): Promise<number> {
  try {
    const web = await start();
    if (!web) return 0;
    console.log(formatStartupMessage(env));
    await Promise.race([shutdownRequested, web.failed]);
    console.log("Stopping ...");
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    printError(error);
    return 1;
  } finally {
    for (const step of cleanUpSteps.reverse()) await step();
  }
}

process.exit(await main());
