import type { Socket } from "node:net";
import pg from "pg";

/** Checks without received data before the database is queried for active statements. */
const CHECKS_BEFORE_QUERY = 2;
/**
 * Consecutive checks without an active statement before a connection is dropped. More than one, because a
 * response may be in transit.
 */
const INACTIVE_CHECKS_BEFORE_DROP = 2;

type MonitoredConnection = {
  socket: () => Socket;
  /** The process id of the server for this connection; 0 until known. */
  pid: number;
  /** Whether a connection pooler shares the server connection between clients. */
  isPooled: boolean;
  bytesWrittenAtLastResponse: number;
  bytesReadAtLastCheck: number;
  /** Consecutive checks without received data. */
  checks: number;
  inactiveChecks: number;
};

const connections = new Set<MonitoredConnection>();
/** When any of them last received a whole response, on the clock of `performance.now`. */
let lastResponseAt = 0;

function isWaiting({ socket, bytesWrittenAtLastResponse }: MonitoredConnection): boolean {
  return socket().bytesWritten !== bytesWrittenAtLastResponse;
}

/** Returns true when a query is waiting and no connection has received a response for this long. */
export function isWithoutResponse(milliseconds: number): boolean {
  return performance.now() - lastResponseAt >= milliseconds && [...connections].some(isWaiting);
}

/** Called when a server refuses a write because it is read-only. */
let readOnlyListener: () => void = () => {};

/** Sets the listener for connections to a read-only server. */
export function onReadOnlyServer(listener: () => void): void {
  readOnlyListener = listener;
}

/** PostgreSQL error code for a write refused by a read-only server or transaction. */
export const READ_ONLY = "25006";

/**
 * A client monitored by `dropUnresponsiveConnections`. A lost response would otherwise be awaited
 * forever: the statement timeout is enforced by the server, which may already have responded. The
 * driver's `query_timeout` does not replace it: it must exceed the statement timeout of 15 s, so
 * that a slow statement is not reported as an outage, and it leaves the connection in the pool
 * after a transaction. Visitors get an answer within 6 s here.
 */
export class MonitoredClient extends pg.Client {
  readonly #monitored: MonitoredConnection;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const monitored: MonitoredConnection = {
      socket: () => connection.stream as Socket,
      pid: 0,
      isPooled: false,
      bytesWrittenAtLastResponse: 0,
      bytesReadAtLastCheck: 0,
      checks: 0,
      inactiveChecks: 0,
    };
    this.#monitored = monitored;
    connection.on("readyForQuery", () => {
      monitored.bytesWrittenAtLastResponse = monitored.socket().bytesWritten;
      lastResponseAt = performance.now();
      connections.add(monitored);
    });
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY) readOnlyListener();
    });
    this.once("end", () => connections.delete(monitored));
    // Without a listener, losing an idle connection would end the process.
    this.on("error", () => {});
  }

  /**
   * Connects and queries the server for its process id, because a pooler such as PgBouncer reports a made-up
   * id at connect, which can be that of another session.
   */
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = super.connect().then(() => this.#readPid());
    if (!callback) return connected;
    // pg's callback reports success with a null error, although its type does not allow it.
    connected.then(() => callback(null as unknown as Error), callback);
  }

  async #readPid(): Promise<pg.Client> {
    const { rows } = await this.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid ?? 0;
    const { processID } = this as unknown as { processID: number | null };
    Object.assign(this.#monitored, { pid, isPooled: pid !== processID });
    return this;
  }

  /** Reports the connection as lost, so that a pool removes it when it is idle. */
  reportLost(reason: string): void {
    this.emit("error", new Error(reason));
  }
}

/**
 * Drops connections that wait for a response while the database is not working on their query: the
 * caller gets an error immediately, and the next query a new connection. Returns the number of
 * dropped connections and the process ids to terminate, because the server does not know yet that
 * the client has disconnected. A pooled connection is not terminated, because its process may be
 * serving another client. Must be called periodically. Calls are counted instead of elapsed time,
 * because time also passes while this process is suspended.
 */
export async function dropUnresponsiveConnections(
  findActive: (pids: number[]) => Promise<number[]>,
): Promise<{ dropped: number; toTerminate: number[] }> {
  for (const connection of connections) {
    const { bytesRead } = connection.socket();
    const isSilent = isWaiting(connection) && bytesRead === connection.bytesReadAtLastCheck;
    connection.bytesReadAtLastCheck = bytesRead;
    connection.checks = isSilent ? connection.checks + 1 : 0;
    if (!isSilent) connection.inactiveChecks = 0;
  }
  const waiting = [...connections].filter(
    ({ checks, pid }) => checks >= CHECKS_BEFORE_QUERY && pid !== 0,
  );
  if (waiting.length === 0) return { dropped: 0, toTerminate: [] };
  const active = new Set(await findActive(waiting.map(({ pid }) => pid)));
  const dropped: MonitoredConnection[] = [];
  for (const connection of waiting) {
    connection.inactiveChecks = active.has(connection.pid) ? 0 : connection.inactiveChecks + 1;
    if (connection.inactiveChecks < INACTIVE_CHECKS_BEFORE_DROP) continue;
    connection.socket().destroy();
    dropped.push(connection);
  }
  const toTerminate = dropped.filter(({ isPooled }) => !isPooled).map(({ pid }) => pid);
  return { dropped: dropped.length, toTerminate };
}
