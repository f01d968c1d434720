import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, readEnv } from "#platform/env.server.ts";
import { isPortFree } from "#platform/ports.server.ts";
import { serverLockOf } from "#platform/postgres/embedded-postgres.server.ts";
import { takeProcessLock } from "#platform/postgres/process-lock.server.ts";
import { tell } from "./tell.ts";

/** The environment, or the end of this process with one line for each thing wrong with it. */
export function environmentOrExit(): Env {
  try {
    return readEnv();
  } catch (error) {
    tell(error);
    process.exit(1);
  }
}

/**
 * Makes sure that this is the one server on its data folder and that its port is free, before
 * anything is touched. Answers with how to give the folder up again.
 */
export async function claimDataFolder({ dataDir, appUrl, port, host }: Env): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true });
  const lock = await takeProcessLock(serverLockOf(dataDir), appUrl, 3_000);
  if (!lock.ok) {
    const { note, pid } = lock.holder;
    throw new Error(`Furlong is already running on ${dataDir} (process ${pid}): ${note}`);
  }
  // The processes of a killed start need a moment to let go of the port.
  for (let tries = 1; !(await isPortFree(port, host)); tries += 1) {
    if (tries === 10) {
      lock.release();
      throw new Error(
        `Port ${port} on ${host} is already in use. Stop the program using it, or set PORT.`,
      );
    }
    await sleep(200);
  }
  return lock.release;
}
