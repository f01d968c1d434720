import { expect, it } from "vitest";
import { withConcurrencyLimit } from "./with-concurrency-limit.server.ts";

it("runs four at a time, in order, and continues after a failure", async () => {
  const started: string[] = [];
  const deferred = new Map<string, PromiseWithResolvers<void>>();
  const run = (key: string) => {
    const work = Promise.withResolvers<void>();
    deferred.set(key, work);
    return withConcurrencyLimit(key, () => {
      started.push(key);
      return work.promise;
    });
  };
  const keys = ["a", "b", "c", "d", "e", "f"];
  const results = Promise.allSettled(keys.map(run));
  await nextTick();
  expect(started).toEqual(["a", "b", "c", "d"]);
  deferred.get("b")?.reject(new Error("failed"));
  await nextTick();
  expect(started).toEqual(["a", "b", "c", "d", "e"]);
  for (const work of deferred.values()) work.resolve();
  expect((await results).map(({ status }) => status === "fulfilled")).toEqual(
    keys.map((key) => key !== "b"),
  );
  expect(started).toEqual(keys);
});

it("runs the work of a key once while it is in progress, and again afterwards", async () => {
  let runs = 0;
  const run = () =>
    withConcurrencyLimit("event", async () => {
      await nextTick();
      runs += 1;
    });
  await Promise.all([run(), run(), run()]);
  expect(runs).toBe(1);
  await run();
  expect(runs).toBe(2);
});

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
