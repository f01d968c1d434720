// A web process. Its parent process sends its role (port, host, jobs) and the request to stop.
import cluster from "node:cluster";
import { enableCompileCache, flushCompileCache } from "node:module";
import type { ShutdownKind } from "#platform/shutdown.server.ts";
import { printError } from "./print-error.ts";
import { importServerBuild } from "./server-build.ts";

const FLUSH_CACHE_DELAY_MS = 1_000;

// Caches compiled code, so that a replacement process starts faster.
enableCompileCache(".cache/compiled");

let stop = (_kind: ShutdownKind): void => process.exit(0);
// Ignores Ctrl-C, which reaches every process of the terminal, because the parent decides when to stop.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
// Requests a replacement from the parent and exits once the replacement is listening.
process.on("SIGTERM", () => {
  if (cluster.worker?.isConnected()) process.send?.("replace");
  else stop("replaced");
});
process.on(
  "message",
  async (
    message: { shutdown: ShutdownKind } | { port: number; host: string; runsJobs: boolean },
  ) => {
    if ("shutdown" in message) return stop(message.shutdown);
    // Other messages between the processes have their own handlers.
    if (!("port" in message)) return;
    try {
      const { serve } = await importServerBuild();
      const server = await serve(message);
      let isStopping = false;
      stop = (kind) => {
        if (!isStopping) void server.stop(kind).finally(() => process.exit(0));
        isStopping = true;
      };
      process.send?.("listening");
      // Flushes the cache now instead of at exit, because the process may be killed.
      setTimeout(flushCompileCache, FLUSH_CACHE_DELAY_MS).unref();
    } catch (error) {
      printError(error);
      process.exit(1);
    }
  },
);
