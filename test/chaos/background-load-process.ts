// Runs the background load in its own process, so that it does not delay the measuring process.

import { openEventStreams, openSlowRequests, sendFailedSignIns } from "./background-load.ts";
import type { BackgroundLoadSize } from "./start-background-load.ts";

process.on("disconnect", () => process.exit(1));
process.once("message", async ({ origin, ...size }: BackgroundLoadSize & { origin: string }) => {
  const streams = await openEventStreams(origin, size.eventStreams);
  const slowHeaders = await openSlowRequests(origin, size.slowConnections, "headers");
  const slowBodies = await openSlowRequests(origin, size.endlessBodies, "body");
  const signIns = sendFailedSignIns(origin, size.signInsPerSecond);
  process.send?.("started");
  process.once("message", async () => {
    const connected = streams.connected();
    for (const load of [streams, slowHeaders, slowBodies, signIns]) await load.stop();
    process.send?.({ connected, statuses: signIns.statuses }, () => process.exit(0));
  });
});
