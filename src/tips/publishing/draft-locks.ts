/** Releases a lock; settles when others can take it. */
export type Release = () => Promise<void>;

/**
 * Takes the lock that a tab holds while it edits a draft, waiting for it at most this long. Returns the
 * function that releases it; null while another tab holds it. The browser releases it with the tab.
 */
export async function holdLock(name: string, waitMs: number): Promise<Release | null> {
  // Without locks (a page that is not on HTTPS) tabs cannot know of each other.
  if (!navigator.locks) return async () => {};
  return await new Promise((resolve) => {
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const isOver = navigator.locks
      .request(name, options, async (lock) => {
        if (!lock) return resolve(null);
        await new Promise<void>((letGo) =>
          resolve(() => {
            letGo();
            return isOver;
          }),
        );
      })
      .catch(() => resolve(null));
  });
}

/** The names of the locks that this browser's tabs hold. */
export async function heldLocks(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query().catch(() => null)) ?? {};
  return new Set(held.flatMap((lock) => lock.name ?? []));
}
