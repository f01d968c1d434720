import { checkProof } from "./proof/check-proof.ts";

// Checks the public log of a site, or a copy of it in a folder (docs/proof.md). Needs no database. Exits with 1 if
// something was found, and with 2 if the arguments are wrong or the log cannot be read.

process.exitCode = await checkProof(process.argv.slice(2), {
  print: console.log,
  printError: console.error,
  now: new Date(),
});
