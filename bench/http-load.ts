import { execFile, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import autocannon from "autocannon";
import type { Measurement } from "./measure.ts";

/** Concurrent connections and the duration of a round. */
export type Load = { clients: number; seconds: number };

const ENCODING = { "accept-encoding": "br, gzip" };
const CLIENT_COUNTS = [8, 32, 128];
const WRK_UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

/** Describes the client, and how to install a better one. */
export const CLIENT_DESCRIPTION = hasWrk
  ? "Client: wrk, one thread."
  : `Client: autocannon in ${workerCount()} Node workers, which is slower than a bare server. For ratios that are not limited by it, install wrk: apt-get install wrk, or brew install wrk.`;

/** Requests a URL repeatedly. An error response ends the run. */
export async function sendRequests(
  url: string,
  load: Load,
  headers: Record<string, string> = {},
): Promise<Measurement> {
  const all = { ...ENCODING, ...headers };
  return hasWrk ? await sendByWrk(url, load, all) : await sendByWorkers(url, load, all);
}

/** Returns the number of clients with which a URL has the highest throughput. */
export async function findBestClients(
  url: string,
  headers: Record<string, string> = {},
  counts: readonly number[] = CLIENT_COUNTS,
): Promise<number> {
  let best = { clients: 0, perSecond: 0 };
  for (const clients of counts) {
    const { perSecond } = await sendRequests(url, { clients, seconds: 1 }, headers);
    if (perSecond > best.perSecond) best = { clients, perSecond };
  }
  return best.clients;
}

async function sendByWrk(
  url: string,
  { clients, seconds }: Load,
  headers: Record<string, string>,
): Promise<Measurement> {
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${clients}`,
    `-d${seconds}s`,
    "--latency",
    // A busy machine must not turn slow responses into errors.
    "--timeout",
    "20s",
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    url,
  ]);
  const failures = /(Non-2xx or 3xx responses|Socket errors):.*/.exec(stdout)?.[0];
  if (failures) throw new Error(`${failures} at ${url}`);
  const latency = (percentile: string) => {
    const [, value, unit = ""] =
      new RegExp(`${percentile}%\\s+([\\d.]+)(us|ms|s|m)`).exec(stdout) ?? [];
    return Number(value) * (WRK_UNITS[unit] ?? Number.NaN);
  };
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: latency("50"),
    p99: latency("99"),
  };
}

async function sendByWorkers(
  url: string,
  { clients, seconds }: Load,
  headers: Record<string, string>,
): Promise<Measurement> {
  const workers = Math.min(workerCount(), clients);
  const result = await autocannon({
    url,
    connections: clients,
    duration: seconds,
    headers,
    ...(workers > 1 ? { workers } : {}),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} error responses and ${result.errors} errors at ${url}`);
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Returns the number of client workers, which leaves one processor for the server. */
function workerCount(): number {
  return Math.max(2, availableParallelism() - 1);
}
