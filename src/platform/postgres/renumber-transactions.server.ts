import pg from "pg";

/**
 * Renumbers stored transaction ids after a dump was restored on another server. Stored sums use
 * PostgreSQL's transaction ids: each row stores its own (`created_xid`), and each sum the id before
 * which all rows are included (`before_xid`). A restored dump can contain ids that the new server
 * has not reached yet, so that new rows would count as already included. All ids are then replaced
 * by small ones in the same order. Must be called under the migration lock, before any write to these tables.
 * Calls `onRestore` before it replaces them, again at the next start if the process ends meanwhile.
 * Returns true when ids were replaced.
 */
export async function renumberTransactions(
  client: pg.Client,
  onRestore: () => Promise<void> = async () => {},
): Promise<boolean> {
  await client.query("begin");
  const columns = await listTransactionIdColumns(client);
  const isAhead = await isAheadOfServer(client, columns);
  if (isAhead) {
    await onRestore();
    await renumber(client, columns);
  }
  await client.query("commit");
  return isAhead;
}

type Column = { table: string; column: string };

async function listTransactionIdColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as "table", quote_ident(a.attname) as "column"
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and a.atttypid = 'xid8'::regtype
       and a.attnum > 0 and not a.attisdropped
     order by 1, 2`,
  );
  return rows;
}

async function isAheadOfServer(client: pg.Client, columns: Column[]): Promise<boolean> {
  const newestIds = columns.map(
    ({ table, column }) => `(select ${column} from ${table} order by ${column} desc limit 1)`,
  );
  const { rows } = await client.query<{ ahead: boolean | null }>(
    `select greatest(${newestIds.join(", ")}) > pg_snapshot_xmax(pg_current_snapshot()) as ahead`,
  );
  return rows[0]?.ahead ?? false;
}

/**
 * Replaces each id with the number of `before_xid` values that are not above it, which preserves its order
 * relative to each of them. ALTER TABLE rewrites the tables without firing row triggers.
 */
async function renumber(client: pg.Client, columns: Column[]): Promise<void> {
  const positions: string[] = [];
  for (const { table, column } of columns.filter(({ column }) => column === "before_xid")) {
    const { rows } = await client.query<{ position: string }>(
      `select ${column}::text as position from ${table}`,
    );
    positions.push(...rows.map((row) => row.position));
  }
  for (const { table, column } of columns) {
    const reached = positions.map(
      (position) => `(${column} >= ${pg.escapeLiteral(position)}::xid8)::int`,
    );
    await client.query(
      `alter table ${table} alter column ${column} type xid8
       using ((${["0", ...reached].join(" + ")})::text::xid8)`,
    );
  }
}
