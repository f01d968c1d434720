import type { Socket } from "node:net";
import pg from "pg";

/** After so many looks without a sign, the database is asked whether it is still at work on the question. */
const LOOKS_BEFORE_DOUBT = 2;
/** So often in a row it has to say that it is not: the answer may have been on its way. */
const DOUBTS = 2;

type Line = {
  socket: () => Socket;
  /** The server's process for this connection, as it says itself; 0 until it has said so. */
  pid: number;
  /** Whether a pooler stands between: the server's process then belongs to whoever the pooler lends it to. */
  isPooled: boolean;
  /** What had been sent when everything was answered, and received when last looked at. */
  answered: number;
  received: number;
  looks: number;
  doubts: number;
};

const lines = new Set<Line>();

/** Called when a server refuses a write because it is read-only. */
let whenReadOnly: () => void = () => {};

/** Sets what happens when a connection finds its server read-only. */
export function onReadOnlyServer(listener: () => void): void {
  whenReadOnly = listener;
}

/** PostgreSQL's code for a write that a read-only server or transaction refuses. */
export const READ_ONLY = "25006";

/**
 * A connection that `dropUnansweredConnections` watches: an answer that never comes would be awaited forever,
 * because the statement timeout is kept by the server, which may have answered long ago.
 */
export class MonitoredClient extends pg.Client {
  readonly #line: Line;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const line: Line = {
      socket: () => connection.stream as Socket,
      pid: 0,
      isPooled: false,
      answered: 0,
      received: 0,
      looks: 0,
      doubts: 0,
    };
    this.#line = line;
    connection.on("readyForQuery", () => {
      line.answered = line.socket().bytesWritten;
      lines.add(line);
    });
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY) whenReadOnly();
    });
    this.once("end", () => lines.delete(line));
    // Without a listener a connection that is lost while nothing is asked on it would end the process.
    this.on("error", () => {});
  }

  /**
   * Connects, and asks the server for its process id: a pooler such as PgBouncer reports an invented one
   * at connect, which can be that of another session.
   */
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = super.connect().then(() => this.#askPid());
    if (!callback) return connected;
    // A null error is how pg's callback reports success, though its type does not say so.
    connected.then(() => callback(null as unknown as Error), callback);
  }

  async #askPid(): Promise<pg.Client> {
    const { rows } = await this.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid ?? 0;
    const { processID } = this as unknown as { processID: number | null };
    Object.assign(this.#line, { pid, isPooled: pid !== processID });
    return this;
  }

  /** Reports the connection as lost: a pool in which it is idle removes it before it lends it again. */
  giveUp(reason: string): void {
    this.emit("error", new Error(reason));
  }
}

/**
 * Finds connections that wait for an answer, and drops those that the database is not working for: the
 * caller gets an error at once, and the next one a new connection. Returns how many were dropped, and the
 * process ids to terminate: the server does not know yet that the client is gone. A pooled connection is
 * not terminated, because the pooler may have lent its process to another client by then. Must be called
 * again and again; calls are counted instead of time, because a process that was held up itself has not
 * waited for the database.
 */
export async function dropUnansweredConnections(
  areAtWork: (pids: number[]) => Promise<number[]>,
): Promise<{ dropped: number; toTerminate: number[] }> {
  for (const line of lines) {
    const { bytesRead, bytesWritten } = line.socket();
    const isWaiting = bytesWritten !== line.answered && bytesRead === line.received;
    line.received = bytesRead;
    line.looks = isWaiting ? line.looks + 1 : 0;
    if (!isWaiting) line.doubts = 0;
  }
  const waiting = [...lines].filter(({ looks, pid }) => looks >= LOOKS_BEFORE_DOUBT && pid !== 0);
  if (waiting.length === 0) return { dropped: 0, toTerminate: [] };
  const atWork = new Set(await areAtWork(waiting.map(({ pid }) => pid)));
  const dropped: Line[] = [];
  for (const line of waiting) {
    line.doubts = atWork.has(line.pid) ? 0 : line.doubts + 1;
    if (line.doubts < DOUBTS) continue;
    line.socket().destroy();
    dropped.push(line);
  }
  const toTerminate = dropped.filter(({ isPooled }) => !isPooled).map(({ pid }) => pid);
  return { dropped: dropped.length, toTerminate };
}
