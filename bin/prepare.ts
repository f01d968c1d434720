// Runs in a separate process, so that the memory used for preparation is freed afterwards.

import { printError } from "./print-error.ts";
import { importPreparation } from "./server-build.ts";

try {
  const { prepare } = await importPreparation();
  await prepare(console.log);
  process.exit(0);
} catch (error) {
  printError(error);
  process.exit(1);
}
