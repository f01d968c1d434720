import { LRUCache } from "lru-cache";
import { type Notice, onNotice } from "./notify.server.ts";

/** What reading comes to, by key: read at the first asking, and again once it is not kept any more. */
export type CachedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Keeps in this process what was read, for what is the same for everybody: until one of the notices,
 * for so long at most, and never what failed. Who asks while it is being read waits for that reading.
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
  const kept = new LRUCache<string, Promise<T>>({ max, ttl: forMs, perf: Date });
  for (const notice of until) onNotice(notice, () => kept.clear());
  return async (key, read) => {
    const found = kept.get(key);
    if (found) return await found;
    const reading = read();
    kept.set(key, reading);
    try {
      return await reading;
    } catch (error) {
      if (kept.peek(key) === reading) kept.delete(key);
      throw error;
    }
  };
}
