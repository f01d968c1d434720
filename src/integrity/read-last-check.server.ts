import { pool } from "#platform/database.server.ts";

/** How the books stood when they were last looked at. */
export type IntegrityCheckRun = {
  scope: "recent" | "full";
  checkedAt: Date;
  failures: { invariant: string; statement: string; rows: number }[];
};

/** The last check of the books and the last of all of them, or null before the first. */
export async function readLastChecks(): Promise<{
  last: IntegrityCheckRun | null;
  lastFull: IntegrityCheckRun | null;
}> {
  const [last, lastFull] = await Promise.all([newest("true"), newest("scope = 'full'")]);
  return { last, lastFull };
}

async function newest(condition: "true" | "scope = 'full'"): Promise<IntegrityCheckRun | null> {
  const { rows } = await pool().query<IntegrityCheckRun>(
    `select scope, checked_at as "checkedAt",
       coalesce((select jsonb_agg(jsonb_build_object('invariant', f ->> 'invariant',
           'statement', f ->> 'statement', 'rows', jsonb_array_length(f -> 'rows')))
         from jsonb_array_elements(failures) f), '[]') as failures
     from books_checks where ${condition} order by id desc limit 1`,
  );
  return rows[0] ?? null;
}
