import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pool, transaction } from "./database.server.ts";
import { env } from "./env.server.ts";
import {
  dropFailedJobs,
  enqueue,
  installQueue,
  type Job,
  listFailedJobs,
  retainFailedJobs,
  retryFailedJobs,
  startQueue,
  stopQueue,
} from "./queue.server.ts";

const done: number[] = [];
const tried = new Map<number, number>();

const count: Job<{ number: number; fails?: boolean }> = {
  name: "count",
  async run({ number, fails }) {
    const tries = (tried.get(number) ?? 0) + 1;
    tried.set(number, tries);
    if (fails && tries === 1) throw new Error("the first try fails");
    done.push(number);
  },
};

const owe: Job = {
  name: "owe",
  retries: 0,
  run: () => Promise.reject(new Error("the bank is shut")),
};
const daily: Job = { ...owe, name: "daily", schedule: "0 4 * * *" };

beforeAll(() => installQueue(env().databaseUrl ?? "", [count, owe, daily]));
afterAll(stopQueue);

it("runs a backlog immediately and retries only the job that failed", async () => {
  await transaction(async (tx) => {
    for (let number = 0; number < 60; number += 1)
      await enqueue(tx, count, { number, fails: number === 7 });
  });
  await stopQueue();
  await startQueue([count]);
  await expect.poll(() => done.length, { timeout: 10_000 }).toBe(60);
  expect(new Set(done).size).toBe(60);
  expect([...tried].filter(([, tries]) => tries > 1)).toEqual([[7, 2]]);
}, 15_000);

it("does not run a job whose transaction is rolled back", async () => {
  const before = done.length;
  await transaction(async (tx) => {
    await enqueue(tx, count, { number: 1000 });
    throw new Error("not after all");
  }).catch(() => {});
  await transaction((tx) => enqueue(tx, count, { number: 1001 }));
  await expect.poll(() => done.length, { timeout: 5_000 }).toBe(before + 1);
  expect(done.at(-1)).toBe(1001);
});

describe("a job that failed its last attempt", () => {
  const week = 7 * 24 * 60 * 60;
  const keep = () => retainFailedJobs([count, owe, daily]).run({}, { isLast: false });
  const jobsOf = async (name: string) =>
    (
      await pool().query<{ state: string; deletion_seconds: number }>(
        "select state, deletion_seconds from jobs.job where name = $1 order by created_on",
        [name],
      )
    ).rows;
  const alertsAbout = async (subject: string) =>
    (
      await pool().query<{ message: string; resolved_at: Date | null }>(
        "select message, resolved_at from alerts where kind = 'job-failed' and subject = $1",
        [subject],
      )
    ).rows;

  async function fail(...jobs: Job[]): Promise<void> {
    await stopQueue();
    await transaction(async (tx) => {
      for (const job of jobs) await enqueue(tx, job, { raceCardId: "a-void-card" });
      await enqueue(tx, count, { number: 2000 });
    });
    await startQueue([count, owe, daily]);
    const names = jobs.map((job) => job.name);
    await expect
      .poll(async () => (await listFailedJobs()).map((each) => each.name).sort(), {
        timeout: 20_000,
      })
      .toEqual([...new Set(names)].sort());
    await expect.poll(() => done.includes(2000), { timeout: 20_000 }).toBe(true);
  }

  it("is kept with an alert until it is retried, then deleted after a week", async () => {
    await fail(owe, owe, daily);
    expect(await alertsAbout("owe")).toEqual([]);
    await keep();
    expect(await jobsOf("owe")).toEqual([
      { state: "failed", deletion_seconds: 0 },
      { state: "failed", deletion_seconds: 0 },
    ]);
    expect(await alertsAbout("owe")).toMatchObject([
      { message: expect.stringMatching(/^2 jobs "owe" failed .*the bank is shut.*Kept until/) },
    ]);
    // Failed scheduled jobs are not kept. Successful jobs are neither kept nor reported.
    expect(await jobsOf("daily")).toEqual([{ state: "failed", deletion_seconds: week }]);
    expect(await alertsAbout("daily")).toHaveLength(1);
    expect((await jobsOf("count")).every((each) => each.deletion_seconds === week)).toBe(true);
    expect(await alertsAbout("count")).toEqual([]);

    expect(await transaction((tx) => retryFailedJobs(tx, "owe"))).toBe(2);
    expect((await jobsOf("owe")).map((each) => each.deletion_seconds)).toEqual([week, week]);
    expect(await transaction((tx) => dropFailedJobs(tx, "daily"))).toBe(1);
    await stopQueue();
    await pool().query("delete from jobs.job where name = 'owe'");
  }, 60_000);

  it("raises one alert, and reopens it when another job fails after it was resolved", async () => {
    await fail(owe);
    await Promise.all([keep(), keep()]);
    await pool().query("update alerts set resolved_at = now() where subject = 'owe'");
    await keep();
    expect(await alertsAbout("owe")).toMatchObject([{ resolved_at: expect.any(Date) }]);
    await fail(owe);
    await pool().query("update jobs.job set completed_on = now() where name = 'owe'");
    await keep();
    expect(await alertsAbout("owe")).toMatchObject([{ resolved_at: null }]);
  }, 60_000);
});
