import { LRUCache } from "lru-cache";
import { type Notice, onNotice } from "./notify.server.ts";

/** Returns the cached value of a key, or reads and caches it. */
export type CachedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Creates an in-process cache for data that is the same for every user. Entries are invalidated by the
 * notices in `invalidatedBy` or after `ttlMs`; errors are not cached. Concurrent requests for a key
 * share one read.
 */
export function cachedReads<T extends {}>({
  invalidatedBy,
  ttlMs,
  max,
}: {
  invalidatedBy: readonly Notice[];
  ttlMs: number;
  max: number;
}): CachedReads<T> {
  const cache = new LRUCache<string, Promise<T>>({ max, ttl: ttlMs, perf: Date });
  for (const notice of invalidatedBy) onNotice(notice, () => cache.clear());
  return async (key, read) => {
    const cached = cache.get(key);
    if (cached) return await cached;
    const pending = read();
    cache.set(key, pending);
    try {
      return await pending;
    } catch (error) {
      if (cache.peek(key) === pending) cache.delete(key);
      throw error;
    }
  };
}
