import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { RequestDetails } from "./request.server.ts";

/** What travels with a request through the server, before any page or route. */
export type HttpEnv = { Bindings: HttpBindings; Variables: { facts: RequestDetails } };
export type HttpContext = Context<HttpEnv>;

/** A refusal as the JSON API tells it: `{ "error": "..." }` with its status. */
export function jsonError(
  c: HttpContext,
  status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503,
  error: string,
  more: Record<string, unknown> = {},
): Response {
  c.header("Cache-Control", "no-store");
  return c.json({ error, ...more }, status);
}

/** An answer whose JSON is written already, as the database wrote it: read into objects by nobody. */
export function jsonResponse(json: string): Response {
  return new Response(json, {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}

/**
 * How many bytes a request says it brings; null where it does not say. The head tells it: to look for
 * the body itself costs more than most answers. (A request that came by no socket never says.)
 */
export function contentLength(c: HttpContext): number | null {
  const headers = c.env?.incoming?.headers;
  if (!headers || headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}
