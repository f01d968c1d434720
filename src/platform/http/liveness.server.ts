import type { IncomingHttpHeaders } from "node:http";
import type { HttpContext } from "./http.server.ts";
import { type ReadyResponse, readyHeaders } from "./ready-responses.server.ts";
import { createRequestReport, REPORT_HEADER } from "./request-report.server.ts";

const LIVE = { status: "live" };
let ready: ReadyResponse | undefined;

/** GET /health/live: 200 while this process responds, with a report for `npm run doctor`. */
export function liveness(c: HttpContext): Response {
  const request = createRequestReport(c);
  return c.json({ ...LIVE, ...(request ? { request } : {}) });
}

/** Returns the ready response of GET /health/live, or null when a report is requested. */
export function readyLiveness(headers: IncomingHttpHeaders): ReadyResponse | null {
  if (REPORT_HEADER in headers) return null;
  if (!ready) {
    const body = Buffer.from(JSON.stringify(LIVE));
    const own = { "Content-Type": "application/json", "Content-Length": String(body.byteLength) };
    ready = { status: 200, headers: readyHeaders(own), body };
  }
  return ready;
}
