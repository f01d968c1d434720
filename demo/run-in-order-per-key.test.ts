import { expect, it } from "vitest";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

it("runs items of a key in order and at most the given number of keys at once", async () => {
  const items = ["a1", "a2", "b1", "c1", "a3", "b2"];
  const finished: string[] = [];
  const running = new Set<string>();
  let maxRunning = 0;
  await runInOrderPerKey(
    items,
    ([key = ""]) => key,
    async (item) => {
      const [key = ""] = item;
      expect(running).not.toContain(key);
      running.add(key);
      maxRunning = Math.max(maxRunning, running.size);
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(key);
      finished.push(item);
    },
    2,
  );
  expect(maxRunning).toBe(2);
  for (const key of ["a", "b", "c"])
    expect(finished.filter((item) => item.startsWith(key))).toEqual(
      items.filter((item) => item.startsWith(key)),
    );
  expect(finished).toHaveLength(items.length);
});
