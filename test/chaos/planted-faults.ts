import type { Pool } from "pg";

// What breaks the product on purpose does it in the database of the run: the product stays as it is built.

/** Makes a database function anew with a part of its text left out or replaced; throws where it is not there. */
export async function rewriteFunction(
  db: Pool,
  name: string,
  ...changes: [from: RegExp, to: string][]
): Promise<void> {
  const { rows } = await db.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where proname = $1",
    [name],
  );
  let text = rows[0]?.text ?? "";
  for (const [from, to] of changes) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${name} has nothing like ${from}`);
    text = changed;
  }
  await db.query(text);
}

/** Takes every check and unique key off some tables, but for their primary keys. */
export async function dropGuards(db: Pool, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await db.query<{ name: string }>(
      "select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'u')",
      [table],
    );
    for (const { name } of rows)
      await db.query(`alter table ${table} drop constraint "${name}" cascade`);
  }
}

/** Opens cards without locking anything and without any key that would stop a second sale. */
export async function unlockUnguarded(db: Pool): Promise<void> {
  await dropGuards(db, "wallets", "ledger_postings", "sales");
  await rewriteFunction(
    db,
    "unlock_race_card",
    [/for update;/, "; perform pg_sleep(0.02);"],
    // What was read before is written: the classic lost update.
    [/set balance_coins = w\.balance_coins - 4/, "set balance_coins = v_wallet.balance_coins - 4"],
    [/p_buyer \|\| ':' \|\| p_card/, "gen_random_uuid()::text"],
  );
}
