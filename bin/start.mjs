import { run } from "./setup.mjs";

await run("bin/serve.ts");
