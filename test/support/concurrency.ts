/**
 * Maps items with at most `concurrency` calls in progress, and returns the results in the order of
 * the items.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  callback: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await callback(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}

/** Polls until the condition is true; returns false after the timeout. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
  intervalMs = 25,
): Promise<boolean> {
  for (const until = performance.now() + timeoutMs; ; ) {
    if (await condition()) return true;
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
