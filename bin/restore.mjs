import { run } from "./setup.mjs";

await run("bin/restore.ts");
