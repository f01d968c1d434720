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
import { Client } from "pg";
import { freePort, isPortFree } from "#platform/ports.server.ts";
import { findPostgresHome, type Home, makeFolder } from "./embedded-postgres-home.server.ts";
import { isAlive, lockHolder, takeProcessLock } from "./process-lock.server.ts";

type Options = {
  dataDir: string;
  /** Asked for; without it the port of the last start, or a free one. */
  port?: number;
  /** False gives up safety against a crash of the machine for speed: for tests only. */
  durable?: boolean;
  /** Starts the database again should it ever die, until `stop`. */
  keepRunning?: boolean;
};

export type EmbeddedPostgres = {
  /** The product's database, as the role that owns it (no superuser, may create databases). */
  url: string;
  /** The superuser's way in, for file copies and for making roles. */
  adminUrl: string;
  port: number;
  /** PostgreSQL's own data folder. */
  cluster: string;
  /** Stops the database, ending its connections. */
  stop(): Promise<void>;
  /** Stops it unless a server runs on this data folder or somebody else is connected. */
  stopUnlessInUse(): Promise<void>;
};

/** What is remembered between starts; it holds the passwords, so only we may read it. */
type Kept = { cluster: string; port: number; adminPassword: string; password: string };
type Place = { home: Home; record: Kept; file: string; dataDir: string };

const NAME = "furlong";

/** The lock file of a data folder that whoever serves from it holds. */
export function serverLockOf(dataDir: string): string {
  return join(dataDir, "server.lock");
}

/**
 * Starts the PostgreSQL of a data folder, making it first where there is none, or takes over the
 * one that is running there already. It listens on this machine's loopback address only.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const place = await exclusively(dataDir, async () => {
    const place = await findPlace(dataDir, options);
    await ensureRunning(place, options);
    await ensureDatabase(place);
    return place;
  });
  const { home, record } = place;

  let reviving: Promise<void> = Promise.resolve();
  const watch = options.keepRunning
    ? setInterval(() => {
        if (runningPid(home.cluster) === null) reviving = reviving.then(revive);
      }, 200)
    : undefined;
  async function revive() {
    if (runningPid(home.cluster) !== null) return;
    await exclusively(dataDir, () => ensureRunning(place, { ...options, port: record.port })).catch(
      (error) => console.error(`The database could not be restarted: ${error.message}`),
    );
  }
  async function stop() {
    clearInterval(watch);
    await reviving;
    await exclusively(dataDir, () => stopCluster(home));
  }
  return {
    url: urlOf(record),
    adminUrl: adminUrlOf(record),
    port: record.port,
    cluster: home.cluster,
    stop,
    stopUnlessInUse: async () => {
      clearInterval(watch);
      await reviving;
      if (lockHolder(serverLockOf(dataDir)) || (await hasOtherClients(record))) return;
      await stop();
    },
  };
}

/**
 * Puts the copy of a database, with the record that was kept of it, in the place of a data folder's own,
 * which is kept aside. Nothing may be running there. Answers where the old one is, or null.
 */
export function installEmbeddedPostgresCopy(
  dataDir: string,
  from: { cluster: string; record: string },
): string | null {
  const known = readKept(join(dataDir, "postgres.json"));
  const home = findPostgresHome(dataDir, known?.cluster ?? null);
  if (runningPid(home.cluster) !== null) throw new Error("The database is running. Stop it first.");
  const record = readKept(from.record);
  if (!record) throw new Error(`${from.record} is missing.`);
  let aside: string | null = null;
  if (existsSync(home.cluster)) {
    aside = `${home.cluster}.before-${Date.now()}`;
    renameSync(home.cluster, aside);
  }
  makeFolder(home.cluster, home.user);
  cpSync(from.cluster, home.cluster, { recursive: true });
  ownTree(home.cluster, home.user);
  const file = join(dataDir, "postgres.json");
  remember({ home, record: { ...record, cluster: home.cluster }, file, dataDir });
  return aside;
}

/** PostgreSQL starts on nothing that others may read. */
function ownTree(path: string, user: Home["user"]): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (user) chownSync(path, user.uid, user.gid);
  if (isFolder) for (const name of readdirSync(path)) ownTree(join(path, name), user);
}

/** Stops the database of a data folder, however it was left, and deletes it: for tests. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const known = readKept(join(dataDir, "postgres.json"));
  if (!known) return;
  await stopCluster(findPostgresHome(dataDir, known.cluster), ["immediate"]);
  rmSync(known.cluster, { recursive: true, force: true });
}

async function exclusively<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeProcessLock(join(dataDir, "postgres.lock"), "", 120_000);
  if (!lock.ok) throw new Error(`Process ${lock.holder.pid} is still starting the database.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function findPlace(dataDir: string, { port, durable = true }: Options): Promise<Place> {
  const file = join(dataDir, "postgres.json");
  const known = readKept(file);
  const home = findPostgresHome(dataDir, known?.cluster ?? null);
  const record = known ?? {
    cluster: home.cluster,
    port: 0,
    adminPassword: randomBytes(24).toString("base64url"),
    password: randomBytes(24).toString("base64url"),
  };
  const place = { home, record, file, dataDir };
  if (!existsSync(join(home.cluster, "PG_VERSION"))) {
    if (port || !record.port) record.port = port ?? (await freePort());
    remember(place);
    await initialise(place, durable);
  } else if (!known) {
    throw new Error(
      `${file}, which held the password of the database in ${home.cluster}, is missing.`,
    );
  } else if (port) {
    record.port = port;
  }
  return place;
}

function readKept(file: string): Kept | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function remember({ file, record, home, dataDir }: Place): void {
  const half = `${file}.${process.pid}`;
  writeFileSync(half, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  // Root in somebody's folder must not lock that somebody out.
  if (home.user) chownSync(half, ...ownerOf(dataDir));
  renameSync(half, file);
}

function ownerOf(path: string): [uid: number, gid: number] {
  const { uid, gid } = statSync(path);
  return [uid, gid];
}

/** Made aside and renamed when whole, so that a killed first start leaves nothing half made. */
async function initialise({ home, record }: Place, durable: boolean): Promise<void> {
  const half = `${home.cluster}.new`;
  const passwordFile = `${home.cluster}.password`;
  rmSync(half, { recursive: true, force: true });
  makeFolder(half, home.user);
  makeFolder(passwordFile, home.user);
  const secret = join(passwordFile, "admin");
  writeFileSync(secret, record.adminPassword, { mode: 0o600 });
  if (home.user) chownSync(secret, home.user.uid, home.user.gid);
  const { code, output } = await runProgram(home, "initdb", [
    ["-D", half, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${secret}`],
    ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ["--no-instructions", ...(durable ? [] : ["--no-sync"])],
  ]);
  rmSync(passwordFile, { recursive: true, force: true });
  if (code !== 0) throw new Error(`Creating the embedded database failed:\n${output}`);
  renameSync(half, home.cluster);
}

async function ensureRunning(place: Place, { durable = true, port }: Options): Promise<void> {
  const { home, record } = place;
  for (let attempt = 1; ; attempt += 1) {
    if (await adopt(place)) return;
    if (!port && !(await isPortFree(record.port))) record.port = await freePort();
    const failure = await startCluster(place, durable);
    if (failure === null) break;
    // Orphans of a killed database hold its memory for a moment; a port can be taken meanwhile.
    const passes = /in use|lock file/i.test(failure) && attempt < 20;
    if (!passes) throw new Error(`The embedded database failed to start:\n${failure}`);
    if (port && attempt > 5 && !(await isPortFree(port)))
      throw new Error(`Port ${port} is in use.`);
    await sleep(250);
  }
  remember(place);
  if (runningPid(home.cluster) === null)
    throw new Error("The embedded database exited immediately.");
}

/** Waits until a database that is running, starting or stopping here answers or is gone. */
async function adopt(place: Place): Promise<boolean> {
  const { home, record } = place;
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    if (runningPid(home.cluster) === null) {
      rmSync(join(home.cluster, "postmaster.pid"), { force: true });
      return false;
    }
    const port = Number(pidFile(home.cluster)[3]);
    if (!port) continue;
    const answer = await ask(adminUrlOf({ ...record, port }), "show data_directory").catch(
      (error) => error,
    );
    if (Array.isArray(answer)) {
      if (record.port !== port) remember({ ...place, record: Object.assign(record, { port }) });
      return true;
    }
    if (answer.code === "28P01")
      throw new Error("The password in .data/postgres.json doesn't match the embedded database.");
  }
  throw new Error(`The database in ${home.cluster} is not responding and can't be stopped.`);
}

async function startCluster({ home, record }: Place, durable: boolean): Promise<string | null> {
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
    // Refusals by constraint are the product's daily bread and reach it as errors.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const began = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const { code, output } = await runProgram(home, "pg_ctl", [
    ["start", "-D", home.cluster, "-w", "-t", "300", "-l", log, "-o", flags.join(" ")],
  ]);
  if (code === 0) return null;
  const said = existsSync(log) ? readFileSync(log, "utf8").slice(began) : "";
  return `${said}${output}`;
}

async function stopCluster(home: Home, modes = ["fast", "immediate"]): Promise<void> {
  for (const mode of modes) {
    if (runningPid(home.cluster) === null) return;
    await runProgram(home, "pg_ctl", [["stop", "-D", home.cluster, "-m", mode, "-w", "-t", "30"]]);
  }
}

async function ensureDatabase({ record }: Place): Promise<void> {
  const admin = adminUrlOf(record);
  const [row] = await ask(
    admin,
    `select exists (select from pg_roles where rolname = '${NAME}') as role,
            exists (select from pg_database where datname = '${NAME}') as database`,
  );
  if (!row?.role)
    await ask(admin, `create role ${NAME} login createdb password '${record.password}'`);
  if (!row?.database) await ask(admin, `create database ${NAME} owner ${NAME}`);
}

async function hasOtherClients(record: Kept): Promise<boolean> {
  const others = `select 1 from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return (await ask(adminUrlOf(record), others).catch(() => [])).length > 0;
}

async function ask(url: string, sql: string): Promise<{ [column: string]: unknown }[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {}); // a connection that breaks fails its query, which is enough
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function urlOf({ port, password }: Kept): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

function adminUrlOf({ port, adminPassword }: Kept): string {
  return `postgres://postgres:${adminPassword}@127.0.0.1:${port}/postgres`;
}

/** The process of the database in a folder. A number in its file alone proves nothing after a crash. */
function runningPid(cluster: string): number | null {
  const pid = Number(pidFile(cluster)[0]);
  if (!pid || !isAlive(pid)) return null;
  if (process.platform !== "linux") return pid;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster) ? pid : null;
  } catch {
    return isAlive(pid) ? pid : null; // another user's process, about which we may not ask more
  }
}

function pidFile(cluster: string): string[] {
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
  const code = await new Promise<number>((done, fail) => {
    child.on("error", fail);
    child.on("close", (status) => done(status ?? 1));
  });
  return { code, output };
}
