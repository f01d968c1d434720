import { now } from "#platform/clock.server.ts";
import { onUpdate, type UpdateTopic } from "#platform/notify.server.ts";
import { type CachedResponse, withSecurityHeaders } from "./cached-responses.server.ts";

/**
 * Bounds the staleness after a change that no update reports. The intervals are aligned to the clock, so
 * one ends exactly at every off time, closing time and midnight, which are whole minutes.
 */
const MAX_AGE_MS = 5_000;

/** A JSON response that is the same for every client, cached as bytes. */
export type CachedJson<T> = {
  /** Returns the data, cached while it is current. Concurrent requests share one read. */
  read(): Promise<T>;
  /** Returns the response. */
  respond(): Promise<Response>;
  /** Returns the response if it is cached and current, otherwise null. */
  getCached(): CachedResponse | null;
};

type Entry<T> = {
  validFrom: number;
  validUntil: number;
  content: Promise<{ value: T; response: CachedResponse }>;
  /** The response, once the content has been read. */
  response: CachedResponse | null;
};

/**
 * Creates a cached JSON response. It is invalidated by updates of the topics in `invalidatedBy` and after five seconds.
 * If an update arrives during a read, only the requests that already wait for it receive its data. Errors are
 * not cached.
 */
export function createCachedJson<T>({
  invalidatedBy,
  cacheControl,
  read,
  serialise = JSON.stringify,
}: {
  invalidatedBy: readonly UpdateTopic[];
  cacheControl: string;
  read: (at: Date) => Promise<T>;
  serialise?: (value: T) => string;
}): CachedJson<T> {
  let cached: Entry<T> | null = null;
  for (const topic of invalidatedBy)
    onUpdate(topic, () => {
      cached = null;
    });

  function findCurrent(at: number): Entry<T> | null {
    return cached && cached.validFrom <= at && at < cached.validUntil ? cached : null;
  }

  function getOrCreateEntry(): Entry<T> {
    const at = now();
    const found = findCurrent(at.getTime());
    if (found) return found;
    const validFrom = at.getTime() - (at.getTime() % MAX_AGE_MS);
    const content = read(at).then((value) => ({
      value,
      response: createResponse(serialise(value), cacheControl),
    }));
    const entry: Entry<T> = {
      validFrom,
      validUntil: validFrom + MAX_AGE_MS,
      content,
      response: null,
    };
    cached = entry;
    content.then(
      ({ response }) => {
        entry.response = response;
      },
      () => {
        if (cached === entry) cached = null;
      },
    );
    return entry;
  }

  return {
    read: async () => (await getOrCreateEntry().content).value,
    async respond() {
      const { response } = await getOrCreateEntry().content;
      return new Response(response.body as BodyInit, { headers: jsonHeaders(cacheControl) });
    },
    getCached: () => findCurrent(now().getTime())?.response ?? null,
  };
}

function createResponse(json: string, cacheControl: string): CachedResponse {
  const body = Buffer.from(json);
  const own = { ...jsonHeaders(cacheControl), "Content-Length": String(body.byteLength) };
  return { status: 200, headers: withSecurityHeaders(own), body };
}

function jsonHeaders(cacheControl: string): Record<string, string> {
  return { "Content-Type": "application/json", "Cache-Control": cacheControl };
}
