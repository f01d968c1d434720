import { readAllBooks } from "./read-all-books.ts";
import { tell } from "./tell.ts";
import { withDatabase } from "./with-database.ts";

try {
  const { invariants, failures } = await withDatabase(readAllBooks);
  for (const { invariant, statement, rows } of failures) {
    console.log(`\n${invariant}: ${statement}`);
    console.table(rows);
  }
  console.log(`${invariants} ledger checks run, ${failures.length} failed.`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  tell(error);
  process.exitCode = 1;
}
