import { run } from "./setup.mjs";

await run("bin/torture.ts", [], { withTests: true });
