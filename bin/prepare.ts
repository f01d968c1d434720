// Runs in a separate process, so that the memory used for preparation is freed afterwards.

import { printError } from "./print-error.ts";
import { importServerBuild } from "./server-build.ts";

try {
  const { prepare } = await importServerBuild();
  await prepare(console.log);
  process.exit(0);
} catch (error) {
  printError(error);
  process.exit(1);
}
