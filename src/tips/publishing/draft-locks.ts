/** Releases a lock. Resolves when another tab can acquire it. */
export type Release = () => Promise<void>;

/**
 * Acquires the lock that a tab holds while it edits a draft. Waits at most `waitMs`. Returns a
 * function that releases it; null if another tab holds it. The browser releases it when the tab is
 * closed.
 */
export async function acquireLock(name: string, waitMs: number): Promise<Release | null> {
  // Web Locks need a secure context. Without them tabs cannot coordinate.
  if (!navigator.locks) return async () => {};
  return await new Promise((resolve) => {
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const request = navigator.locks
      .request(name, options, async (lock) => {
        if (!lock) return resolve(null);
        await new Promise<void>((release) =>
          resolve(() => {
            release();
            return request;
          }),
        );
      })
      .catch(() => resolve(null));
  });
}

/** Returns the names of the locks that the tabs of this browser hold. */
export async function listHeldLocks(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query().catch(() => null)) ?? {};
  return new Set(held.flatMap((lock) => lock.name ?? []));
}
