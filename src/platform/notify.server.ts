import { EventEmitter } from "node:events";
import pg from "pg";
import { pool } from "./database.server.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";

/** What one process tells all of them: never more than that something is new. */
export type Notice = "leaderboard" | "race-cards";

const CHANNEL = "furlong";
const RETRY_MS = 1_000;

const emitter = new EventEmitter().setMaxListeners(0);
let client: pg.Client | null = null;
let stopped = true;

/** Tells every process, this one too, that something is new. Not within a transaction that sells. */
export async function announce(notice: Notice): Promise<void> {
  await pool().query("select pg_notify($1, $2)", [CHANNEL, notice]);
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
  });
  let lost = false;
  const reconnect = () => {
    if (lost) return;
    lost = true;
    next.removeAllListeners("notification");
    if (!stopped) setTimeout(() => void connect(), RETRY_MS);
  };
  next.on("error", (error) => {
    log.warn({ error: error.message }, "listening connection lost");
    reconnect();
  });
  next.on("end", reconnect);
  next.on("notification", ({ payload }) => payload && emitter.emit(payload));
  try {
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    if (client) for (const notice of emitter.eventNames()) emitter.emit(notice);
    client = next;
  } catch {
    next.end().catch(() => {});
    reconnect();
  }
}
