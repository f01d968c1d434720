import { run } from "./setup.mjs";

await run("bin/integrity-checks.ts");
