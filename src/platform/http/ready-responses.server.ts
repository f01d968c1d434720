import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { observeRequest } from "#platform/metrics.server.ts";
import { shutdownSignal } from "#platform/shutdown.server.ts";
import { getSecurityHeaders } from "./security-headers.server.ts";

/** A complete response in memory that is the same for every client it is sent to. */
export type ReadyResponse = {
  status: 200 | 304;
  /** Names and values by turns, with the security headers. */
  headers: readonly string[];
  body: Uint8Array | null;
};

/**
 * Returns the ready response to a GET request of this target (path and query as sent), or null when
 * the application must respond.
 */
export type FindReadyResponse = (
  target: string,
  headers: IncomingHttpHeaders,
) => ReadyResponse | null;

/** Other hosts are validated by the server adapter. */
const PLAIN_HOST = /^[a-z0-9.-]+(:\d{1,5})?$/;

/** Returns headers with the security headers, as a ready response holds them. Own headers win. */
export function readyHeaders(own: Record<string, string>): string[] {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const added = Object.entries(getSecurityHeaders()).filter(
    ([name]) => !names.has(name.toLowerCase()),
  );
  return [...added, ...Object.entries(own)].flat();
}

/**
 * Returns a function that sends the ready response to a request before anything is built for it,
 * which costs less than half of the way through the application. It sets the request id, the
 * security headers and the metrics as the application does. Returns false, having done nothing,
 * when there is no ready response.
 */
export function readyResponseSender(
  find: FindReadyResponse,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { method, url = "", headers } = request;
    // Bodies have limits, which the application enforces.
    if (method !== "GET" || "content-length" in headers || "transfer-encoding" in headers)
      return false;
    if (!PLAIN_HOST.test(headers.host ?? "")) return false;
    const startedAt = performance.now();
    const ready = find(url, headers);
    if (!ready) return false;
    const all = [...ready.headers, "X-Request-Id", randomUUID()];
    // During shutdown, clients must not reuse the connection.
    if (shutdownSignal.aborted) all.push("Connection", "close");
    response.writeHead(ready.status, all);
    response.end(ready.body);
    observeRequest(
      { method, path: url, status: ready.status },
      (performance.now() - startedAt) / 1000,
    );
    return true;
  };
}
