import { checkProof } from "./proof/check-proof.ts";

// Verifies the public log of a site or a copy of it in a folder, without a database; or runs a command of this
// installation's operator on its log (docs/proof.md). Exits with 1 if there are findings or the command is refused,
// and with 2 if the arguments are wrong or the log cannot be read.

const OPERATOR_COMMANDS = ["confirm", "rotate-key", "new-log"];

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
