import { run } from "./setup.mjs";

await run("bench/main.ts", [], { withTests: true });
