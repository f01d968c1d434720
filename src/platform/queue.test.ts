import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pool, transaction } from "./database.server.ts";
import { env } from "./env.server.ts";
import {
  createRetainFailedJobsJob,
  dismissFailedJobs,
  enqueue,
  installQueue,
  type Job,
  listFailedJobs,
  retryFailedJobs,
  startQueue,
  stopQueue,
} from "./queue.server.ts";

const completed: number[] = [];
const attemptsByNumber = new Map<number, number>();

const count: Job<{ number: number; failsAtFirst?: boolean }> = {
  name: "count",
  async run({ number, failsAtFirst }) {
    const attempts = (attemptsByNumber.get(number) ?? 0) + 1;
    attemptsByNumber.set(number, attempts);
    if (failsAtFirst && attempts === 1) throw new Error("the first attempt fails");
    completed.push(number);
  },
};

const failing: Job = {
  name: "failing",
  retries: 0,
  run: () => Promise.reject(new Error("the bank is unavailable")),
};
const failingDaily: Job = { ...failing, name: "failingDaily", schedule: "0 4 * * *" };

beforeAll(() => installQueue(env().databaseUrl ?? "", [count, failing, failingDaily]));
afterAll(stopQueue);

it("runs a backlog immediately and retries only the job that failed", async () => {
  await transaction(async (tx) => {
    for (let number = 0; number < 60; number += 1)
      await enqueue(tx, count, { number, failsAtFirst: number === 7 });
  });
  await stopQueue();
  await startQueue([count]);
  await expect.poll(() => completed.length).toBe(60);
  expect(new Set(completed).size).toBe(60);
  expect([...attemptsByNumber].filter(([, attempts]) => attempts > 1)).toEqual([[7, 2]]);
});

it("counts a run as failed after five minutes, or after the time of its job", async () => {
  const slow: Job = { ...count, name: "slow", expireInSeconds: 7200 };
  await installQueue(env().databaseUrl ?? "", [count, slow]);
  const { rows } = await pool().query(
    "select name, expire_seconds as seconds from jobs.queue where name in ('count', 'slow') order by name",
  );
  expect(rows).toEqual([
    { name: "count", seconds: 300 },
    { name: "slow", seconds: 7200 },
  ]);
});

it("does not run a job whose transaction is rolled back", async () => {
  const before = completed.length;
  await transaction(async (tx) => {
    await enqueue(tx, count, { number: 1000 });
    throw new Error("roll back");
  }).catch(() => {});
  await transaction((tx) => enqueue(tx, count, { number: 1001 }));
  await expect.poll(() => completed.length).toBe(before + 1);
  expect(completed.at(-1)).toBe(1001);
});

describe("a job that failed its last attempt", () => {
  const WEEK_SECONDS = 7 * 24 * 60 * 60;
  const retain = () =>
    createRetainFailedJobsJob([count, failing, failingDaily]).run({}, { isLast: false });
  const readJobs = async (name: string) =>
    (
      await pool().query<{ state: string; deletion_seconds: number }>(
        "select state, deletion_seconds from jobs.job where name = $1 order by created_on",
        [name],
      )
    ).rows;
  const readAlerts = async (subject: string) =>
    (
      await pool().query<{ message: string; resolved_at: Date | null }>(
        "select message, resolved_at from alerts where kind = 'job-failed' and subject = $1",
        [subject],
      )
    ).rows;

  async function fail(...jobs: Job[]): Promise<void> {
    await stopQueue();
    await transaction(async (tx) => {
      for (const job of jobs) await enqueue(tx, job, { raceCardId: "a-void-race-card" });
      await enqueue(tx, count, { number: 2000 });
    });
    await startQueue([count, failing, failingDaily]);
    const names = jobs.map((job) => job.name);
    await expect
      .poll(async () => (await listFailedJobs()).map((job) => job.name).sort())
      .toEqual([...new Set(names)].sort());
    await expect.poll(() => completed.includes(2000)).toBe(true);
  }

  it("is retained with an alert until it is retried, then deleted after a week", async () => {
    await fail(failing, failing, failingDaily);
    expect(await readAlerts("failing")).toEqual([]);
    await retain();
    expect(await readJobs("failing")).toEqual([
      { state: "failed", deletion_seconds: 0 },
      { state: "failed", deletion_seconds: 0 },
    ]);
    expect(await readAlerts("failing")).toMatchObject([
      {
        message: expect.stringMatching(
          /^2 jobs "failing" failed .*the bank is unavailable.*Kept until/,
        ),
      },
    ]);
    // Failed scheduled jobs are not retained. Successful jobs are neither retained nor reported.
    expect(await readJobs("failingDaily")).toEqual([
      { state: "failed", deletion_seconds: WEEK_SECONDS },
    ]);
    expect(await readAlerts("failingDaily")).toHaveLength(1);
    expect((await readJobs("count")).every((job) => job.deletion_seconds === WEEK_SECONDS)).toBe(
      true,
    );
    expect(await readAlerts("count")).toEqual([]);

    expect(await transaction((tx) => retryFailedJobs(tx, "failing"))).toBe(2);
    expect((await readJobs("failing")).map((job) => job.deletion_seconds)).toEqual([
      WEEK_SECONDS,
      WEEK_SECONDS,
    ]);
    const { lastFailure } = (await listFailedJobs()).find((job) => job.name === "failingDaily")!;
    expect(await transaction((tx) => dismissFailedJobs(tx, "failingDaily", lastFailure))).toBe(1);
    await stopQueue();
    await pool().query("delete from jobs.job where name = 'failing'");
  });

  it("raises one alert, and reopens it when another job fails after it was resolved", async () => {
    await fail(failing);
    await Promise.all([retain(), retain()]);
    await pool().query("update alerts set resolved_at = now() where subject = 'failing'");
    await retain();
    expect(await readAlerts("failing")).toMatchObject([{ resolved_at: expect.any(Date) }]);
    await fail(failing);
    await pool().query("update jobs.job set completed_on = now() where name = 'failing'");
    await retain();
    expect(await readAlerts("failing")).toMatchObject([{ resolved_at: null }]);
  });
});
