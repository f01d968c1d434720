import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { observeRequest } from "#platform/metrics.server.ts";
import { shutdownSignal } from "#platform/shutdown.server.ts";
import { getSecurityHeaders } from "./security-headers.server.ts";

/** A complete cached response that is the same for every client. */
export type CachedResponse = {
  status: 200 | 304;
  /** Alternating names and values, with the security headers. */
  headers: readonly string[];
  body: Uint8Array | null;
};

/**
 * Returns the cached response to a GET request of this target (path and query as sent), or null when
 * the application must respond.
 */
export type FindCachedResponse = (
  target: string,
  headers: IncomingHttpHeaders,
) => CachedResponse | null;

/** Other hosts are validated by the server adapter. */
const PLAIN_HOST = /^[a-z0-9.-]+(:\d{1,5})?$/;

/** Adds the security headers to the headers of a cached response. The given headers take precedence. */
export function withSecurityHeaders(own: Record<string, string>): string[] {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const added = Object.entries(getSecurityHeaders()).filter(
    ([name]) => !names.has(name.toLowerCase()),
  );
  return [...added, ...Object.entries(own)].flat();
}

/**
 * Returns a function that sends the cached response to a request without entering the application, which
 * takes less than half of the time. It sets the request id and security headers and records the metrics, as
 * the application does. The function returns false and does nothing if there is no cached response.
 */
export function createCachedResponseSender(
  find: FindCachedResponse,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { method, url = "", headers } = request;
    // The application must enforce the limits of request bodies.
    if (method !== "GET" || "content-length" in headers || "transfer-encoding" in headers)
      return false;
    if (!PLAIN_HOST.test(headers.host ?? "")) return false;
    const startedAt = performance.now();
    const cached = find(url, headers);
    if (!cached) return false;
    const all = [...cached.headers, "X-Request-Id", randomUUID()];
    // During shutdown, clients must not reuse the connection.
    if (shutdownSignal.aborted) all.push("Connection", "close");
    response.writeHead(cached.status, all);
    response.end(cached.body);
    observeRequest(
      { method, path: url, status: cached.status },
      (performance.now() - startedAt) / 1000,
    );
    return true;
  };
}
