import type { Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contentLength, type HttpContext, jsonError } from "./http.server.ts";

/** Ten times the size of the largest valid request without a photo. */
const MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

const respondTooLarge = (c: HttpContext) => jsonError(c, 413, "The request body is too large.");
const streamedBodyLimit = bodyLimit({ maxSize: MAX_BYTES, onError: respondTooLarge });

/**
 * Returns middleware that accepts JSON bodies of limited size only. Routes in `ownLimitPaths`
 * enforce their own size limit.
 */
export function createJsonBodyCheck(ownLimitPaths: readonly string[]) {
  return (c: HttpContext, next: Next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const length = contentLength(c);
    // Without a socket there is no declared length, so the body is inspected.
    const isEmpty = length === 0 || (length === null && c.req.raw.body === null);
    if (isEmpty) return next();
    if (!JSON_TYPE.test(c.req.header("content-type") ?? ""))
      return Promise.resolve(
        jsonError(c, 415, "Send JSON with the header Content-Type: application/json."),
      );
    if (ownLimitPaths.includes(c.req.path)) return next();
    if (length === null) return streamedBodyLimit(c, next);
    return length > MAX_BYTES ? Promise.resolve(respondTooLarge(c)) : next();
  };
}
