import { sql } from "drizzle-orm";
import { fromDrizzle, type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import { raiseAlert } from "./alerts.server.ts";
import { ENDS_LEFT_TRANSACTIONS, pool, socketToDatabase, type Tx } from "./database.server.ts";
import { env, isTest } from "./env.server.ts";
import { logFailure } from "./log-failure.server.ts";
import { MonitoredClient } from "./monitored-client.server.ts";
import { redactError } from "./redact-error.server.ts";

/**
 * A background job: what is done with its data, how often it is tried, and when it runs by itself.
 * It may run twice for one request, so it has to come to the same end.
 */
export type Job<Data extends object = object> = {
  name: string;
  run(data: Data, attempt: { isLast: boolean }): Promise<void>;
  /** Further tries after the first has failed, at growing distances. */
  retries?: number;
  /** A cron expression in South African time, for what runs by itself. */
  schedule?: string;
  /** Seconds between runs, for what a minute is too coarse for. */
  everySeconds?: number;
};

const SCHEMA = "jobs";
const RETRIES = 8;

/** A backlog is worked off without a pause, and a job whose time has come (again) within two seconds. */
const WORK = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 4,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
} as const;

let boss: PgBoss | null = null;
let timers: NodeJS.Timeout[] = [];

function makeBoss(works: boolean): PgBoss {
  const options = {
    connectionString: env().databaseUrl ?? "",
    schema: SCHEMA,
    application_name: "furlong-jobs",
    max: works ? 4 : 2,
    supervise: works,
    schedule: works,
    migrate: false,
    createSchema: false,
    useListenNotify: works,
    // Both: by itself the queue looks only once a minute for workers that are gone.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    connectionTimeoutMillis: 2_000,
    // Handed on to the queue's own pool, though its types do not say so.
    options: ENDS_LEFT_TRANSACTIONS,
    stream: socketToDatabase,
    Client: MonitoredClient,
  };
  const made = new PgBoss(options);
  made.on("error", (error) => logFailure("warn", { error }, "job queue"));
  return made;
}

/** Makes the queue's own tables and one queue for each job; on every start, before anything runs. */
export async function installQueue(url: string, jobs: Job[]): Promise<void> {
  const installer = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    max: 2,
  });
  await installer.start();
  try {
    for (const job of jobs) {
      const options = {
        retryLimit: job.retries ?? RETRIES,
        retryDelay: 2,
        retryBackoff: true,
        retryDelayMax: 3600,
        // A worker that dies is noticed within ten seconds.
        heartbeatSeconds: 10,
        expireInSeconds: 300,
        notify: true,
      };
      if (await installer.getQueue(job.name)) await installer.updateQueue(job.name, options);
      else await installer.createQueue(job.name, options);
      if (job.schedule)
        await installer.schedule(job.name, job.schedule, {}, { tz: "Africa/Johannesburg" });
    }
  } finally {
    await installer.stop({ graceful: false });
  }
}

/** Connects this process to the queue; with jobs, it also works them. */
export async function startQueue(jobs: Job[] | null): Promise<void> {
  boss = makeBoss(jobs !== null);
  await boss.start();
  for (const job of jobs ?? []) {
    const handle = (batch: JobWithMetadata<object>[]) =>
      Promise.all(batch.map((each) => runOne(job, each)));
    await boss.work(job.name, WORK, handle);
    if (job.everySeconds) timers.push(repeat(job, job.everySeconds));
  }
}

/** One of a batch fails by itself, and is tried again by itself. */
async function runOne(job: Job, each: JobWithMetadata<object>): Promise<JobResult> {
  try {
    await job.run(each.data, { isLast: each.retryCount >= each.retryLimit });
    return { id: each.id, status: "completed" };
  } catch (error) {
    logFailure("warn", { job: job.name, error }, "job failed");
    return { id: each.id, status: "failed", output: { message: redactError(error) } };
  }
}

/** Runs a job in this process again and again, never twice at once; a failure waits for the next turn. */
function repeat(job: Job, seconds: number): NodeJS.Timeout {
  let running = false;
  return setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await job.run({}, { isLast: false });
    } catch (error) {
      logFailure("warn", { job: job.name, error }, "job failed");
    } finally {
      running = false;
    }
  }, seconds * 1000);
}

/** Leaves the queue; what is running is finished first. */
export async function stopQueue(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  timers = [];
  const stopping = boss;
  boss = null;
  await stopping?.stop({ graceful: true, timeout: 5_000 });
}

/**
 * Puts a job into the queue within the caller's transaction: it runs if and only if that commits,
 * not before `startAfter`.
 */
export async function enqueue<Data extends object>(
  tx: Tx,
  { name }: Job<Data>,
  data: NoInfer<Data>,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  boss ??= await connectForSending();
  await boss.send(name, data, {
    db: fromDrizzle(tx, sql),
    ...(startAfter ? { startAfter } : {}),
  });
}

/** What became of the jobs of one name that gave up: how many, and how the last of them failed. */
export type FailedJobs = { name: string; jobs: number; lastFailedAt: Date; lastError: string };

/** The jobs that failed as often as they may, by name; a mail that gave up is told by itself. */
export async function listFailedJobs(): Promise<FailedJobs[]> {
  const { rows } = await pool().query<FailedJobs>(
    `select name, count(*) as jobs, max(completed_on) as "lastFailedAt",
       coalesce((array_agg(output order by completed_on desc))[1] ->> 'message', 'unknown')
         as "lastError"
     from ${SCHEMA}.job where state = 'failed' and name <> 'send-mail'
     group by name order by max(completed_on) desc`,
  );
  return rows;
}

/** The kind of the alert about jobs that gave up; its subject is their name. */
export const FAILED_JOBS_ALERT = "job-failed";

/**
 * Keeps jobs that gave up until the operator has retried or dismissed them, and raises an alert for each
 * name: what such a job was to do (return coins, send a receipt) is still owed. The queue deletes them after
 * seven days otherwise. A job that runs by itself is owed nothing, for its next run takes over: of it
 * there is only the alert.
 */
export function keepFailedJobs(jobs: readonly Job[]): Job {
  const owed = jobs.filter((job) => !job.schedule && !job.everySeconds).map((job) => job.name);
  return {
    name: "keep-failed-jobs",
    everySeconds: 20,
    async run() {
      await pool().query(
        `update ${SCHEMA}.job set deletion_seconds = 0
         where state = 'failed' and deletion_seconds > 0 and name = any($1)`,
        [owed],
      );
      for (const { name, jobs, lastFailedAt, lastError } of await listFailedJobs()) {
        const { rows } = await pool().query(
          "select from alerts where kind = $1 and subject = $2 and created_at >= $3",
          [FAILED_JOBS_ALERT, name, lastFailedAt],
        );
        if (rows.length > 0) continue;
        const count = jobs === 1 ? "1 job" : `${jobs} jobs`;
        const then = owed.includes(name)
          ? "Kept until retried or dismissed under Attention."
          : "It runs again at its next time.";
        await raiseAlert({
          kind: FAILED_JOBS_ALERT,
          subject: name,
          message: `${count} "${name}" failed at the last attempt: ${lastError.split("\n")[0]}. ${then}`,
        });
      }
    },
  };
}

/** Lets the jobs of a name that gave up be tried once more, within the caller's transaction. Answers how many. */
export async function retryFailedJobs(tx: Tx, name: string): Promise<number> {
  const ids = await failedIds(tx, name);
  boss ??= await connectForSending();
  if (ids.length > 0) {
    await boss.retry(name, ids, { db: fromDrizzle(tx, sql) });
    // Once completed they are deleted like any other.
    await tx.execute(sql`
      update ${sql.raw(SCHEMA)}.job j set deletion_seconds = q.deletion_seconds
      from ${sql.raw(SCHEMA)}.queue q where q.name = j.name and j.name = ${name}
        and j.id in ${ids}`);
  }
  return ids.length;
}

/** Lets go of the jobs of a name that gave up, within the caller's transaction. Answers how many. */
export async function dropFailedJobs(tx: Tx, name: string): Promise<number> {
  const ids = await failedIds(tx, name);
  boss ??= await connectForSending();
  if (ids.length > 0) await boss.deleteJob(name, ids, { db: fromDrizzle(tx, sql) });
  return ids.length;
}

async function failedIds(tx: Tx, name: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from ${sql.raw(SCHEMA)}.job where name = ${name} and state = 'failed'
      order by id limit 1000 for update`,
  );
  return rows.map((row) => row.id);
}

/** A process that only sends (the seed, a test) joins the queue at its first job. */
async function connectForSending(): Promise<PgBoss> {
  const sender = makeBoss(false);
  await sender.start();
  return sender;
}

/** Works off everything that is waiting, in this process, and tells how many jobs ran; for tests and the demo. */
export async function drainQueue(jobs: Job[]): Promise<number> {
  if (!isTest && env().mode !== "demo") throw new Error("only tests and the demo drain the queue");
  boss ??= await connectForSending();
  let count = 0;
  for (let found = true; found; ) {
    found = false;
    for (const job of jobs) {
      const batch = await boss.fetch<object>(job.name, {
        batchSize: 100,
        includeMetadata: true,
        ignoreStartAfter: true,
      });
      for (const each of batch) {
        found = true;
        count += 1;
        await job.run(each.data, { isLast: each.retryCount >= each.retryLimit });
        await boss.complete(job.name, each.id);
      }
    }
  }
  return count;
}
