import { sql } from "drizzle-orm";
import { fromDrizzle, type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import { raiseAlert } from "./alerts.server.ts";
import { now } from "./clock.server.ts";
import {
  databaseLimits,
  databaseSocket,
  idleTransactionOption,
  pool,
  type Tx,
} from "./database.server.ts";
import { env, isTest } from "./env.server.ts";
import { logFailure } from "./log-failure.server.ts";
import { MonitoredClient } from "./monitored-client.server.ts";
import { redactError } from "./redact-error.server.ts";

/**
 * A background job: its handler, number of retries and schedule. A job can run more than once for
 * one request, so the handler must be idempotent.
 */
export type Job<Data extends object = object> = {
  name: string;
  run(data: Data, attempt: { isLast: boolean }): Promise<void>;
  /** Retries after the first attempt, with exponential back-off. */
  retries?: number;
  /** Seconds after which a run counts as failed and is retried beside it, five minutes if left out. */
  expireInSeconds?: number;
  /** A cron expression in South African time. */
  schedule?: string;
  /** Seconds between runs, for intervals below a minute. */
  everySeconds?: number;
};

/** A job, or only its name where its handler is in a folder that cannot be imported. */
export type JobReference<Data extends object> = Pick<Job<Data>, "name"> & Partial<Job<Data>>;

const SCHEMA = "jobs";
/** Jobs have priority 0 unless they are enqueued in bulk. */
const BULK_PRIORITY = -1;
const RETRIES = 8;
const EXPIRE_IN_SECONDS = 300;

/** Processes a backlog without pauses; starts a due job or retry within two seconds. */
const WORK_OPTIONS = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 4,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
} as const;

let boss: PgBoss | null = null;
let timers: NodeJS.Timeout[] = [];

function createBoss(processesJobs: boolean): PgBoss {
  const options = {
    connectionString: env().databaseUrl ?? "",
    schema: SCHEMA,
    application_name: "furlong-jobs",
    max: processesJobs ? 4 : 2,
    supervise: processesJobs,
    schedule: processesJobs,
    migrate: false,
    createSchema: false,
    useListenNotify: processesJobs,
    // Both options are needed: by default the queue checks for dead workers only once a minute.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    connectionTimeoutMillis: databaseLimits.connectMs,
    // Passed on to the queue's own pool, although its types do not declare it.
    options: idleTransactionOption(),
    stream: databaseSocket,
    Client: MonitoredClient,
  };
  const newBoss = new PgBoss(options);
  newBoss.on("error", (error) => logFailure("warn", { error }, "job queue"));
  return newBoss;
}

/** Creates the queue's tables and one queue per job. Must run on every start, before any job. */
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
        // A dead worker is detected within ten seconds.
        heartbeatSeconds: 10,
        expireInSeconds: job.expireInSeconds ?? EXPIRE_IN_SECONDS,
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

/** Connects this process to the queue, and processes the given jobs unless they are null. */
export async function startQueue(jobs: Job[] | null): Promise<void> {
  boss = createBoss(jobs !== null);
  await boss.start();
  for (const job of jobs ?? []) {
    const handle = (batch: JobWithMetadata<object>[]) =>
      Promise.all(batch.map((queuedJob) => runJob(job, queuedJob)));
    await boss.work(job.name, WORK_OPTIONS, handle);
    if (job.everySeconds) timers.push(runAtInterval(job, job.everySeconds));
  }
}

/** Runs one job of a batch. Its failure does not affect the others. */
async function runJob(job: Job, queuedJob: JobWithMetadata<object>): Promise<JobResult> {
  try {
    await job.run(queuedJob.data, {
      isLast: queuedJob.retryCount >= queuedJob.retryLimit,
    });
    return { id: queuedJob.id, status: "completed" };
  } catch (error) {
    logFailure("warn", { job: job.name, error }, "job failed");
    return { id: queuedJob.id, status: "failed", output: { message: redactError(error) } };
  }
}

/**
 * Runs a job in this process at an interval, never concurrently. A failed run is retried at the next interval.
 */
function runAtInterval(job: Job, seconds: number): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await job.run({}, { isLast: false });
    } catch (error) {
      logFailure("warn", { job: job.name, error }, "job failed");
    } finally {
      isRunning = false;
    }
  }, seconds * 1000);
}

/** Disconnects from the queue after running jobs have finished. */
export async function stopQueue(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  timers = [];
  const stoppedBoss = boss;
  boss = null;
  await stoppedBoss?.stop({ graceful: true, timeout: 5_000 });
}

/**
 * Enqueues a job within the caller's transaction: it runs only if the transaction commits, and not
 * before `startAfter`.
 */
export async function enqueue<Data extends object>(
  tx: Tx,
  { name }: JobReference<Data>,
  data: NoInfer<Data>,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  boss ??= await connectSender();
  await boss.send(name, data, {
    db: fromDrizzle(tx, sql),
    ...(startAfter ? { startAfter: toMachineTime(startAfter) } : {}),
  });
}

/**
 * Returns whether a job with exactly this data is waiting, running, done or failed. The queue deletes jobs seven days
 * after they are done. The caller must hold a lock that keeps others from enqueuing it meanwhile.
 */
export async function isEnqueued<Data extends object>(
  tx: Tx,
  { name }: JobReference<Data>,
  data: NoInfer<Data>,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${sql.raw(SCHEMA)}.job
    where name = ${name} and data = ${JSON.stringify(data)}::jsonb limit 1`);
  return rows.length > 0;
}

/** Converts an instant of the application's clock, which the demo can set, to the queue's. */
function toMachineTime(at: Date): Date {
  return new Date(Date.now() + at.getTime() - now().getTime());
}

/** Converts an instant of the queue's clock to the application's. */
function toApplicationTime(at: Date): Date {
  return new Date(now().getTime() + at.getTime() - Date.now());
}

/**
 * Enqueues a job many times within the caller's transaction, with one statement. These jobs have a lower priority
 * than other jobs of the same name.
 */
export async function enqueueBulk<Data extends object>(
  tx: Tx,
  { name }: Job<Data>,
  rows: readonly NoInfer<Data>[],
): Promise<void> {
  boss ??= await connectSender();
  await boss.insert(
    name,
    rows.map((data) => ({ data, priority: BULK_PRIORITY })),
    { db: fromDrizzle(tx, sql) },
  );
}

/** The failed jobs of one name: their number and the last failure. */
export type FailedJobs = {
  name: string;
  jobs: number;
  lastFailedAt: Date;
  /** The last failure in microseconds of the queue's own clock, which a `Date` would round. */
  lastFailure: number;
  lastError: string;
};

const COMPLETED_MICROSECONDS = "(extract(epoch from completed_on) * 1000000)::bigint";

/** Returns the jobs without retries left, by name, except emails, which are reported separately. */
export async function listFailedJobs(): Promise<FailedJobs[]> {
  const { rows } = await pool().query<FailedJobs>(
    `select name, count(*) as jobs, max(completed_on) as "lastFailedAt", max(${COMPLETED_MICROSECONDS}) as "lastFailure",
       coalesce((array_agg(output order by completed_on desc))[1] ->> 'message', 'unknown')
         as "lastError"
     from ${SCHEMA}.job where state = 'failed' and name <> 'send-email'
     group by name order by max(completed_on) desc`,
  );
  return rows.map((row) => ({ ...row, lastFailedAt: toApplicationTime(row.lastFailedAt) }));
}

/** The kind of the alert about jobs without retries left; its subject is the job's name. */
export const FAILED_JOBS_ALERT = "job-failed";

/**
 * Returns the job that retains failed jobs until an admin retries or dismisses them, and raises
 * an alert for each name. Their work (a coin refund, a receipt) is still due, but the queue would
 * delete them after seven days. A scheduled job only gets the alert, because its next run does the
 * work.
 */
export function createRetainFailedJobsJob(jobs: readonly Job[]): Job {
  const retained = jobs.filter((job) => !job.schedule && !job.everySeconds).map((job) => job.name);
  return {
    name: "retain-failed-jobs",
    everySeconds: 20,
    async run() {
      await pool().query(
        `update ${SCHEMA}.job set deletion_seconds = 0
         where state = 'failed' and deletion_seconds > 0 and name = any($1)`,
        [retained],
      );
      for (const { name, jobs, lastFailedAt, lastError } of await listFailedJobs()) {
        const { rows } = await pool().query(
          "select from alerts where kind = $1 and subject = $2 and created_at >= $3",
          [FAILED_JOBS_ALERT, name, lastFailedAt],
        );
        if (rows.length > 0) continue;
        const count = jobs === 1 ? "1 job" : `${jobs} jobs`;
        const nextStep = retained.includes(name)
          ? "Kept until retried or dismissed under Attention."
          : "It runs again at its next time.";
        await raiseAlert({
          kind: FAILED_JOBS_ALERT,
          subject: name,
          message: `${count} "${name}" failed at the last attempt: ${lastError.split("\n")[0]}. ${nextStep}`,
        });
      }
    },
  };
}

/** Retries the failed jobs of a name, within the caller's transaction. Returns their number. */
export async function retryFailedJobs(tx: Tx, name: string): Promise<number> {
  const ids = await lockFailedJobIds(tx, name);
  boss ??= await connectSender();
  if (ids.length > 0) {
    await boss.retry(name, ids, { db: fromDrizzle(tx, sql) });
    // Once completed, they are deleted like any other job.
    await tx.execute(sql`
      update ${sql.raw(SCHEMA)}.job j set deletion_seconds = q.deletion_seconds
      from ${sql.raw(SCHEMA)}.queue q where q.name = j.name and j.name = ${name}
        and j.id in ${ids}`);
  }
  return ids.length;
}

/**
 * Dismisses the jobs of a name that had failed by `lastFailure` of `FailedJobs`, within the caller's transaction.
 * Returns their number.
 */
export async function dismissFailedJobs(
  tx: Tx,
  name: string,
  lastFailure: number,
): Promise<number> {
  const ids = await lockFailedJobIds(tx, name, lastFailure);
  boss ??= await connectSender();
  if (ids.length > 0) await boss.deleteJob(name, ids, { db: fromDrizzle(tx, sql) });
  return ids.length;
}

async function lockFailedJobIds(
  tx: Tx,
  name: string,
  lastFailure: number = Number.MAX_SAFE_INTEGER,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from ${sql.raw(SCHEMA)}.job where name = ${name} and state = 'failed'
        and ${sql.raw(COMPLETED_MICROSECONDS)} <= ${lastFailure}
      order by id limit 1000 for update`,
  );
  return rows.map((row) => row.id);
}

/** Connects a process that only enqueues (the seed, a test) when it enqueues its first job. */
async function connectSender(): Promise<PgBoss> {
  const sender = createBoss(false);
  await sender.start();
  return sender;
}

/**
 * Runs all waiting jobs in this process and returns their number. For tests and the demo.
 * @internal
 */
export async function drainQueue(jobs: Job[]): Promise<number> {
  if (!isTest && env().mode !== "demo") throw new Error("Only tests and the demo drain the queue.");
  boss ??= await connectSender();
  let count = 0;
  for (let isJobFound = true; isJobFound; ) {
    isJobFound = false;
    for (const job of jobs) {
      const batch = await boss.fetch<object>(job.name, {
        batchSize: 100,
        includeMetadata: true,
        ignoreStartAfter: true,
      });
      for (const queuedJob of batch) {
        isJobFound = true;
        count += 1;
        await job.run(queuedJob.data, {
          isLast: queuedJob.retryCount >= queuedJob.retryLimit,
        });
        await boss.complete(job.name, queuedJob.id);
      }
    }
  }
  return count;
}
