// The product's own supervisor with its web processes, in a process that tells which there are.
import cluster from "node:cluster";
import { WebProcesses } from "#bin/web-processes.ts";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

const web = new WebProcesses(process.env);

const listening = new Set<number>();

function tell(event: "running" | "ended"): void {
  const pids = Object.values(cluster.workers ?? {})
    .filter((worker) => worker && !worker.isDead())
    .map((worker) => worker?.process.pid);
  process.send?.({ event, pids, listening: listening.size });
}

cluster.on("fork", () => tell("running"));
cluster.on("message", (worker, message) => {
  if (message !== "listening") return;
  listening.add(worker.id);
  tell("running");
});
cluster.on("exit", (worker) => {
  listening.delete(worker.id);
  tell("ended");
});
process.on("disconnect", () => process.exit(1));
process.on("message", async (wish: { port: number; processes: number } | { end: ShutdownKind }) => {
  if ("end" in wish) {
    await web.stop(wish.end);
    process.exit(0);
  }
  const { port, processes } = wish;
  const roles = Array.from({ length: processes }, (_, index) => ({
    port,
    host: "127.0.0.1",
    runsJobs: index === 0,
  }));
  try {
    await web.start(roles);
    process.send?.({ event: "listening" });
    await web.failed;
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
