import { readFileSync } from "node:fs";
import type { BenchServer } from "./bench-server.ts";
import { sendRequests } from "./http-load.ts";

/** Measures the time of a web process to its first page, and its memory idle and under load. */
export async function measureStart(
  server: BenchServer,
  cookie: string,
): Promise<{ listeningMs: number; firstPageMs: number; idleMb: number; underLoadMb: number }> {
  const startedAt = performance.now();
  const { origin, pid, stop } = await server.serve({ runsJobs: false });
  const listeningMs = performance.now() - startedAt;
  await (await fetch(origin)).text();
  const firstPageMs = performance.now() - startedAt;
  const idleMb = readResidentMb(pid);
  await sendRequests(`${origin}/`, { clients: 32, seconds: 5 }, { cookie });
  const underLoadMb = readResidentMb(pid);
  await stop();
  return { listeningMs, firstPageMs, idleMb, underLoadMb };
}

/** Returns the resident memory in MiB; NaN on systems other than Linux. */
function readResidentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
