import { LRUCache } from "lru-cache";
import { type Notice, onNotice } from "./notify.server.ts";

/** Returns the cached value of a key, or reads and caches it. */
export type CachedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Creates an in-process cache for data that is the same for every user. Entries are cleared by the
 * given notices or after `forMs`; errors are not cached. Concurrent requests for a key share one
 * read.
 */
export function cachedReads<T extends {}>({
  until,
  forMs,
  max,
}: {
  until: readonly Notice[];
  forMs: number;
  max: number;
}): CachedReads<T> {
  const cache = new LRUCache<string, Promise<T>>({ max, ttl: forMs, perf: Date });
  for (const notice of until) onNotice(notice, () => cache.clear());
  return async (key, read) => {
    const found = cache.get(key);
    if (found) return await found;
    const reading = read();
    cache.set(key, reading);
    try {
      return await reading;
    } catch (error) {
      if (cache.peek(key) === reading) cache.delete(key);
      throw error;
    }
  };
}
