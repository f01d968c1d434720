/** Maximum number of events handled concurrently per process, so that a flood leaves database connections free. */
const MAX_CONCURRENT = 4;

const inProgress = new Map<string, Promise<void>>();
const waiting: (() => void)[] = [];
let activeCount = 0;

/** Runs the work under the concurrency limit. While work with a key is in progress, the same key returns its promise. */
export function withConcurrencyLimit(key: string, work: () => Promise<void>): Promise<void> {
  const running = inProgress.get(key);
  if (running) return running;
  const promise = runLimited(work).finally(() => inProgress.delete(key));
  inProgress.set(key, promise);
  return promise;
}

async function runLimited(work: () => Promise<void>): Promise<void> {
  if (activeCount >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else activeCount += 1;
  try {
    await work();
  } finally {
    // Passes the slot to the next waiting call, if any.
    const next = waiting.shift();
    if (next) next();
    else activeCount -= 1;
  }
}
