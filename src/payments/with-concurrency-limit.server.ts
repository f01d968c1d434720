import pLimit from "p-limit";

/** Maximum number of events handled concurrently per process, so that a flood leaves database connections free. */
const MAX_CONCURRENT = 4;

const limit = pLimit(MAX_CONCURRENT);
const inProgress = new Map<string, Promise<void>>();

/** Runs the work under the concurrency limit. While work with a key is in progress, the same key returns its promise. */
export function withConcurrencyLimit(key: string, work: () => Promise<void>): Promise<void> {
  const running = inProgress.get(key);
  if (running) return running;
  const promise = limit(work).finally(() => inProgress.delete(key));
  inProgress.set(key, promise);
  return promise;
}
