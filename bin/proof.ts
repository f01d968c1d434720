import { checkProof } from "./proof/check-proof.ts";

// Checks the public log of a site, or a copy of it in a folder, without a database; or continues the log of this
// installation as its operator (docs/proof.md). Exits with 1 if something was found or refused, and with 2 if the
// arguments are wrong or the log cannot be read.

const OPERATOR_COMMANDS = ["confirm", "recover", "rotate-key", "new-log"];

const [name = "", ...rest] = process.argv.slice(2);
if (OPERATOR_COMMANDS.includes(name)) {
  const commands = await import("./proof/operator-commands.ts");
  process.exitCode = await commands.runOperatorCommand(name, rest);
} else {
  process.exitCode = await checkProof(name === "verify" ? rest : process.argv.slice(2), {
    print: console.log,
    printError: console.error,
    now: new Date(),
  });
}
