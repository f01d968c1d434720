import pLimit from "p-limit";

/**
 * Maps items with at most `concurrency` calls in progress, and returns the results in the order of
 * the items.
 */
export function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  callback: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  return pLimit(concurrency).map(items, callback);
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
