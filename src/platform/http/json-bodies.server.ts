import type { Next } from "hono";
import { contentLength, type HttpContext, jsonError } from "./http.server.ts";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** Middleware that accepts JSON bodies only. */
export function requireJsonBody(c: HttpContext, next: Next) {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  const length = contentLength(c);
  // Without a socket there is no declared length, so the body is inspected.
  const isEmpty = length === 0 || (length === null && c.req.raw.body === null);
  if (isEmpty || JSON_TYPE.test(c.req.header("content-type") ?? "")) return next();
  return Promise.resolve(
    jsonError(c, 415, "Send JSON with the header Content-Type: application/json."),
  );
}
