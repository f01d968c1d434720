import { run } from "./setup.mjs";

await run("bin/doctor.ts");
