import { mkdirSync } from "node:fs";
import pRetry from "p-retry";
import { type Env, readEnv } from "#platform/env.server.ts";
import { isPortFree } from "#platform/ports.server.ts";
import { serverLockFile } from "#platform/postgres/embedded-postgres.server.ts";
import { acquireProcessLock } from "#platform/postgres/process-lock.server.ts";
import { printError } from "./print-error.ts";

/** Returns the environment. Prints one line for each problem and exits with 1 if it is invalid. */
export function readEnvOrExit(): Env {
  try {
    return readEnv();
  } catch (error) {
    printError(error);
    process.exit(1);
  }
}

class PortInUseError extends Error {}

/**
 * Locks the data folder and checks that the port is free, before anything is changed. Returns a
 * function that releases the lock. Throws when another server uses the folder or the port.
 */
export async function lockDataFolder({ dataDir, appUrl, port, host }: Env): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true });
  const lock = await acquireProcessLock(serverLockFile(dataDir), appUrl, 3_000);
  if (!lock.ok) {
    const { note, pid } = lock.holder;
    throw new Error(`Furlong is already running on ${dataDir} (process ${pid}): ${note}`);
  }
  // The processes of a killed server take a moment to release the port.
  const checkPort = async () => {
    if (!(await isPortFree(port, host)))
      throw new PortInUseError(
        `Port ${port} on ${host} is already in use. Stop the program using it, or set PORT.`,
      );
  };
  try {
    await pRetry(checkPort, {
      retries: 9,
      minTimeout: 200,
      factor: 1,
      shouldRetry: ({ error }) => error instanceof PortInUseError,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock.release;
}
