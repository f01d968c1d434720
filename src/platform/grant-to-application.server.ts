import pg from "pg";

/** What is only ever added to: the application's own role may not even ask for more. */
const APPEND_ONLY = [
  "ledger_transactions",
  "ledger_postings",
  "sales",
  "earning_reversals",
  "earning_restorations",
  "purchase_adjustments",
  "result_entries",
  "audit_entries",
];

/**
 * Where the application connects by a role of its own, gives it what it needs of the owner's schema:
 * to read and write, but not to change history or the schema.
 */
export async function grantToApplication(ownerUrl: string, applicationUrl: string): Promise<void> {
  const role = await userOf(applicationUrl);
  if (role === (await userOf(ownerUrl))) return;
  const name = pg.escapeIdentifier(role);
  await query(
    ownerUrl,
    `grant usage on schema public, jobs to ${name};
     grant select, insert, update, delete on all tables in schema public, jobs to ${name};
     grant usage, select on all sequences in schema public, jobs to ${name};
     grant execute on all functions in schema public, jobs to ${name};
     revoke insert, update, delete on schema_migrations from ${name};
     revoke update, delete, truncate on ${APPEND_ONLY.join(", ")} from ${name};
     revoke delete, truncate on tips, race_cards from ${name};`,
  );
}

async function userOf(url: string): Promise<string> {
  const { rows } = await query(url, "select current_user as name");
  return (rows[0] as { name: string }).name;
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url, application_name: "furlong-prepare" });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
