import { Client } from "pg";
import { measureClockSkew } from "#platform/clock-skew.server.ts";
import type { Env } from "#platform/env.server.ts";
import { isMigrated } from "#platform/postgres/migrate.server.ts";
import { describeError, type Finding } from "./finding.ts";

/** PostgreSQL 15 in the format of server_version_num. */
const MIN_VERSION = 150_000;
/** The maximum number of connections of one web process (docs/operations.md). */
const CONNECTIONS_PER_PROCESS = 21;
const MAX_SKEW_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A job checks the ledger every minute. */
const MAX_CHECK_AGE_MINUTES = 15;

/**
 * Checks the database with both roles: connection, write access, version, migrations, privileges
 * and clock.
 */
export async function checkDatabase(env: Env, databaseUrl: string): Promise<Finding[]> {
  const ownerUrl = env.migrationDatabaseUrl ?? databaseUrl;
  const findings = await withClient("DATABASE_URL", databaseUrl, async (client) => [
    ...(await checkServer(client, env)),
    ...(await checkClock(client)),
    ...(await checkSchema(client, env, ownerUrl !== databaseUrl)),
  ]);
  if (ownerUrl === databaseUrl) return findings;
  return [...findings, ...(await withClient("MIGRATION_DATABASE_URL", ownerUrl, checkOwner))];
}

async function withClient(
  variable: string,
  url: string,
  check: (client: Client) => Promise<Finding[]>,
): Promise<Finding[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "furlong-doctor",
  });
  // A connection that is lost later fails the query in progress, which reports it.
  client.on("error", () => {});
  try {
    await client.connect();
    return await check(client);
  } catch (error) {
    return [
      {
        problem: `${variable}: the database does not respond (${describeError(error)})`,
        fix: "Check its host, port, password and firewall, and its pg_hba.conf",
      },
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkServer(client: Client, env: Env): Promise<Finding[]> {
  const { rows } = await client.query<{
    version: number;
    versionText: string;
    isReadOnly: boolean;
    availableConnections: number;
  }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
       pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly",
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int as "availableConnections"`,
  );
  const findings: Finding[] = [];
  const [server] = rows;
  if (!server) return findings;
  if (server.version < MIN_VERSION)
    findings.push({
      problem: `The database is PostgreSQL ${server.versionText}`,
      fix: "Upgrade it to PostgreSQL 15 or newer",
    });
  if (server.isReadOnly)
    findings.push({
      problem: "DATABASE_URL points to a standby or a read-only database",
      fix: "Use an address that always points to the primary",
    });
  const requiredConnections = env.webProcesses * CONNECTIONS_PER_PROCESS;
  if (server.availableConnections < requiredConnections)
    findings.push({
      problem: `The database accepts ${server.availableConnections} connections, and this machine alone may open ${requiredConnections}`,
      fix: `Set max_connections to more than ${CONNECTIONS_PER_PROCESS} × the number of web processes on all machines`,
    });
  return findings;
}

/**
 * Compares the clocks of this machine and the database. Uses the smallest skew of five
 * measurements; the duration of the query does not count as skew.
 */
async function checkClock(client: Client): Promise<Finding[]> {
  let skewMs = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < 5; measurement += 1) {
    const { minMs, maxMs } = await measureClockSkew((text) => client.query(text));
    const skew = minMs > 0 ? minMs : Math.min(maxMs, 0);
    if (Math.abs(skew) < Math.abs(skewMs)) skewMs = skew;
  }
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return [];
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return [
    {
      problem: `This machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's`,
      fix: "Install an NTP service on both machines (chrony or systemd-timesyncd)",
    },
  ];
}

async function checkSchema(
  client: Client,
  env: Env,
  hasSeparateOwner: boolean,
): Promise<Finding[]> {
  const isUpToDate = await isMigrated((text) => client.query(text)).catch(() => false);
  if (!isUpToDate)
    return [
      {
        problem: "The database has not been migrated to this version",
        fix: "Start Furlong, which migrates the database first",
      },
    ];
  const findings =
    env.mode === "production" || hasSeparateOwner ? await checkPrivileges(client) : [];
  return [...findings, ...(await checkLedger(client)), ...(await checkAdmin(client, env))];
}

async function checkPrivileges(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ role: string; canChange: boolean }>(
    `select current_user as role,
       has_table_privilege('ledger_postings', 'update') or has_schema_privilege('public', 'create') as "canChange"`,
  );
  if (!rows[0]?.canChange) return [];
  return [
    {
      problem: `The role ${rows[0].role} of DATABASE_URL may change the schema or the ledger's history`,
      fix: "Use an application role that owns nothing and is not a superuser, as described in docs/operations.md",
    },
  ];
}

async function checkOwner(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ role: string; isOwner: boolean }>(
    `select current_user as role, pg_has_role(current_user, tableowner, 'usage') as "isOwner"
     from pg_tables where schemaname = 'public' and tablename = 'ledger_postings'`,
  );
  if (rows[0]?.isOwner !== false) return [];
  return [
    {
      problem: `The role ${rows[0].role} of MIGRATION_DATABASE_URL does not own the schema`,
      fix: "Use the role that created the tables, or transfer them to this role (reassign owned)",
    },
  ];
}

async function checkLedger(client: Client): Promise<Finding[]> {
  // Recent checks do not read the older rows, so that what the last full one found still counts.
  const { rows } = await client.query<{ failures: number; minutes: number }>(
    `with last_checks as (
       select distinct on (scope) failures, checked_at from integrity_checks order by scope, id desc)
     select (select count(distinct f ->> 'invariant')
         from last_checks, jsonb_array_elements(failures) f)::int as failures,
       floor(extract(epoch from clock_timestamp() - max(checked_at)) / 60)::int as minutes
     from last_checks having count(*) > 0`,
  );
  const [latest] = rows;
  if (!latest || latest.minutes > MAX_CHECK_AGE_MINUTES)
    return [
      {
        problem: latest
          ? `The ledger was last checked ${latest.minutes} minutes ago, so no background jobs are running`
          : "The ledger has never been checked, so no background job has run",
        fix: "Start Furlong, or check its log if it is running",
      },
    ];
  if (latest.failures === 0) return [];
  return [
    {
      problem: `${latest.failures === 1 ? "1 integrity check" : `${latest.failures} integrity checks`} of the ledger failed`,
      fix: "Stop payouts, and run npm run books to list the rows",
    },
  ];
}

async function checkAdmin(client: Client, env: Env): Promise<Finding[]> {
  if (env.mode !== "production" || !env.admin) return [];
  const { rows } = await client.query("select from user_roles where role = 'admin' limit 1");
  if (rows.length === 0) return [];
  return [
    {
      problem: "ADMIN_PASSWORD is still set, although an admin exists",
      fix: "Remove it from the environment, because it is only used until an admin exists",
    },
  ];
}
