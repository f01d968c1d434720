import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import pg from "pg";
import { observeDatabaseClock } from "./clock-skew.server.ts";
import { databaseSocket, dropAllConnections, errorCode, pool } from "./database.server.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { dropUnresponsiveConnections } from "./monitored-client.server.ts";
import { logOutage } from "./outage-log.server.ts";

/** A topic of the updates that are published to every process. An update contains no data. */
export type UpdateTopic = "race-cards" | "standings";

const CHANNEL = "furlong";
const RETRY_MS = 1_000;
const HEARTBEAT_MS = 1_000;
/** Missed heartbeats after which the database counts as unresponsive. */
const MAX_MISSED_HEARTBEATS = 2;

/** Identifies the updates of this process, which are emitted locally before PostgreSQL delivers them. */
const PROCESS_ID = randomUUID();

const emitter = new EventEmitter().setMaxListeners(0);
let client: pg.Client | null = null;
let isStopped = true;

/**
 * Notifies every process that the data of a topic has changed. Local listeners are called immediately, so that users see
 * their own writes. Must not be called inside a transaction.
 */
export async function publishUpdate(topic: UpdateTopic): Promise<void> {
  emitter.emit(topic);
  await pool().query("select pg_notify($1, $2)", [CHANNEL, `${topic} ${PROCESS_ID}`]);
}

/**
 * Calls the listener for each update of a topic and after a reconnect. Returns a function that unsubscribes.
 */
export function onUpdate(topic: UpdateTopic, listener: () => void): () => void {
  emitter.on(topic, listener);
  return () => emitter.off(topic, listener);
}

/** Listens for updates until `stopListening`, and reconnects after a lost connection. */
export async function startListening(): Promise<void> {
  isStopped = false;
  await connect();
}

export async function stopListening(): Promise<void> {
  isStopped = true;
  const listeningClient = client;
  client = null;
  await listeningClient?.end().catch(() => {});
}

async function connect(): Promise<void> {
  if (isStopped) return;
  const newClient = new pg.Client({
    connectionString: env().databaseUrl ?? "",
    application_name: "furlong-listen",
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    stream: databaseSocket,
  });
  let isLost = false;
  let heartbeat: NodeJS.Timeout | undefined;
  const reconnect = () => {
    if (isLost) return;
    isLost = true;
    clearInterval(heartbeat);
    newClient.removeAllListeners("notification");
    if (!isStopped) setTimeout(() => void connect(), RETRY_MS);
  };
  newClient.on("error", (error) => {
    logOutage("listening connection lost", errorCode(error) ?? error.message);
    reconnect();
  });
  newClient.on("end", reconnect);
  newClient.on("notification", ({ payload = "" }) => {
    const [topic = "", sender] = payload.split(" ");
    if (sender !== PROCESS_ID) emitter.emit(topic);
  });
  try {
    await newClient.connect();
    await newClient.query(`listen ${CHANNEL}`);
    if (client) for (const topic of emitter.eventNames()) emitter.emit(topic);
    client = newClient;
    heartbeat = startHeartbeat(newClient);
  } catch {
    newClient.end().catch(() => {});
    reconnect();
  }
}

/**
 * Selects the connections with a running statement, except those that are only sending a response.
 */
const ACTIVE_SESSIONS_QUERY = `select pid from pg_stat_activity where pid = any($1::int[])
  and coalesce(state, '') not like 'idle%' and wait_event is distinct from 'ClientWrite'`;

/** Ends sessions of dropped connections, whose locks the server would otherwise hold. */
const TERMINATE_SESSIONS_QUERY = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and application_name like 'furlong%'`;

/**
 * Checks every second that the database responds. When it does not, every connection is closed,
 * because the network reports no error and callers would wait forever; a single unresponsive
 * connection is closed alone. Heartbeats are counted instead of elapsed time, because time also
 * passes while this process is suspended.
 */
function startHeartbeat(listeningClient: pg.Client): NodeJS.Timeout {
  let missedHeartbeats = 0;
  return setInterval(() => {
    if (missedHeartbeats > MAX_MISSED_HEARTBEATS) {
      log.warn("database not responding: closing all connections");
      dropAllConnections();
    } else if (missedHeartbeats > 0) missedHeartbeats += 1;
    else {
      missedHeartbeats = 1;
      checkConnections(listeningClient).then(
        () => {
          missedHeartbeats = 0;
        },
        () => {}, // a lost connection is reopened anyway
      );
    }
  }, HEARTBEAT_MS);
}

async function checkConnections(listeningClient: pg.Client): Promise<void> {
  await observeDatabaseClock((text) => listeningClient.query(text));
  const { dropped, toTerminate } = await dropUnresponsiveConnections(async (pids) => {
    const { rows } = await listeningClient.query<{ pid: number }>(ACTIVE_SESSIONS_QUERY, [pids]);
    return rows.map(({ pid }) => pid);
  });
  if (dropped === 0) return;
  log.warn({ connections: dropped }, "closed unresponsive database connections");
  if (toTerminate.length > 0) await listeningClient.query(TERMINATE_SESSIONS_QUERY, [toTerminate]);
}
