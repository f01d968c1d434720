import cluster from "node:cluster";
import { timingSafeEqual } from "node:crypto";
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import { getClockSkewMs } from "./clock-skew.server.ts";
import { pool } from "./database.server.ts";
import { env } from "./env.server.ts";
import { type HttpContext, jsonError } from "./http/http.server.ts";
import { countDatabaseFailures } from "./outage-log.server.ts";

const registry = new Registry();
collectDefaultMetrics({ register: registry, prefix: "furlong_" });
// In a cluster, each worker reports its metrics to the primary process on request.
AggregatorRegistry.setRegistries(registry);
if (cluster.isWorker) new AggregatorRegistry();

const requests = new Histogram({
  name: "furlong_http_request_seconds",
  help: "Request duration by method, route kind and status",
  labelNames: ["method", "kind", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10],
  registers: [registry],
});

new Gauge({
  name: "furlong_database_connections",
  help: "Connections of this process to the database",
  labelNames: ["state"],
  registers: [registry],
  collect() {
    const { totalCount, idleCount, waitingCount } = pool();
    this.set({ state: "open" }, totalCount);
    this.set({ state: "idle" }, idleCount);
    this.set({ state: "waiting" }, waitingCount);
  },
});

new Counter({
  name: "furlong_database_failures_total",
  help: "Requests and jobs that failed because the database was unavailable or overloaded",
  labelNames: ["problem"],
  registers: [registry],
  collect() {
    this.reset();
    for (const [problem, count] of Object.entries(countDatabaseFailures()))
      this.inc({ problem }, count);
  },
});

new Gauge({
  name: "furlong_clock_skew_seconds",
  help: "Seconds by which this machine's clock is ahead of the database's; negative if behind",
  registers: [registry],
  aggregator: "average",
  collect() {
    this.set((getClockSkewMs() ?? 0) / 1000);
  },
});

new Gauge({
  name: "furlong_jobs",
  help: "Background jobs by queue and state",
  labelNames: ["queue", "state"],
  registers: [registry],
  // Read from the database, so every process reports the same.
  aggregator: "first",
  async collect() {
    const { rows } = await pool().query<{ name: string; state: string; count: number }>(
      "select name, state::text, count(*) from jobs.job group by name, state",
    );
    this.reset();
    for (const row of rows) this.set({ queue: row.name, state: row.state }, row.count);
  },
});

new Gauge({
  name: "furlong_integrity_check_failures",
  help: "Integrity checks that failed at the last run",
  labelNames: ["scope"],
  registers: [registry],
  aggregator: "first",
  async collect() {
    const { rows } = await pool().query<{ scope: string; failures: number }>(
      `select distinct on (scope) scope, jsonb_array_length(failures) as failures
       from integrity_checks order by scope, id desc`,
    );
    this.reset();
    for (const row of rows) this.set({ scope: row.scope }, row.failures);
  },
});

/**
 * Records the duration of a request. Paths are grouped because ids would create an unbounded
 * number of time series.
 */
export function observeRequest(
  request: { method: string; path: string; status: number },
  seconds: number,
): void {
  requests.observe(
    { method: request.method, kind: routeKind(request.path), status: String(request.status) },
    seconds,
  );
}

const API_KINDS = new Set([
  "sign-in",
  "sign-out",
  "me",
  "race-cards",
  "leaderboard",
  "venues",
  "openapi.json",
]);

function routeKind(path: string): string {
  if (path.endsWith(".data")) return "page data";
  const [, first = "", second = ""] = path.split("/");
  if (first === "api") return API_KINDS.has(second) ? `api ${second}` : "api";
  if (["assets", "webhooks", "events", "health", "metrics", "uploads"].includes(first))
    return first;
  return first === ".netlify" ? "function" : "page";
}

const CLUSTER_METRICS_TIMEOUT_MS = 6_000;

/** Requests the combined metrics of all web processes of this machine from the primary process. */
function readClusterMetrics(): Promise<string | null> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => finish(null), CLUSTER_METRICS_TIMEOUT_MS);
    const onMessage = (message: { metrics?: string | null } | null) => {
      if (message && typeof message === "object" && "metrics" in message)
        finish(message.metrics ?? null);
    };
    function finish(metrics: string | null) {
      clearTimeout(timeout);
      process.off("message", onMessage);
      resolve(metrics);
    }
    process.on("message", onMessage);
    process.send?.("metrics");
  });
}

/**
 * Serves metrics for Prometheus. Requires the token; if none is set, allows only local requests.
 */
export async function serveMetrics(c: HttpContext): Promise<Response> {
  const { metricsToken } = env();
  const isAllowed = metricsToken
    ? isEqualInConstantTime(c.req.header("authorization") ?? "", `Bearer ${metricsToken}`)
    : ["127.0.0.1", "::1"].includes(c.get("requestDetails").clientAddress) && !isForwarded(c);
  if (!isAllowed) return jsonError(c, 403, "Not allowed to read metrics.");
  const metrics = (cluster.isWorker && (await readClusterMetrics())) || (await registry.metrics());
  return c.text(metrics, 200, { "Content-Type": registry.contentType });
}

/** Returns true for a request that came through an untrusted proxy on this machine. */
function isForwarded(c: HttpContext): boolean {
  return ["x-forwarded-for", "forwarded", "x-real-ip", "via"].some((name) => c.req.header(name));
}

function isEqualInConstantTime(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)];
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes);
}
