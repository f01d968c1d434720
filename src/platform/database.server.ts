import { Socket } from "node:net";
import { TransactionRollbackError } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pRetry from "p-retry";
import pg from "pg";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import {
  isWithoutResponse,
  MonitoredClient,
  onReadOnlyServer,
  READ_ONLY,
} from "./monitored-client.server.ts";
import { logOutage } from "./outage-log.server.ts";

// Balances and cents are parsed as numbers: they stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Calendar days stay text, so that no time zone can shift them.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const POOL_SIZE = 16;
/**
 * The time limits of the application's database connections, read at the first connection. Visitors
 * get an error quickly when the database is unavailable. The server ends abandoned transactions:
 * after a network failure it would otherwise notice late and hold the locks until then.
 */
export const databaseLimits = { connectMs: 1_800, idleTransactionMs: 5_000, statementMs: 15_000 };
const OPERATOR_CONNECT_MS = 30_000;

export type Database = NodePgDatabase;
/** A transaction. Write functions pass it to every function whose writes must be atomic with theirs. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];

let activeDatabase: { pool: pg.Pool; database: Database } | null = null;

/**
 * Sets a long connection timeout, for operator commands, which can wait. Must be called before the
 * first connection.
 */
export function setOperatorConnectTimeout(): void {
  databaseLimits.connectMs = OPERATOR_CONNECT_MS;
}

/** Returns the connection option that makes the server end abandoned transactions. */
export function idleTransactionOption(): string {
  return `-c idle_in_transaction_session_timeout=${databaseLimits.idleTransactionMs}`;
}

function connect() {
  const connectionString = env().databaseUrl;
  if (!connectionString) throw new Error("DATABASE_URL is not set");
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: databaseLimits.connectMs,
    statement_timeout: databaseLimits.statementMs,
    application_name: "furlong",
    // The statements of a page read few rows. Parallel workers would read beyond a LIMIT.
    options: `-c max_parallel_workers_per_gather=0 ${idleTransactionOption()}`,
    stream: databaseSocket,
    Client: MonitoredClient,
  });
  pool.on("error", (error) => logOutage("database connection lost", errorCode(error) ?? "lost"));
  dropConnectionsToReadOnlyServer(pool);
  return { pool, database: drizzle(pool) };
}

/**
 * Drops connections that may still lead to the old primary after a failover. When a server refuses
 * a write because it is read-only, every idle connection is dropped; a connection in use is dropped
 * when its own write is refused.
 */
function dropConnectionsToReadOnlyServer(pool: pg.Pool): void {
  pool.on("acquire", (client) => idleClients.delete(client));
  pool.on("release", (_error, client) => idleClients.add(client));
  pool.on("remove", (client) => idleClients.delete(client));
  onReadOnlyServer(dropIdleConnections);
}

const idleClients = new Set<pg.PoolClient>();

function dropIdleConnections(): void {
  for (const client of idleClients)
    if (client instanceof MonitoredClient) client.reportLost("the server is read-only");
}

const sockets = new Set<Socket>();

/** Returns a socket for a database connection that `dropAllConnections` can close. */
export function databaseSocket(): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

/**
 * Closes every database connection of this process, for a server that accepts queries but does not
 * respond. The next query opens a new connection.
 */
export function dropAllConnections(): void {
  for (const socket of sockets) socket.destroy();
}

/** Returns the connection pool of this process, created at first use. */
export function pool(): pg.Pool {
  activeDatabase ??= connect();
  return activeDatabase.pool;
}

/** Returns the query builder of this process, created at first use. */
export function database(): Database {
  activeDatabase ??= connect();
  return activeDatabase.database;
}

/**
 * Runs the work in one transaction. Only for functions that write. The work is retried when the
 * database aborts it for a conflict, so it must not have effects outside the transaction.
 */
export async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  // Acquired and released here because the query builder leaks a connection on which BEGIN fails.
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

/** Runs the work in a transaction that is rolled back, and returns its result: what the work would do. */
export async function dryRun<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await transaction(async (tx) => {
      results[0] = await work(tx);
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  return results[0] as T;
}

/**
 * Runs a prepared statement, for hot paths: it is planned once per connection. The name must be
 * unique to this text. Each call is a separate transaction and is retried after a conflict.
 */
export async function queryPrepared<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await retryConflicts(() => pool().query<Row>({ name, text, values }))).rows;
}

/** PostgreSQL error codes for transaction conflicts: serialization failure, deadlock. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MAX_RETRIES = 4;
const BASE_DELAY_MS = 20;

/**
 * Retries a whole transaction after a conflict, with at most five attempts in all. The delay doubles
 * and has random jitter, so that the two sides of a conflict do not collide again.
 */
async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  return await pRetry(attempt, {
    retries: MAX_RETRIES,
    minTimeout: BASE_DELAY_MS,
    randomize: true,
    shouldRetry: ({ error, attemptNumber: attempts }) => {
      const code = errorCode(error);
      if (!CONFLICTS.has(code ?? "")) return false;
      log.warn({ code, attempts }, "transaction conflict, retrying");
      return true;
    },
  });
}

/** Closes the connection pool, for the shutdown of a process. */
export async function closeDatabase(): Promise<void> {
  const closed = activeDatabase;
  activeDatabase = null;
  await closed?.pool.end();
}

/**
 * Query for whether the server is read-only: a standby in recovery, or a server set to read-only.
 */
export const IS_READ_ONLY = `select pg_is_in_recovery()
  or current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/**
 * Returns true when the database responds and accepts writes. Drops connections to a read-only
 * server. Throws when every connection is in use.
 */
export async function isDatabaseReady(): Promise<boolean> {
  try {
    const { rows } = await pool().query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    if (rows[0]?.isReadOnly) dropIdleConnections();
    return rows[0]?.isReadOnly === false;
  } catch (error) {
    if (isDatabaseOverloaded(error)) throw error;
    return false;
  }
}

/** Returns the PostgreSQL or Node error code of an error or one of its causes. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === "string") return code;
  }
  return undefined;
}

/** PostgreSQL error codes for text that contains a null character, directly or within JSON. */
const UNSUPPORTED_CHARACTER_CODES = new Set(["22021", "22P05"]);

/** Returns true when a write failed because its text contains characters that cannot be stored. */
export function hasUnsupportedCharacters(error: unknown): boolean {
  return UNSUPPORTED_CHARACTER_CODES.has(errorCode(error) ?? "");
}

/** Returns the name of the constraint that an error reports as violated, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const constraint = (cause as { constraint?: unknown }).constraint;
    if (typeof constraint === "string") return constraint;
  }
  return undefined;
}

const UNAVAILABLE_CODES = new Set([
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
  "25P03", // the transaction was idle for too long
  READ_ONLY, // a standby, or a primary that was demoted
  "08001",
  "08004",
]);

const OVERLOADED_CODES = new Set([
  "53300", // too many connections
  "57014", // the statement took too long
]);

/**
 * Returns true when the database answers but has too much to do: every connection was in use, or a
 * statement took too long. A database that has answered nothing while a connection was awaited is not
 * overloaded but unavailable.
 */
export function isDatabaseOverloaded(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return OVERLOADED_CODES.has(code);
  return (
    hasMessage(error, /timeout exceeded when trying to connect/) &&
    !isWithoutResponse(databaseLimits.connectMs)
  );
}

/** Returns true when the database is unavailable or overloaded, so that a retry may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "08P01") return isFatal(error);
  if (code !== undefined) return UNAVAILABLE_CODES.has(code);
  return hasMessage(
    error,
    /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/,
  );
}

/** Codes of statements that were ended on their own, while the database answers others. */
const ENDED_STATEMENT_CODES = new Set(["57014", "25P03"]);

/** Returns true when the database is unavailable for every statement, not for a slow one alone. */
export function isDatabaseLost(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ENDED_STATEMENT_CODES.has(errorCode(error) ?? "");
}

function hasMessage(error: unknown, pattern: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (pattern.test(cause.message)) return true;
  return false;
}

/**
 * Returns true when the error ended its connection. PgBouncer reports an unreachable server as a
 * fatal protocol violation; PostgreSQL's own protocol violations are errors of the caller.
 */
function isFatal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { severity?: unknown }).severity === "FATAL") return true;
  return false;
}
