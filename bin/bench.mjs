import { run } from "./setup.mjs";

const bench = process.argv.includes("--phone") ? "bench/lighthouse.ts" : "bench/main.ts";
await run(bench, [], { withTests: true });
