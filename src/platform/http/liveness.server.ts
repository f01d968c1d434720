import type { IncomingHttpHeaders } from "node:http";
import { type CachedResponse, withSecurityHeaders } from "./cached-responses.server.ts";
import type { HttpContext } from "./http.server.ts";
import { createRequestReport, REPORT_HEADER } from "./request-report.server.ts";

const LIVE = { status: "live" };
let cached: CachedResponse | undefined;

/** GET /health/live: returns 200 while this process responds. `npm run doctor` gets a report on its request. */
export function getLiveness(c: HttpContext): Response {
  const request = createRequestReport(c);
  return c.json({ ...LIVE, ...(request ? { request } : {}) });
}

/** Returns the cached response of GET /health/live, or null when a report is requested. */
export function getCachedLiveness(headers: IncomingHttpHeaders): CachedResponse | null {
  if (REPORT_HEADER in headers) return null;
  if (!cached) {
    const body = Buffer.from(JSON.stringify(LIVE));
    const own = { "Content-Type": "application/json", "Content-Length": String(body.byteLength) };
    cached = { status: 200, headers: withSecurityHeaders(own), body };
  }
  return cached;
}
