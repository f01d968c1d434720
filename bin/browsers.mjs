import { run } from "./setup.mjs";

await run("e2e/browsers/main.ts", [], { withTests: true });
