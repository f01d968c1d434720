import { printError } from "./print-error.ts";
import { runAllIntegrityChecks } from "./run-integrity-checks.ts";
import { withDatabase } from "./with-database.ts";

try {
  const { invariants, failures } = await withDatabase(runAllIntegrityChecks);
  for (const { invariant, statement, rows } of failures) {
    console.log(`\n${invariant}: ${statement}`);
    console.table(rows);
  }
  console.log(`${invariants} integrity checks run, ${failures.length} failed.`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
