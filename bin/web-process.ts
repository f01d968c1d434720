// A web process. Its parent process sends its role (port, host, jobs) and the request to stop.
import cluster from "node:cluster";
import { enableCompileCache, flushCompileCache } from "node:module";
import type { ShutdownKind } from "#platform/shutdown.server.ts";
import { product } from "./product.ts";
import { tell } from "./tell.ts";

const KEEP_COMPILED_AFTER_MS = 1_000;

// Caches compiled code, so that a replacement process starts faster.
enableCompileCache(".cache/compiled");

let stop = (_how: ShutdownKind): void => process.exit(0);
// Ignored, because Ctrl-C reaches every process of the terminal; the parent decides when to stop.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
// Asks the parent for a replacement, and exits once the replacement is listening.
process.on("SIGTERM", () => {
  if (cluster.worker?.isConnected()) process.send?.("leaving");
  else stop("replaced");
});
process.on(
  "message",
  async (message: { end: ShutdownKind } | { port: number; host: string; runsJobs: boolean }) => {
    if ("end" in message) return stop(message.end);
    // Other messages between the processes have their own handlers.
    if (!("port" in message)) return;
    try {
      const { serve } = await product();
      const server = await serve(message);
      let isEnding = false;
      stop = (how) => {
        if (!isEnding) void server.stop(how).finally(() => process.exit(0));
        isEnding = true;
      };
      process.send?.("listening");
      // Flushed now instead of at exit, because the process can be killed.
      setTimeout(flushCompileCache, KEEP_COMPILED_AFTER_MS).unref();
    } catch (error) {
      tell(error);
      process.exit(1);
    }
  },
);
