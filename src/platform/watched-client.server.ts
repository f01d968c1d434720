import type { Socket } from "node:net";
import pg from "pg";

/** After so many looks without a sign, the database is asked whether it is still at work on the question. */
const LOOKS_BEFORE_DOUBT = 2;
/** So often in a row it has to say that it is not: the answer may have been on its way. */
const DOUBTS = 2;

type Line = {
  socket: () => Socket;
  /** The number by which the server knows this connection. */
  pid: number;
  /** What had been sent when everything was answered, and received when last looked at. */
  answered: number;
  received: number;
  looks: number;
  doubts: number;
};

const lines = new Set<Line>();

/**
 * A connection that `breakOffUnanswered` keeps an eye on: an answer that never comes would be waited for
 * without end, since the time that a statement may take is kept by the server, who has long answered.
 */
export class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const line: Line = {
      socket: () => connection.stream as Socket,
      pid: 0,
      answered: 0,
      received: 0,
      looks: 0,
      doubts: 0,
    };
    connection.on("backendKeyData", ({ processID }: { processID: number }) => {
      line.pid = processID;
    });
    connection.on("readyForQuery", () => {
      line.answered = line.socket().bytesWritten;
      lines.add(line);
    });
    this.once("end", () => lines.delete(line));
  }
}

/**
 * Looks whether anything is unanswered, and breaks off what the database is not at work on: whoever
 * waits there is told at once, and the next one connects anew. Answers the server's numbers of those
 * connections. To be called again and again; looks are counted, not time, for a process that was held up
 * itself has not waited for anybody.
 */
export async function breakOffUnanswered(
  areAtWork: (pids: number[]) => Promise<number[]>,
): Promise<number[]> {
  for (const line of lines) {
    const { bytesRead, bytesWritten } = line.socket();
    const isWaiting = bytesWritten !== line.answered && bytesRead === line.received;
    line.received = bytesRead;
    line.looks = isWaiting ? line.looks + 1 : 0;
    if (!isWaiting) line.doubts = 0;
  }
  const waiting = [...lines].filter(({ looks }) => looks >= LOOKS_BEFORE_DOUBT);
  if (waiting.length === 0) return [];
  const atWork = new Set(await areAtWork(waiting.map(({ pid }) => pid)));
  const brokenOff: number[] = [];
  for (const line of waiting) {
    line.doubts = atWork.has(line.pid) ? 0 : line.doubts + 1;
    if (line.doubts < DOUBTS) continue;
    line.socket().destroy();
    brokenOff.push(line.pid);
  }
  return brokenOff;
}
