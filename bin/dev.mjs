import { run } from "./setup.mjs";

// The condition picks the libraries' development builds, with their explanations.
await run("bin/dev.ts", ["--conditions=development"]);
