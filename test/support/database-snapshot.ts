import { Client } from "pg";
import { inject } from "vitest";

/** A copy of every row of the test database. */
export type Snapshot = {
  /** Replaces all rows by the copied ones, as restoring a backup does. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Copies every row of the test database. */
export async function takeSnapshot(): Promise<Snapshot> {
  const url = new URL(inject("superuserUrl"));
  url.pathname = new URL(process.env.DATABASE_URL ?? "").pathname;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  // Bypasses triggers and foreign keys.
  await client.query("set session_replication_role = replica");
  const { rows } = await client.query<{ name: string; columns: string }>(`
    select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`);
  await client.query("drop schema if exists snapshot cascade; create schema snapshot");
  for (const { name, columns } of rows)
    await client.query(`create table snapshot.${name} as select ${columns} from public.${name}`);
  return {
    restore: async () => {
      await client.query("begin");
      for (const { name, columns } of rows)
        await client.query(
          `delete from public.${name};
           insert into public.${name} (${columns}) overriding system value
           select ${columns} from snapshot.${name}`,
        );
      await client.query("commit");
    },
    close: async () => {
      await client.query("drop schema snapshot cascade");
      await client.end();
    },
  };
}
