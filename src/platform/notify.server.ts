import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import pg from "pg";
import { observeDatabaseClock } from "./clock-skew.server.ts";
import { dropAllConnections, errorCode, pool, socketToDatabase } from "./database.server.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { dropUnansweredConnections } from "./monitored-client.server.ts";
import { logOutage } from "./outage-log.server.ts";

/** What one process tells all of them: never more than that something is new. */
export type Notice = "leaderboard" | "race-cards";

const CHANNEL = "furlong";
const RETRY_MS = 1_000;
const BEAT_MS = 1_000;
/** So many beats without an answer, and the database counts as silent. */
const SILENT_BEATS = 2;

/** Marks the notices of this process, which has heard them already when they come back. */
const OWN_MARK = randomUUID();

const emitter = new EventEmitter().setMaxListeners(0);
let client: pg.Client | null = null;
let stopped = true;

/**
 * Tells every process once that something is new, this one at once: a person who has just written reads
 * what they wrote. Must not be called inside a transaction.
 */
export async function announce(notice: Notice): Promise<void> {
  emitter.emit(notice);
  await pool().query("select pg_notify($1, $2)", [CHANNEL, `${notice} ${OWN_MARK}`]);
}

/** Calls back on each such notice, and after a lost connection, when one may have been missed. */
export function onNotice(notice: Notice, listener: () => void): () => void {
  emitter.on(notice, listener);
  return () => emitter.off(notice, listener);
}

/** Listens until told to stop; a lost connection is made anew. */
export async function startListening(): Promise<void> {
  stopped = false;
  await connect();
}

export async function stopListening(): Promise<void> {
  stopped = true;
  const closing = client;
  client = null;
  await closing?.end().catch(() => {});
}

async function connect(): Promise<void> {
  if (stopped) return;
  const next = new pg.Client({
    connectionString: env().databaseUrl ?? "",
    application_name: "furlong-listen",
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    stream: socketToDatabase,
  });
  let lost = false;
  let beating: NodeJS.Timeout | undefined;
  const reconnect = () => {
    if (lost) return;
    lost = true;
    clearInterval(beating);
    next.removeAllListeners("notification");
    if (!stopped) setTimeout(() => void connect(), RETRY_MS);
  };
  next.on("error", (error) => {
    logOutage("listening connection lost", errorCode(error) ?? error.message);
    reconnect();
  });
  next.on("end", reconnect);
  next.on("notification", ({ payload = "" }) => {
    const [notice = "", mark] = payload.split(" ");
    if (mark !== OWN_MARK) emitter.emit(notice);
  });
  try {
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    if (client) for (const notice of emitter.eventNames()) emitter.emit(notice);
    client = next;
    beating = watch(next);
  } catch {
    next.end().catch(() => {});
    reconnect();
  }
}

/** Which of some connections the server has work for: not those whose answer is out, or stuck. */
const AT_WORK = `select pid from pg_stat_activity where pid = any($1::int[])
  and coalesce(state, '') not like 'idle%' and wait_event is distinct from 'ClientWrite'`;

/** The server does not hear that somebody is gone, and would keep what they had locked. */
const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and application_name like 'furlong%'`;

/**
 * Asks every second whether the database still answers. One that stays silent leaves whoever asked it
 * anything waiting, for the network tells of no fault: so every connection is broken off; where it is
 * one connection that is silent, that one. Beats are counted, not time, for a process that was held up
 * itself has not waited for anybody.
 */
function watch(listening: pg.Client): NodeJS.Timeout {
  let silentBeats = 0;
  return setInterval(() => {
    if (silentBeats > SILENT_BEATS) {
      log.warn("database not responding: closing all connections");
      dropAllConnections();
    } else if (silentBeats > 0) silentBeats += 1;
    else {
      silentBeats = 1;
      beat(listening).then(
        () => {
          silentBeats = 0;
        },
        () => {}, // a connection that is lost is made anew anyway
      );
    }
  }, BEAT_MS);
}

async function beat(listening: pg.Client): Promise<void> {
  await observeDatabaseClock((text) => listening.query(text));
  const { dropped, toTerminate } = await dropUnansweredConnections(async (pids) => {
    const { rows } = await listening.query<{ pid: number }>(AT_WORK, [pids]);
    return rows.map(({ pid }) => pid);
  });
  if (dropped === 0) return;
  log.warn({ connections: dropped }, "closed unresponsive database connections");
  if (toTerminate.length > 0) await listening.query(END_SESSIONS, [toTerminate]);
}
