import { afterAll, beforeAll, expect, it } from "vitest";
import { transaction } from "./database.server.ts";
import { env } from "./env.server.ts";
import { enqueue, installQueue, type Job, startQueue, stopQueue } from "./queue.server.ts";

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

beforeAll(() => installQueue(env().databaseUrl ?? "", [count as Job]));
afterAll(stopQueue);

it("a backlog is worked off at once, and one that fails is tried again alone", async () => {
  await transaction(async (tx) => {
    for (let number = 0; number < 60; number += 1)
      await enqueue(tx, count.name, { number, fails: number === 7 });
  });
  await stopQueue();
  await startQueue([count as Job]);
  await expect.poll(() => done.length, { timeout: 10_000 }).toBe(60);
  expect(new Set(done).size).toBe(60);
  expect([...tried].filter(([, tries]) => tries > 1)).toEqual([[7, 2]]);
}, 15_000);

it("what is asked for in a transaction that fails is never run", async () => {
  const before = done.length;
  await transaction(async (tx) => {
    await enqueue(tx, count.name, { number: 1000 });
    throw new Error("not after all");
  }).catch(() => {});
  await transaction((tx) => enqueue(tx, count.name, { number: 1001 }));
  await expect.poll(() => done.length, { timeout: 5_000 }).toBe(before + 1);
  expect(done.at(-1)).toBe(1001);
});
