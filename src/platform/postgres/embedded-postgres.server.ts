import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { Client } from "pg";
import { findFreePort, isPortFree } from "#platform/ports.server.ts";
import { findPostgresHome, type Home, makeFolder } from "./embedded-postgres-home.server.ts";
import { acquireProcessLock, findLockHolder, isAlive } from "./process-lock.server.ts";

/**
 * Settings of a database for tests, whose data is not kept. Autovacuum is off because it would slow down the
 * tests, and because only a superuser can drop a database while it is being vacuumed.
 */
const NOT_DURABLE = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
};

type Options = {
  dataDir: string;
  /** The requested port; by default that of the last start, or a free one. */
  port?: number;
  /** False disables crash safety for speed. For tests only. */
  durable?: boolean;
  /** Restarts the database if it exits, until `stop` is called. */
  keepRunning?: boolean;
};

export type EmbeddedPostgres = {
  /** URL of the application's database, as its owner (not a superuser, may create databases). */
  url: string;
  /** URL for the superuser, for file copies and creating roles. */
  superuserUrl: string;
  port: number;
  /** PostgreSQL's data directory. */
  cluster: string;
  /** Stops the database and closes its connections. */
  stop(): Promise<void>;
  /** Stops the database unless a web server uses this data folder or other clients are connected. */
  stopUnlessInUse(): Promise<void>;
};

/**
 * The settings stored between starts. The file contains passwords, so only its owner can read it.
 */
type StoredSettings = { cluster: string; port: number; adminPassword: string; password: string };
type Installation = { home: Home; record: StoredSettings; file: string; dataDir: string };

const NAME = "furlong";

/** Returns the path of the lock file that the server of a data folder holds. */
export function serverLockFile(dataDir: string): string {
  return join(dataDir, "server.lock");
}

/**
 * Starts the PostgreSQL server of a data folder, creating it if needed, or uses the one that
 * is already running. It listens on the loopback address only.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const installation = await withDatabaseLock(dataDir, async () => {
    const installation = await findInstallation(dataDir, options);
    await ensureRunning(installation, options);
    await ensureDatabase(installation);
    return installation;
  });
  const { home, record } = installation;

  let pendingRestart: Promise<void> = Promise.resolve();
  const watch = options.keepRunning
    ? setInterval(() => {
        if (runningPid(home.cluster) === null)
          pendingRestart = pendingRestart.then(restartIfStopped);
      }, 200)
    : undefined;
  async function restartIfStopped() {
    if (runningPid(home.cluster) !== null) return;
    await withDatabaseLock(dataDir, () =>
      ensureRunning(installation, { ...options, port: record.port }),
    ).catch((error) => console.error(`The database could not be restarted: ${error.message}`));
  }
  async function stop() {
    clearInterval(watch);
    await pendingRestart;
    await withDatabaseLock(dataDir, () => stopCluster(home));
  }
  return {
    url: buildUrl(record),
    superuserUrl: buildSuperuserUrl(record),
    port: record.port,
    cluster: home.cluster,
    stop,
    stopUnlessInUse: async () => {
      clearInterval(watch);
      await pendingRestart;
      if (findLockHolder(serverLockFile(dataDir)) || (await hasOtherClients(record))) return;
      await stop();
    },
  };
}

/**
 * Replaces the database of a data folder with a copy and its stored settings. The database must not
 * be running. The old database is renamed; returns its new path, or null if there was none.
 */
export function installEmbeddedPostgresCopy(
  dataDir: string,
  source: { cluster: string; record: string },
): string | null {
  const storedSettings = readSettings(join(dataDir, "postgres.json"));
  const home = findPostgresHome(dataDir, storedSettings?.cluster ?? null);
  if (runningPid(home.cluster) !== null) throw new Error("The database is running. Stop it first.");
  const record = readSettings(source.record);
  if (!record) throw new Error(`${source.record} is missing.`);
  let previousPath: string | null = null;
  if (existsSync(home.cluster)) {
    previousPath = `${home.cluster}.before-${Date.now()}`;
    renameSync(home.cluster, previousPath);
  }
  makeFolder(home.cluster, home.user);
  cpSync(source.cluster, home.cluster, { recursive: true });
  restrictAccess(home.cluster, home.user);
  const file = join(dataDir, "postgres.json");
  saveSettings({ home, record: { ...record, cluster: home.cluster }, file, dataDir });
  return previousPath;
}

/** Restricts a data folder to its owner, as PostgreSQL requires. */
function restrictAccess(path: string, user: Home["user"]): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (user) chownSync(path, user.uid, user.gid);
  if (isFolder) for (const name of readdirSync(path)) restrictAccess(join(path, name), user);
}

/**
 * Stops and deletes the database of a data folder. For tests.
 * @internal
 */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const storedSettings = readSettings(join(dataDir, "postgres.json"));
  if (!storedSettings) return;
  await stopCluster(findPostgresHome(dataDir, storedSettings.cluster), ["immediate"]);
  rmSync(storedSettings.cluster, { recursive: true, force: true });
}

async function withDatabaseLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireProcessLock(join(dataDir, "postgres.lock"), "", 120_000);
  if (!lock.ok) throw new Error(`Process ${lock.holder.pid} is still starting the database.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function findInstallation(
  dataDir: string,
  { port, durable = true }: Options,
): Promise<Installation> {
  const file = join(dataDir, "postgres.json");
  const storedSettings = readSettings(file);
  const home = findPostgresHome(dataDir, storedSettings?.cluster ?? null);
  const record = storedSettings ?? {
    cluster: home.cluster,
    port: 0,
    adminPassword: randomBytes(24).toString("base64url"),
    password: randomBytes(24).toString("base64url"),
  };
  const installation = { home, record, file, dataDir };
  if (!existsSync(join(home.cluster, "PG_VERSION"))) {
    if (port || !record.port) record.port = port ?? (await findFreePort());
    saveSettings(installation);
    await initialise(installation, durable);
  } else if (!storedSettings) {
    throw new Error(
      `${file}, which held the password of the database in ${home.cluster}, is missing.`,
    );
  } else if (port) {
    record.port = port;
  }
  return installation;
}

function readSettings(file: string): StoredSettings | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function saveSettings({ file, record, home, dataDir }: Installation): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  // Files created by root must remain accessible to the owner of the folder.
  if (home.user) chownSync(temporary, ...readOwner(dataDir));
  renameSync(temporary, file);
}

function readOwner(path: string): [uid: number, gid: number] {
  const { uid, gid } = statSync(path);
  return [uid, gid];
}

/**
 * Creates the cluster in a temporary folder and renames it, so that an aborted start leaves
 * nothing.
 */
async function initialise({ home, record }: Installation, durable: boolean): Promise<void> {
  const temporary = `${home.cluster}.new`;
  const passwordFile = `${home.cluster}.password`;
  rmSync(temporary, { recursive: true, force: true });
  makeFolder(temporary, home.user);
  makeFolder(passwordFile, home.user);
  const secret = join(passwordFile, "admin");
  writeFileSync(secret, record.adminPassword, { mode: 0o600 });
  if (home.user) chownSync(secret, home.user.uid, home.user.gid);
  const { code, output } = await runProgram(home, "initdb", [
    ["-D", temporary, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${secret}`],
    ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ["--no-instructions", ...(durable ? [] : ["--no-sync"])],
  ]);
  rmSync(passwordFile, { recursive: true, force: true });
  if (code !== 0) throw new Error(`Creating the embedded database failed:\n${output}`);
  renameSync(temporary, home.cluster);
}

class StartError extends Error {
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

async function ensureRunning(
  installation: Installation,
  { durable = true, port }: Options,
): Promise<void> {
  const { home, record } = installation;
  const start = async (attempt: number): Promise<"running" | "started"> => {
    if (await waitForRunningServer(installation)) return "running";
    if (!port && !(await isPortFree(record.port))) record.port = await findFreePort();
    const failure = await startCluster(installation, durable);
    if (failure === null) return "started";
    // Child processes of a killed database hold its memory briefly, and another process can have
    // taken the port.
    const isTransient = /in use|lock file/i.test(failure);
    if (isTransient && port && attempt > 5 && !(await isPortFree(port)))
      throw new Error(`Port ${port} is in use.`);
    throw new StartError(`The embedded database failed to start:\n${failure}`, isTransient);
  };
  const result = await pRetry(start, {
    retries: 19,
    minTimeout: 250,
    factor: 1,
    shouldRetry: ({ error }) => error instanceof StartError && error.isTransient,
  });
  if (result === "running") return;
  saveSettings(installation);
  if (runningPid(home.cluster) === null)
    throw new Error("The embedded database exited immediately.");
}

/**
 * Waits until a running, starting or stopping database responds or has exited. Returns true if
 * it runs.
 */
async function waitForRunningServer(installation: Installation): Promise<boolean> {
  const { home, record } = installation;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    if (runningPid(home.cluster) === null) {
      rmSync(join(home.cluster, "postmaster.pid"), { force: true });
      return false;
    }
    const port = Number(readPidFile(home.cluster)[3]);
    if (!port) continue;
    const result = await runQuery(
      buildSuperuserUrl({ ...record, port }),
      "show data_directory",
    ).catch((error) => error);
    if (Array.isArray(result)) {
      if (record.port !== port)
        saveSettings({ ...installation, record: Object.assign(record, { port }) });
      return true;
    }
    if (result.code === "28P01")
      throw new Error("The password in .data/postgres.json doesn't match the embedded database.");
  }
  throw new Error(`The database in ${home.cluster} is not responding and can't be stopped.`);
}

async function startCluster(
  { home, record }: Installation,
  durable: boolean,
): Promise<string | null> {
  const log = join(home.cluster, "server.log");
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 5_000_000) renameSync(log, `${log}.1`);
  const settings = {
    port: record.port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    cluster_name: NAME,
    max_connections: 200,
    shared_buffers: "128MB",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    // Constraint violations are expected and reach the application as errors.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(durable ? {} : NOT_DURABLE),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const logStart = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const { code, output } = await runProgram(home, "pg_ctl", [
    ["start", "-D", home.cluster, "-w", "-t", "300", "-l", log, "-o", flags.join(" ")],
  ]);
  if (code === 0) return null;
  const logOutput = existsSync(log) ? readFileSync(log, "utf8").slice(logStart) : "";
  return `${logOutput}${output}`;
}

async function stopCluster(home: Home, modes = ["fast", "immediate"]): Promise<void> {
  for (const mode of modes) {
    if (runningPid(home.cluster) === null) return;
    await runProgram(home, "pg_ctl", [["stop", "-D", home.cluster, "-m", mode, "-w", "-t", "30"]]);
  }
}

async function ensureDatabase({ record }: Installation): Promise<void> {
  const admin = buildSuperuserUrl(record);
  const [row] = await runQuery(
    admin,
    `select exists (select from pg_roles where rolname = '${NAME}') as role,
            exists (select from pg_database where datname = '${NAME}') as database`,
  );
  if (!row?.role)
    await runQuery(admin, `create role ${NAME} login createdb password '${record.password}'`);
  if (!row?.database) await runQuery(admin, `create database ${NAME} owner ${NAME}`);
}

async function hasOtherClients(record: StoredSettings): Promise<boolean> {
  const otherClientsQuery = `select 1 from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return (await runQuery(buildSuperuserUrl(record), otherClientsQuery).catch(() => [])).length > 0;
}

async function runQuery(url: string, sql: string): Promise<{ [column: string]: unknown }[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {}); // a lost connection fails its query, which is handled
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function buildUrl({ port, password }: StoredSettings): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

function buildSuperuserUrl({ port, adminPassword }: StoredSettings): string {
  return `postgres://postgres:${adminPassword}@127.0.0.1:${port}/postgres`;
}

/**
 * Returns the process id of a cluster's server. After a crash the pid file alone is not reliable.
 */
function runningPid(cluster: string): number | null {
  const pid = Number(readPidFile(cluster)[0]);
  if (!pid || !isAlive(pid)) return null;
  if (process.platform !== "linux") return pid;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster) ? pid : null;
  } catch {
    return isAlive(pid) ? pid : null; // another user's process, whose details are not readable
  }
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

async function runProgram(home: Home, name: string, args: string[][]) {
  const environment = Object.entries(process.env).filter(([key]) => !/^(PG|LC_|LANG)/.test(key));
  const child = spawn(join(home.programs, "bin", name), args.flat(), {
    ...home.user,
    cwd: home.user ? "/" : home.cluster.replace(/[^/\\]*$/, ""),
    env: { ...Object.fromEntries(environment), LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number>((resolveExit, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolveExit(status ?? 1));
  });
  return { code, output };
}
