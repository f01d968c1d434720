// Creates the demo's data for the browser tests while `npm test` runs other tests. Sends the path of the folder to the
// parent process, and deletes the folder when the parent process exits or stops this one.
import { once } from "node:events";
import { createShutdownSignal } from "#bin/shutdown-signal.ts";
import { createDemoFolder } from "./demo-folder.ts";

const signal = createShutdownSignal();
const { dataDir, remove } = await createDemoFolder();
if (!signal.aborted) {
  process.send?.(dataDir);
  await once(signal, "abort");
}
await remove();
process.exit(0);
