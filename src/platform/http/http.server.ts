import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { RequestDetails } from "./request.server.ts";

/** The Hono environment of a request. */
export type HttpEnv = { Bindings: HttpBindings; Variables: { requestDetails: RequestDetails } };
export type HttpContext = Context<HttpEnv>;

/** Returns an error response of the JSON API: `{ "error": "..." }`. */
export function jsonError(
  c: HttpContext,
  status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503,
  error: string,
  details: Record<string, unknown> = {},
): Response {
  c.header("Cache-Control", "no-store");
  return c.json({ error, ...details }, status);
}

/** Returns a response from a JSON string that the database has already serialised. */
export function jsonResponse(json: string): Response {
  return new Response(json, {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}

/**
 * Returns the declared length of a request body in bytes, or null for a streamed body or a request
 * without a socket. Reads the header only, because accessing the body is expensive.
 */
export function contentLength(c: HttpContext): number | null {
  const headers = c.env?.incoming?.headers;
  if (!headers || headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}
