import { run } from "./setup.mjs";

await run("test/mutants/main.ts", [], { withTests: true });
