import { run } from "./setup.mjs";

await run("bin/books.ts");
