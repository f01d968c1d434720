// One web process: told its role by the process that started it, which also tells it to stop.
import { enableCompileCache, flushCompileCache } from "node:module";
import { product } from "./product.ts";
import { tell } from "./tell.ts";

const KEEP_COMPILED_AFTER_MS = 1_000;

// A process that takes another's place is back sooner where its code has been compiled before.
enableCompileCache(".cache/compiled");

let stop = (): void => process.exit(0);
// A terminal's Ctrl-C reaches every process; the one that started us decides.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.on("SIGTERM", () => stop());
process.on(
  "message",
  async (message: "stop" | { port: number; host: string; runsJobs: boolean }) => {
    if (message === "stop") return stop();
    // There is other talk between the processes, which is for others.
    if (!("port" in message)) return;
    try {
      const { serve } = await product();
      const server = await serve(message);
      stop = () => void server.stop().finally(() => process.exit(0));
      process.send?.("listening");
      // Not at its end, which may come without warning.
      setTimeout(flushCompileCache, KEEP_COMPILED_AFTER_MS).unref();
    } catch (error) {
      tell(error);
      process.exit(1);
    }
  },
);
