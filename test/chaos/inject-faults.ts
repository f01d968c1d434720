import type { Pool } from "pg";

// Faults are injected into the database of the environment; the build is not changed.

/** Replaces parts of a database function. Throws when a pattern does not match. */
export async function rewriteFunction(
  db: Pool,
  name: string,
  ...changes: [pattern: RegExp, replacement: string][]
): Promise<void> {
  const { rows } = await db.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where proname = $1",
    [name],
  );
  let text = rows[0]?.text ?? "";
  for (const [pattern, replacement] of changes) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${name} does not match ${pattern}`);
    text = changed;
  }
  await db.query(text);
}

/** Drops every check and unique constraint of some tables, except primary keys. */
export async function dropConstraints(db: Pool, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await db.query<{ name: string }>(
      "select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'u')",
      [table],
    );
    for (const { name } of rows)
      await db.query(`alter table ${table} drop constraint "${name}" cascade`);
  }
}

/** Removes the locks of the unlock function and the constraints that would refuse a second sale. */
export async function removeUnlockGuards(db: Pool): Promise<void> {
  await dropConstraints(db, "wallets", "ledger_postings", "sales");
  await rewriteFunction(
    db,
    "unlock_race_card",
    [/for update;/, "; perform pg_sleep(0.02);"],
    // Writes a balance computed from an earlier read: a lost update.
    [/set balance_coins = w\.balance_coins - 4/, "set balance_coins = v_wallet.balance_coins - 4"],
    [/p_buyer \|\| ':' \|\| p_card/, "gen_random_uuid()::text"],
  );
}
