import pg from "pg";

/** Append-only tables: the application's role may neither update nor delete their rows. */
const APPEND_ONLY = [
  "ledger_transactions",
  "ledger_postings",
  "sales",
  "prices",
  "earning_reversals",
  "earning_restorations",
  "coin_returns",
  "payment_exports",
  "purchase_adjustments",
  "result_entries",
  "tip_settlements",
  "race_changes",
  "void_race_cards",
  "race_card_notes",
  "audit_entries",
  "proof_entries",
  "proof_nodes",
  "proof_checkpoints",
  "proof_creator_entries",
  "proof_creator_names",
  "tip_commitments",
  "proof_withdrawals",
  "proof_results",
  "proof_admins",
  "proof_files",
  "proof_file_entries",
  "proof_manifests",
  "proof_checkpoint_emails",
  "proof_timestamps",
];

/**
 * Grants the application's role the rights it needs in the owner's schema, if the roles differ: to
 * read and write, but not to change history or the schema. Must be called under the migration lock.
 */
export async function grantToApplication(owner: pg.Client, applicationUrl: string): Promise<void> {
  const role = await readRoleName(applicationUrl);
  const { rows } = await owner.query<{ name: string }>("select current_user as name");
  if (role === rows[0]?.name) return;
  const name = pg.escapeIdentifier(role);
  await owner.query(
    `grant usage on schema public, jobs to ${name};
     grant select, insert, update, delete on all tables in schema public, jobs to ${name};
     grant usage, select on all sequences in schema public, jobs to ${name};
     grant execute on all functions in schema public, jobs to ${name};
     revoke insert, update, delete on schema_migrations from ${name};
     revoke update, delete, truncate on ${APPEND_ONLY.join(", ")} from ${name};
     revoke update, truncate on result_runners from ${name};
     revoke truncate on race_results, tip_results from ${name};
     revoke insert on proof_entries from ${name};
     revoke update, delete, truncate on proof_logs from ${name};
     revoke delete, truncate on proof_creators, proof_signing_keys from ${name};
     revoke delete, truncate on tips, race_cards, race_card_offers, payment_export_lines from ${name};`,
  );
}

async function readRoleName(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, application_name: "furlong-migrate" });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>("select current_user as name");
    return rows[0]?.name ?? "";
  } finally {
    await client.end();
  }
}
