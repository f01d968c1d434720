import type { Config } from "@react-router/dev/config";
import { buildWorker } from "./bin/build-worker.ts";
import { precompress } from "./bin/precompress.ts";

export default {
  appDirectory: "src",
  // One trip fewer on a slow phone: the route table comes with the first page.
  routeDiscovery: { mode: "initial" },
  async buildEnd() {
    await buildWorker();
    await precompress("build/client");
  },
} satisfies Config;
