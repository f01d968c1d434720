import { run } from "./setup.mjs";

await run("bin/backup.ts");
