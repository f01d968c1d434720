import pLimit from "p-limit";

/**
 * Runs a task for each item. Items with the same key run in order, different keys run concurrently.
 */
export async function runInOrderPerKey<T>(
  items: readonly T[],
  getKey: (item: T) => string,
  run: (item: T) => Promise<unknown>,
  concurrency = 6,
): Promise<void> {
  await pLimit(concurrency).map(Map.groupBy(items, getKey).values(), async (itemsOfKey) => {
    for (const item of itemsOfKey) await run(item);
  });
}
