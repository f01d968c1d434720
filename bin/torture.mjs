import { run } from "./setup.mjs";

await run("test/torture/main.ts", [], { withTests: true });
