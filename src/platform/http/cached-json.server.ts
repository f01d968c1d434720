import { now } from "#platform/clock.server.ts";
import { type Notice, onNotice } from "#platform/notify.server.ts";
import { type ReadyResponse, readyHeaders } from "./ready-responses.server.ts";

/** Bounds the delay of a change that no notice reports. Intervals are aligned to the clock. */
const MAX_AGE_MS = 5_000;

/** Data for a JSON response, and the instant from which the clock alone changes it. */
export type JsonSource<T> = { value: T; validUntil?: Date | null };

/** A JSON response that is the same for every client it is sent to, kept as bytes. */
export type CachedJson<T> = {
  /** Returns the data, from memory while it is current. Concurrent requests share one read. */
  read(): Promise<T>;
  /** Returns the response. */
  respond(): Promise<Response>;
  /** Returns the response when it is in memory and current, otherwise null. */
  ready(): ReadyResponse | null;
};

type Entry<T> = {
  validFrom: number;
  validUntil: number;
  value: Promise<T>;
  response: ReadyResponse | null;
};

/**
 * Creates a cached JSON response. It is dropped by the notices in `clearedBy`, by `validUntil` and
 * after five seconds. Data whose reading began before a notice is sent only to those who already
 * waited for it. Errors are not cached.
 */
export function createCachedJson<T>({
  clearedBy,
  cacheControl,
  read,
  serialise = JSON.stringify,
}: {
  clearedBy: readonly Notice[];
  cacheControl: string;
  read: (at: Date) => Promise<JsonSource<T>>;
  serialise?: (value: T) => string;
}): CachedJson<T> {
  let cached: Entry<T> | null = null;
  for (const notice of clearedBy)
    onNotice(notice, () => {
      cached = null;
    });

  function findCurrent(at: number): Entry<T> | null {
    return cached && cached.validFrom <= at && at < cached.validUntil ? cached : null;
  }

  function current(): Entry<T> {
    const at = now();
    const found = findCurrent(at.getTime());
    if (found) return found;
    const validFrom = at.getTime() - (at.getTime() % MAX_AGE_MS);
    const entry: Entry<T> = {
      validFrom,
      validUntil: validFrom + MAX_AGE_MS,
      value: read(at).then(
        ({ value, validUntil }) => {
          if (validUntil) entry.validUntil = Math.min(entry.validUntil, validUntil.getTime());
          entry.response = makeResponse(serialise(value), cacheControl);
          return value;
        },
        (error) => {
          if (cached === entry) cached = null;
          throw error;
        },
      ),
      response: null,
    };
    cached = entry;
    return entry;
  }

  return {
    read: () => current().value,
    async respond() {
      const entry = current();
      const value = await entry.value;
      const body = entry.response?.body ?? serialise(value);
      return new Response(body as BodyInit, { headers: jsonHeaders(cacheControl) });
    },
    ready: () => findCurrent(now().getTime())?.response ?? null,
  };
}

function makeResponse(json: string, cacheControl: string): ReadyResponse {
  const body = Buffer.from(json);
  const own = { ...jsonHeaders(cacheControl), "Content-Length": String(body.byteLength) };
  return { status: 200, headers: readyHeaders(own), body };
}

function jsonHeaders(cacheControl: string): Record<string, string> {
  return { "Content-Type": "application/json", "Cache-Control": cacheControl };
}
