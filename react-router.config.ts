import type { Config } from "@react-router/dev/config";
import { buildWorker } from "./bin/build-worker.ts";
import { precompress } from "./bin/precompress.ts";

export default {
  appDirectory: "src",
  // Sends the route table with the first page, which saves slow phones a round trip.
  routeDiscovery: { mode: "initial" },
  async buildEnd() {
    await buildWorker();
    await precompress("build/client");
  },
} satisfies Config;
