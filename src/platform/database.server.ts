import { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { MonitoredClient, onReadOnlyServer, READ_ONLY } from "./monitored-client.server.ts";
import { logOutage } from "./outage-log.server.ts";

// Balances and cents come back as numbers: they stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Calendar days stay text, so that no time zone can move them.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const POOL_SIZE = 16;
/** A visitor is told soon that the database is unavailable; a command of the operator can wait. */
const CONNECT_WITHIN_MS = { visitor: 1_800, operator: 30_000 };
const STATEMENT_WITHIN_MS = 15_000;

/**
 * A connection's option by which the server ends a transaction that nobody goes on with: where the network
 * was lost in the midst of one, it would hear of it late, and keep what was locked until then.
 */
export const ENDS_LEFT_TRANSACTIONS = "-c idle_in_transaction_session_timeout=5s";

export type Database = NodePgDatabase;
/** The database within a transaction; verbs hand it to what must happen together or not at all. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];

let shared: { pool: pg.Pool; database: Database } | null = null;
let connectWithinMs = CONNECT_WITHIN_MS.visitor;

/** Makes this process wait long for a connection; for the operator's commands. Must be called first. */
export function waitLongForConnections(): void {
  connectWithinMs = CONNECT_WITHIN_MS.operator;
}

function connect() {
  const connectionString = env().databaseUrl;
  if (!connectionString) throw new Error("DATABASE_URL is not set");
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: STATEMENT_WITHIN_MS,
    application_name: "furlong",
    // A page's statements read few rows. Workers beside them would read ahead of a limit, to its cost.
    options: `-c max_parallel_workers_per_gather=0 ${ENDS_LEFT_TRANSACTIONS}`,
    stream: socketToDatabase,
    Client: MonitoredClient,
  });
  pool.on("error", (error) => logOutage("database connection lost", errorCode(error) ?? "lost"));
  dropConnectionsToReadOnlyServer(pool);
  return { pool, database: drizzle(pool) };
}

/**
 * After a failover some connections may still lead to the old primary. A server that refuses a write
 * because it is read-only costs the pool every connection that is idle; one that is in use is dropped when
 * its own write is refused.
 */
function dropConnectionsToReadOnlyServer(pool: pg.Pool): void {
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  onReadOnlyServer(dropIdleConnections);
}

const idle = new Set<pg.PoolClient>();

function dropIdleConnections(): void {
  for (const client of idle)
    if (client instanceof MonitoredClient) client.giveUp("the server is read-only");
}

const sockets = new Set<Socket>();

/** A socket for a connection to the database, which `dropAllConnections` reaches. */
export function socketToDatabase(): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

/**
 * Breaks off every connection of this process to the database: for one that takes questions and does
 * not answer, where whoever waits would wait for ever. What comes next connects anew.
 */
export function dropAllConnections(): void {
  for (const socket of sockets) socket.destroy();
}

/** The pool of this process, made at first use. */
export function pool(): pg.Pool {
  shared ??= connect();
  return shared.pool;
}

/** The query builder of this process, made at first use. */
export function database(): Database {
  shared ??= connect();
  return shared.database;
}

/**
 * Runs the work in one transaction: all of it is written, or none. Only write functions call this. The work
 * runs again when the database ends it for a conflict with another, so it must keep everything it does
 * inside the transaction.
 */
export async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  // Taken and given back here: the query builder keeps for good a connection on which it cannot begin.
  const client = await pool().connect();
  let isReadOnly = false;
  try {
    return await retryConflicts(() => drizzle(client).transaction(work));
  } catch (error) {
    isReadOnly = errorCode(error) === READ_ONLY;
    throw error;
  } finally {
    client.release(isReadOnly);
  }
}

/**
 * A prepared statement for a hot path: planned once a connection, then only its values travel.
 * The name must belong to this text alone. Each call is a transaction of its own and runs again after a
 * conflict.
 */
export async function prepared<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await retryConflicts(() => pool().query<Row>({ name, text, values }))).rows;
}

/** PostgreSQL's codes for a transaction that it ended because of another: serialization failure, deadlock. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;

/**
 * Runs a whole transaction again while the database ends it for a conflict, at most five times in all.
 * The pause grows and is random, so that the two sides of a conflict do not meet again.
 */
async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !CONFLICTS.has(errorCode(error) ?? "")) throw error;
      log.warn({ code: errorCode(error), attempts }, "transaction conflict, trying again");
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempts);
    }
  }
}

/** Closes the pool; for a process that ends. */
export async function closeDatabase(): Promise<void> {
  const closing = shared;
  shared = null;
  await closing?.pool.end();
}

/**
 * Whether the server takes no writes: a standby, which is in recovery, or one that was set read-only. A
 * transaction on a standby is always read-only, so the second condition says it all; the first names it.
 */
export const IS_READ_ONLY = `select pg_is_in_recovery()
  or current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/** Whether the database answers and takes writes. A connection to one that does not is dropped. */
export async function isDatabaseReady(): Promise<boolean> {
  try {
    const { rows } = await pool().query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    if (rows[0]?.isReadOnly) dropIdleConnections();
    return rows[0]?.isReadOnly === false;
  } catch {
    return false;
  }
}

/** PostgreSQL's five-character code (or Node's) behind an error, however it was wrapped. */
export function errorCode(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = (each as { code?: unknown }).code;
    if (typeof code === "string") return code;
  }
  return undefined;
}

/** PostgreSQL's codes for a text it cannot hold: one with a zero byte in it, as text or within JSON. */
const UNKEEPABLE = new Set(["22021", "22P05"]);

/** Whether somebody sent a text that no record can hold: a fault of what was sent, and nothing was kept. */
export function hasUnsupportedCharacters(error: unknown): boolean {
  return UNKEEPABLE.has(errorCode(error) ?? "");
}

/** The constraint that refused a write, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const constraint = (each as { constraint?: unknown }).constraint;
    if (typeof constraint === "string") return constraint;
  }
  return undefined;
}

const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "53100", // disk full
  "53200", // out of memory
  "53300", // too many connections
  "57P01", // the server is being shut down
  "57P02",
  "57P03",
  "08000",
  "08003",
  "08006",
  "57014", // the statement took too long
  "25P03", // the transaction was left for too long
  READ_ONLY, // a standby, or a primary that was demoted
  "08001",
  "08004",
]);

/** Whether an error means that the database is unavailable or overloaded, so that a retry may help. */
export function isDatabaseAway(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "08P01") return isFatal(error);
  if (code !== undefined) return AWAY.has(code);
  for (let each = error; each instanceof Error; each = each.cause)
    if (
      /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/.test(
        each.message,
      )
    )
      return true;
  return false;
}

/**
 * Whether the error ended its connection. PgBouncer reports a server that it lost or cannot reach as a
 * fatal protocol violation; PostgreSQL's own protocol violations are faults of the caller.
 */
function isFatal(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if ((each as { severity?: unknown }).severity === "FATAL") return true;
  return false;
}
