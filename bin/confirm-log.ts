import { readFileSync } from "node:fs";
import { closeDatabase } from "#platform/database.server.ts";
import { type ConfirmLogResult, confirmLog } from "#proof/proof.server.ts";
import { readEnvOrExit } from "./command-environment.ts";
import { printError } from "./print-error.ts";
import { withDatabase } from "./with-database.ts";

// Resumes the public log after a restore (docs/proof.md). Exits with 1 if the checkpoint is refused, and with 2 if
// the arguments are wrong.

const USAGE = `Usage: node bin/furlong.mjs confirm-log FILE    (the newest checkpoint that anybody outside has)
       node bin/furlong.mjs confirm-log --none  (nobody outside has a checkpoint)`;

const REFUSALS: Record<Extract<ConfirmLogResult, { ok: false }>["refusal"], string> = {
  "no-log": "This database has no log.",
  "not-stopped": "The log is not stopped. Nothing to confirm.",
  unreadable: "This is not a checkpoint: three lines with origin, size and root, then signatures.",
  "other-log": "This is a checkpoint of another log.",
  behind:
    "The restored log has fewer entries than the checkpoint. Restore a newer backup. Without one, the log stays stopped.",
  different: "The restored log has other entries than the checkpoint. It stays stopped.",
};

const args = process.argv.slice(2);
const [argument = ""] = args;
if (args.length !== 1 || (argument.startsWith("-") && argument !== "--none")) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const checkpoint = argument === "--none" ? null : readFileSync(argument, "utf8");
    // The owner's role, because the application's cannot change the log.
    const { migrationDatabaseUrl } = readEnvOrExit();
    if (migrationDatabaseUrl) process.env.DATABASE_URL = migrationDatabaseUrl;
    const result = await withDatabase(() => confirmLog(checkpoint).finally(closeDatabase));
    console.log(
      result.ok ? `The log resumes after ${result.size} entries.` : REFUSALS[result.refusal],
    );
    process.exitCode = result.ok ? 0 : 1;
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}
