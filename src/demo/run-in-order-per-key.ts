/**
 * Runs a task for each item. Items with the same key run in order, different keys run concurrently.
 */
export async function runInOrderPerKey<T>(
  items: readonly T[],
  getKey: (item: T) => string,
  run: (item: T) => Promise<unknown>,
  concurrency = 6,
): Promise<void> {
  const queues = [...Map.groupBy(items, getKey).values()];
  const workers = Array.from({ length: Math.min(concurrency, queues.length) }, async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift())
      for (const item of queue) await run(item);
  });
  await Promise.all(workers);
}
