import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { EnvError } from "#platform/env.server.ts";

/**
 * Applies the pending migrations of a database, each in its own transaction. Must be called under
 * the migration lock. Throws when the text of an applied migration has changed, and an EnvError
 * when the database was created by a development version whose migrations are not part of the
 * baseline.
 */
export async function migrate(client: Client, folder = join(process.cwd(), "db/migrations")) {
  await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from schema_migrations",
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const migrations = await readMigrations(folder);
  const [baseline] = migrations;
  if (applied.size > 0 && baseline && !applied.has(baseline.name))
    throw new EnvError([
      "The database was created by a development version of Furlong, which this version cannot upgrade: start with an empty database, or with another DATA_DIR if Furlong runs its own PostgreSQL",
    ]);
  for (const migration of migrations) {
    const appliedHash = applied.get(migration.name);
    if (appliedHash === migration.sha256) continue;
    if (appliedHash)
      throw new Error(
        `${migration.name} was changed after it was applied. Restore it and add a new migration.`,
      );
    await client.query("begin");
    await client.query(migration.text);
    await client.query("insert into schema_migrations (name, sha256) values ($1, $2)", [
      migration.name,
      migration.sha256,
    ]);
    await client.query("commit");
  }
}

/** Returns true when every migration of this version has been applied to the queried database. */
export async function isMigrated(
  query: (text: string) => Promise<{ rows: { name: string }[] }>,
  folder = join(process.cwd(), "db/migrations"),
): Promise<boolean> {
  const { rows } = await query("select name from schema_migrations");
  const applied = new Set(rows.map((row) => row.name));
  return (await readMigrations(folder)).every((migration) => applied.has(migration.name));
}

async function readMigrations(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return { name, text, sha256: Buffer.from(digest).toString("hex") };
    }),
  );
}
