// Appends new tips to the public log as the job does, in a process that can be paused.
import { setTimeout as sleep } from "node:timers/promises";
import { appendToLog } from "#proof/proof.server.ts";

process.on("SIGTERM", () => process.exit(0));
process.send?.("ready");
for (;;) {
  while ((await appendToLog()) > 0);
  await sleep(2_000);
}
