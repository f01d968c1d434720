import { pool } from "#platform/database.server.ts";

/** Runs `work` while the database refuses to insert, update or delete the rows of a table that match a condition. */
export async function withRefusedWrites<T>(
  {
    table,
    write,
    condition,
  }: { table: string; write: "insert" | "update" | "delete"; condition: string },
  work: () => Promise<T>,
): Promise<T> {
  await pool().query(`
    create function refuse_test_write() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test'; end $$;
    create trigger refuse_test_write before ${write} on ${table} for each row
      when (${condition}) execute function refuse_test_write()`);
  try {
    return await work();
  } finally {
    await pool().query(
      `drop trigger refuse_test_write on ${table}; drop function refuse_test_write`,
    );
  }
}
