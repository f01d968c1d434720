// One web process: told its role by the process that started it, which also tells it to stop.
import cluster from "node:cluster";
import { enableCompileCache, flushCompileCache } from "node:module";
import type { ShutdownKind } from "#platform/shutdown.server.ts";
import { product } from "./product.ts";
import { tell } from "./tell.ts";

const KEEP_COMPILED_AFTER_MS = 1_000;

// A process that takes another's place is back sooner where its code has been compiled before.
enableCompileCache(".cache/compiled");

let stop = (_how: ShutdownKind): void => process.exit(0);
// A terminal's Ctrl-C reaches every process; the one that started us decides.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
// Announces that it is leaving, and exits once another process has replaced it.
process.on("SIGTERM", () => {
  if (cluster.worker?.isConnected()) process.send?.("leaving");
  else stop("replaced");
});
process.on(
  "message",
  async (message: { end: ShutdownKind } | { port: number; host: string; runsJobs: boolean }) => {
    if ("end" in message) return stop(message.end);
    // There is other talk between the processes, which is for others.
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
      // Not at its end, which may come without warning.
      setTimeout(flushCompileCache, KEEP_COMPILED_AFTER_MS).unref();
    } catch (error) {
      tell(error);
      process.exit(1);
    }
  },
);
