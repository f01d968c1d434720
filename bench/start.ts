import { readFileSync } from "node:fs";
import type { BenchServer } from "./bench-server.ts";
import { sendRequests } from "./http-load.ts";

/** Measures the time of a web process to its first page, and its memory idle and under load. */
export async function measureStart(
  server: BenchServer,
  cookie: string,
): Promise<{ listeningMs: number; firstPageMs: number; restMb: number; loadMb: number }> {
  const startedAt = performance.now();
  const { origin, pid, stop } = await server.serve({ runsJobs: false });
  const listeningMs = performance.now() - startedAt;
  await (await fetch(origin)).text();
  const firstPageMs = performance.now() - startedAt;
  const restMb = residentMb(pid);
  await sendRequests(`${origin}/`, { clients: 32, seconds: 5 }, { cookie });
  const loadMb = residentMb(pid);
  await stop();
  return { listeningMs, firstPageMs, restMb, loadMb };
}

/** Returns the memory of a process; only on Linux. */
function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
