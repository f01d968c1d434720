import { LRUCache } from "lru-cache";
import { onUpdate, type UpdateTopic } from "./notify.server.ts";

/** Returns the cached value of a key, or reads and caches it. */
export type CachedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Creates an in-process cache for data that is the same for every user. Entries are invalidated by the
 * updates of the topics in `invalidatedBy` or after `ttlMs`; errors are not cached. Concurrent requests for a key
 * share one read.
 */
export function cachedReads<T extends {}>({
  invalidatedBy,
  ttlMs,
  max,
}: {
  invalidatedBy: readonly UpdateTopic[];
  ttlMs: number;
  max: number;
}): CachedReads<T> {
  const cache = new LRUCache<string, Promise<T>>({ max, ttl: ttlMs, perf: Date });
  for (const topic of invalidatedBy) onUpdate(topic, () => cache.clear());
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
