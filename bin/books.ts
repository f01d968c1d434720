import { now } from "#platform/clock.server.ts";
import { closeDatabase, pool } from "#platform/database.server.ts";
import { readBooks } from "../src/books/books.server.ts";
import { tell } from "./tell.ts";
import { withDatabase } from "./with-database.ts";

/** Reads every invariant of the books, and shows the rows of those that do not hold. */
async function books(): Promise<number> {
  const client = await pool().connect();
  try {
    const { invariants, failures } = await readBooks(client, { at: now() });
    for (const { invariant, statement, rows } of failures) {
      console.log(`\n${invariant}: ${statement}`);
      console.table(rows);
    }
    console.log(`${invariants} invariants read, ${failures.length} do not hold.`);
    return failures.length === 0 ? 0 : 1;
  } finally {
    client.release();
    await closeDatabase();
  }
}

try {
  process.exitCode = await withDatabase(books);
} catch (error) {
  tell(error);
  process.exitCode = 1;
}
