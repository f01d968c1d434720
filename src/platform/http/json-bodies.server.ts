import type { Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contentLength, type HttpContext, jsonError } from "./http.server.ts";

/** Ten times what any body of plain fields needs. */
const MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

const tooMuch = (c: HttpContext) => jsonError(c, 413, "The request body is too large.");
const streamedBodyLimit = bodyLimit({ maxSize: MAX_BYTES, onError: tooMuch });

/**
 * Lets nothing but JSON of a sensible size through to what takes JSON. `takesMore` names the paths that
 * see to the size themselves.
 */
export function jsonBodies(takesMore: readonly string[]) {
  return (c: HttpContext, next: Next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const told = contentLength(c);
    // Without a socket nothing is told; then it is looked for.
    const isEmpty = told === 0 || (told === null && c.req.raw.body === null);
    if (isEmpty) return next();
    if (!JSON_TYPE.test(c.req.header("content-type") ?? ""))
      return Promise.resolve(
        jsonError(c, 415, "Send JSON with the header Content-Type: application/json."),
      );
    if (takesMore.includes(c.req.path)) return next();
    if (told === null) return streamedBodyLimit(c, next);
    return told > MAX_BYTES ? Promise.resolve(tooMuch(c)) : next();
  };
}
