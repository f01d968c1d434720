import { run } from "./setup.mjs";

await run("bin/check.ts", [], { withTests: true });
