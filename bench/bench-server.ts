import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findFreePort } from "#platform/ports.server.ts";
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { isAlive } from "#platform/postgres/process-lock.server.ts";

const AUTH_SECRET = "bench-secret-bench-secret-bench-secret";
/** Prefix of the temporary folders of benchmarks. */
const FOLDER_PREFIX = "furlong-bench-";
const STOP_WITHIN_MS = 15_000;

/** The built application with a temporary database. `close` stops both and deletes the data. */
export type BenchServer = {
  url: string;
  /** The superuser URL of the application's database. */
  superuserUrl: string;
  authSecret: string;
  dataDir: string;
  /** Starts a process of the benchmark or the application. */
  start(file: string, args?: string[]): ChildProcess;
  /** Starts a web process and returns its URL. */
  serve(options?: {
    runsJobs?: boolean;
  }): Promise<{ origin: string; pid: number; stop(): Promise<void> }>;
  close(): Promise<void>;
};

const closeHandlers = new Set<() => Promise<void>>();

/** Creates a server with the demo data. Read-only benchmarks need no durable writes. */
export async function startBenchServer({ durable = true } = {}): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  let postgres = await startEmbeddedPostgres({ dataDir, durable });
  if (!durable) {
    await minimiseWal(postgres.superuserUrl);
    await postgres.stop();
    postgres = await startEmbeddedPostgres({ dataDir, durable });
  }
  const children: ChildProcess[] = [];
  const superuserUrl = new URL(postgres.superuserUrl);
  superuserUrl.pathname = new URL(postgres.url).pathname;
  const env = (port: number) => ({
    ...process.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    AUTH_SECRET,
    NODE_ENV: "production",
  });
  async function stop(child: ChildProcess) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    // Resumes a paused process, which would not handle SIGTERM.
    child.kill("SIGCONT");
    const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await once(child, "exit");
    clearTimeout(killTimer);
  }
  async function close() {
    if (!closeHandlers.delete(close)) return;
    await Promise.all(children.map(stop));
    // When started by root, the database is in another folder.
    await removeEmbeddedPostgres(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
  closeHandlers.add(close);

  const preparing = fork("bin/prepare.ts", {
    env: env(await findFreePort()),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [code] = await once(preparing, "exit");
  if (code !== 0) {
    await close();
    throw new Error(`the database could not be prepared: ${code}`);
  }
  return {
    url: postgres.url,
    superuserUrl: superuserUrl.href,
    authSecret: AUTH_SECRET,
    dataDir,
    start(file, args = []) {
      const child = fork(file, args, { env: env(0) });
      children.push(child);
      return child;
    },
    async serve({ runsJobs = true } = {}) {
      const port = await findFreePort();
      const child = fork("bin/web-process.ts", { env: env(port) });
      children.push(child);
      child.send({ port, host: "127.0.0.1", runsJobs });
      await once(child, "message");
      return {
        origin: `http://127.0.0.1:${port}`,
        pid: child.pid ?? 0,
        stop: () => stop(child),
      };
    },
    close,
  };
}

/** Removes the databases of a stopped benchmark on exit, and those of killed benchmarks now. */
export async function removeTemporaryDatabases(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, async () => {
      console.log("Stopping and deleting the benchmark data …");
      await Promise.allSettled([...closeHandlers].map((close) => close()));
      process.exit(1);
    });
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!owner || isAlive(Number(owner))) continue;
    await removeEmbeddedPostgres(join(tmpdir(), name));
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Sets wal_level minimal for the next start, so that new tables are filled without WAL. */
async function minimiseWal(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query("alter system set wal_level = 'minimal'");
  await client.query("alter system set max_wal_senders = 0");
  await client.query("alter system set max_wal_size = '8GB'");
  await client.query("alter system set checkpoint_timeout = '30min'");
  await client.end();
}
