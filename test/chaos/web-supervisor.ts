// Runs the application's supervisor with its web processes and reports their process ids to the
// parent.
import cluster from "node:cluster";
import { WebProcesses } from "#bin/web-processes.ts";
import type { ShutdownKind } from "#platform/shutdown.server.ts";

const web = new WebProcesses(process.env);

const listening = new Set<number>();

function report(event: "running" | "exited"): void {
  const pids = Object.values(cluster.workers ?? {})
    .filter((worker) => worker && !worker.isDead())
    .map((worker) => worker?.process.pid);
  process.send?.({ event, pids, listening: listening.size });
}

cluster.on("fork", () => report("running"));
cluster.on("message", (worker, message) => {
  if (message !== "listening") return;
  listening.add(worker.id);
  report("running");
});
cluster.on("exit", (worker) => {
  listening.delete(worker.id);
  report("exited");
});
process.on("disconnect", () => process.exit(1));
process.on(
  "message",
  async (message: { port: number; processes: number } | { shutdown: ShutdownKind }) => {
    if ("shutdown" in message) {
      await web.stop(message.shutdown);
      process.exit(0);
    }
    const { port, processes } = message;
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
  },
);
