// Makes a nuisance of itself in a process of its own, so that whoever measures meanwhile is not held up.

import { dripping, listening, signingIn } from "./background-load.ts";
import type { NuisancesWished } from "./start-background-load.ts";

process.on("disconnect", () => process.exit(1));
process.once("message", async ({ origin, ...many }: NuisancesWished & { origin: string }) => {
  const live = await listening(origin, many.listeners);
  const slow = await dripping(origin, many.slow, "headers");
  const bodies = await dripping(origin, many.bodies, "body");
  const people = signingIn(origin, many.signInsPerSecond);
  process.send?.("begun");
  process.once("message", async () => {
    const heard = live.heard();
    for (const each of [live, slow, bodies, people]) await each.stop();
    process.send?.({ heard, statuses: people.statuses }, () => process.exit(0));
  });
});
