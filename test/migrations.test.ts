import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { jobs } from "#jobs.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";
import { makeTwoRoleDatabase, runQuery, type TwoRoleDatabase } from "#test/two-roles.ts";

// Seeding takes a minute; these tests need the schema of the demo only.
vi.mock("#demo/demo.server.ts", async (original) => ({
  ...(await original<typeof import("#demo/demo.server.ts")>()),
  updateDemo: async () => {},
}));

/** The SHA-256 of each file of db/migrations. Existing lines must never change. */
const HASHES: Record<string, string> = {
  "0001-platform.sql": "a62f79971a8a96378e3dbb8529e4750eaefa5fb9627771ee82b0bdf18f04db02",
  "0002-audit.sql": "b906e1c3d8750ab60523565cebe0add42dac2d8c08e3de1258aa11cbc846d561",
  "0003-wallet.sql": "b72d0c747dd06a83c8b03cbcdc6221f9fa3d9e6d3c71dad9213a30ed41c0c869",
  "0004-identity.sql": "e4b6308e23554b8f305eddc76f8f46eddaf428524d4984cf96fddd62c41d8295",
  "0005-racing.sql": "b04e8c05a6193d6c873a3609f1b25b6318b63550e1aee05f06db9764c762b8a7",
  "0006-creators.sql": "d28c6635442f6872dbd6840e956b4a411d772ec18e77d1c14c1422dcd0cb0757",
  "0007-tips.sql": "7021e385dbc261aeceeb7376baf9473de6fa367d82a2bf5d52c8fda4160d3b9a",
  "0008-sales.sql": "41394febeaba16d54904cd844ee5cc6f50e2f6ed77671e431169e675c74d2762",
  "0009-payouts.sql": "b66f39eb57f904f73bb0bdd23521ab92d6b7010da5edce1c37549b61a461d141",
  "0010-payments.sql": "677a6e883d47071de3a218dfd1df8464ddfb3201a941240888dbf1e4c7049335",
  "0011-standings.sql": "0f254541aef49cfa09fb948eb311620bf2178c254d7b343438a7390a7f59cf27",
  "0012-integrity.sql": "cd48888e32694448ebdc1f60cdc31cbb0bd43533425ea0f56eb16707eade1879",
  "0013-proof.sql": "c3ed0716a07f17c551299d39ec3cddffc98c038e61e68e2ca97151c137a95f61",
  "0014-racing.sql": "f7662cc024e738eb7c1a829bf0db7b75e50af3a5e9450e188e7a38bb9c03ae14",
  "0015-sales.sql": "4a0b50fd4f2f89ad8d98e0f0dfc2d068590cef27779e7dbe7c653dcb9124752c",
  "0016-identity.sql": "8b79fa514b47b547f961bebae9742c8bd7e9e8c309b73dc2319156936b03f117",
  "0017-proof.sql": "515bb7f33dc42bdaa00d15362c5eeccd8e2de657294d4d2fba7214b2b1ab2d01",
  "0018-sales.sql": "5ea2d4249b6c8730f5a9811d2df9715fdb66ae0c32a4d92a8c4328cad127e453",
  "0019-sales.sql": "d817b239e0f8f48728f924c8cbc7e48eda1aea239c85cfdef836286edea3f93d",
  "0020-tips.sql": "0b2d67cc1ba7bcf1281992bd5b5e5d71d6d9bd59f5c484fa0cc24a4c1d1af934",
  "0021-payouts.sql": "8a162d303ffe70ccf05c42facf2154b788d6ea45a3133da892fa38908ddc958c",
  "0022-wallet.sql": "7bde217f2c2e946ab010a3674602eb00e9a4ef913909ca9aae650b66868a5860",
  "0023-sales.sql": "1cb2eef941dcb32c2bc0489bda0cf8bdcc1e48a88bb9a57a1942d3efb1303775",
  "0024-payments.sql": "a34bbef027984fd9a3c27f57d5ef7871dc1f9a2164a995718658e857ad57f27d",
  "0025-proof.sql": "764f8096076d35e0f88972bdcbd4272133a542c62b0ea952c1f963412943b511",
  "0026-racing.sql": "09ae1bb0697d411042558d44d617394039db2032f93962b7a928fae440f9d43b",
  "0027-payments.sql": "2718c1e8b87ec2347de55fd44bdfbc2d9d143b7f89a9e1b094ed92a68a68b230",
  "0028-payments.sql": "a8fc316b8baf5c411e3d322079f88645b17dcd1e7c1346ef3d5a3f71af500eef",
  "0029-payments.sql": "827598fba18e2829353c08e5a379f534c3e8ef14c0c246e4822e43d321611099",
  "0030-tips.sql": "532756f2ba4ae1eb940c97f4311e664960abd627e23308c71f68a54715761a5c",
  "0031-sales.sql": "45cb80f696d5245206b423762e86ef512ed561f86e0c60692387c3e4288820b3",
  "0032-tips.sql": "33aa5317dc59d0edec00e9caae9fb4e5193da39c9c116bd55003e1bc1c98f5ee",
  "0033-sales.sql": "254d564b2c7ae98d346534c78297a7f66717965801c56108df7583cf181d0f09",
  "0034-tips.sql": "3c72066eeb48d63585bf1c4ecf4847a88f3304c2133a025402dc86f9e3d4fb03",
  "0035-tips.sql": "734ed516cbf5f3ba5457b1a45e62023d3ce95dcf21a6a345ec2c202ac3b7c800",
  "0036-tips.sql": "b1273450ce7fed72a4970b35b8c9b06fb108b0919eeb591dcbc56b1c91957a25",
  "0037-tips.sql": "24f5655f14d9910ae2e870ce765a5c4a5e483f6c0336a10775dcc9c299f62b7a",
  "0038-payments.sql": "4ad832ed29896647d1d0c653769816cf3a5917253c86f9928b6e47f7f0b4c2cd",
  "0039-tips.sql": "2d26d954fc732a4626e2de22920c6a9c82a525afa63820804916fd82dd319749",
  "0040-tips.sql": "2f1db853a9c65016587c7917f4ebc79a22670a414ebd62f64090dbfed7e3bd45",
  "0041-payments.sql": "70a05a6c26f24d4df99134304c91b8a3c153908d6d7eb28d5af9413ef3ded3b3",
  "0042-payouts.sql": "9e8ff5122d8bc30c288cb7c33b24d819fe50c5bd92720555c7b57a6852711dfd",
  "0043-tips.sql": "49ef418ee60bb611f69a73e9d72f7bb3925a150a00d4cde59b9c88c2a9b385ae",
  "0044-tips.sql": "81b78f5cea45bb39475d7a2b606317094d46eadb44324315e118073d48b3b6ae",
  "0045-tips.sql": "8d16eff8186f5db2750a6238b6c4638e47623c7c00208150d943105f7a8b786d",
  "0046-platform.sql": "c04493c553826cba10d3324eb1fe813b034c4e12f40ad36391a867f63ca35754",
  "0047-payouts.sql": "c846496b9d9da2f10557183c3253a1718bfc4ea97b405f9fc4e12b3e3e930bba",
  "0048-tips.sql": "29fc81bb9e33f3ebc44e75e46252dd1f9c0177c49ab9779240b653f269ec5d76",
  "0049-creators.sql": "242ac16da292958e64fe10dfc2efbcec4ab5f64a253d598f912e6876ffe6650f",
};

const HOW_TO_ADD = `Migrations are frozen: never change, rename or delete a file of db/migrations.
To add a migration: create db/migrations/<next number>-<feature>.sql, run "sha256sum" on it, and add its line to
HASHES in test/migrations.test.ts. See "To add a migration" in CONTRIBUTING.md.`;

let roles: TwoRoleDatabase;
beforeAll(async () => {
  roles = await makeTwoRoleDatabase(inject("superuserUrl"));
});
afterAll(() => roles.drop());

describe("the files of db/migrations", () => {
  it("match their recorded hashes", () => {
    const hashes = Object.fromEntries(
      readdirSync("db/migrations").map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(`db/migrations/${name}`))
          .digest("hex"),
      ]),
    );
    expect(hashes, HOW_TO_ADD).toEqual(HASHES);
  });

  it("are numbered without gaps", () => {
    const numbers = readdirSync("db/migrations").map((name) => Number(/^\d{4}/.exec(name)?.[0]));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  });
});

// pg_restore checks constraints without a search path.
it("evaluates the functions of constraints without a search path", async () => {
  const url = new URL(process.env.DATABASE_URL as string);
  url.searchParams.set("options", "-c search_path=");
  const [row] = await runQuery(
    url.href,
    `select public.is_valid_sale('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002',
         4::smallint, '{00000000-0000-0000-0000-000000000003}', public.split_price(1)) as sale,
       public.is_valid_earning(2800, null, null, null) as earning,
       public.is_valid_ledger_transaction('unlock', 'x') as transaction,
       public.is_valid_posting('granted', null, 'coin', -4, null) as posting`,
  );
  expect(row).toEqual({ sale: true, earning: true, transaction: true, posting: true });
});

describe("preparing the database", () => {
  const FAKE_TABLES = `select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name like 'fake\\_%' order by 1`;
  const sharedVariables = () => ({
    DATABASE_URL: roles.applicationUrl,
    MIGRATION_DATABASE_URL: roles.ownerUrl,
  });
  const productionVariables = () => ({
    ...sharedVariables(),
    APP_ENV: "production",
    APP_URL: "https://furlong.example",
    AUTH_SECRET: "a secret of thirty-two characters",
    STRIPE_SECRET_KEY: "sk_live_production",
    STRIPE_WEBHOOK_SECRET: "whsec_production",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "Furlong <tips@furlong.example>",
    COMPANY_NAME: "Furlong Tips (Pty) Ltd",
    ADMIN_EMAIL: "admin@furlong.example",
    ADMIN_PASSWORD: "the password of the admin",
  });

  /** Prepares the schema as a start does, in a process with these environment variables. */
  async function prepareWith(variables: Record<string, string>): Promise<void> {
    const before = { ...process.env };
    Object.assign(process.env, variables);
    vi.resetModules();
    try {
      const { prepare } = await import("../src/prepare.server.ts");
      await prepare();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  it("creates no table of the fake payment provider in production", async () => {
    await prepareWith(productionVariables());
    expect(await runQuery(roles.ownerUrl, "select count(*)::int as users from users")).toEqual([
      { users: 1 },
    ]);
    expect(await runQuery(roles.ownerUrl, FAKE_TABLES)).toEqual([]);
  });

  it("creates the fake payment provider's tables in the demo, and keeps their rows", async () => {
    await prepareWith(sharedVariables());
    await runQuery(
      roles.applicationUrl,
      `insert into fake_stripe_events (id, type, payload, created_at) values ('evt_1', 'a', '{}', now());
       update fake_stripe_events set delivered_at = now();
       insert into fake_stripe_events (id, type, payload, created_at) values ('evt_2', 'a', '{}', now());
       delete from fake_stripe_events where id = 'evt_2'`,
    );
    await prepareWith(sharedVariables());
    expect(await runQuery(roles.ownerUrl, FAKE_TABLES)).toEqual([
      { name: "fake_paystack_disputes" },
      { name: "fake_paystack_events" },
      { name: "fake_paystack_recipients" },
      { name: "fake_paystack_refunds" },
      { name: "fake_paystack_transactions" },
      { name: "fake_paystack_transfers" },
      { name: "fake_stripe_events" },
      { name: "fake_stripe_sessions" },
    ]);
    expect(await runQuery(roles.applicationUrl, "select id from fake_stripe_events")).toEqual([
      { id: "evt_1" },
    ]);
  });

  it("stops the public log of a dump that was restored on another server, until it is confirmed", async () => {
    await prepareWith(productionVariables());
    const isStopped = () =>
      runQuery(
        roles.ownerUrl,
        `select unconfirmed_since is not null as "isStopped", (select count(*)::int from alerts
           where kind = 'log-stopped' and resolved_at is null) as alerts from proof_logs`,
      );
    expect(await isStopped()).toEqual([{ isStopped: false, alerts: 0 }]);
    // A position that this server reaches after nine billion transactions.
    await runQuery(roles.ownerUrl, "update earning_days_position set before_xid = '9000000000'");
    await prepareWith(productionVariables());
    expect(await isStopped()).toEqual([{ isStopped: true, alerts: 1 }]);
    await runQuery(
      roles.ownerUrl,
      "update proof_logs set unconfirmed_since = null; update alerts set resolved_at = now()",
    );
    await prepareWith(productionVariables());
    expect(await isStopped()).toEqual([{ isStopped: false, alerts: 0 }]);
  });
});

describe("a database created by a development version before the baseline", () => {
  it("is refused with a one-line message and not changed", async () => {
    const database = await makeTwoRoleDatabase(inject("superuserUrl"));
    try {
      await runQuery(
        database.ownerUrl,
        `create table schema_migrations (
           name text primary key, sha256 text not null, applied_at timestamptz not null default now());
         insert into schema_migrations (name, sha256) values ('0001-foundations.sql', 'a')`,
      );
      const { ownerUrl, applicationUrl } = database;
      await expect(prepareSchema({ ownerUrl, applicationUrl, jobs: jobs() })).rejects.toMatchObject(
        {
          problems: [expect.stringMatching(/created by a development version.*empty database/)],
        },
      );
      const tables = "select tablename from pg_tables where schemaname = 'public'";
      expect(await runQuery(ownerUrl, tables)).toEqual([{ tablename: "schema_migrations" }]);
    } finally {
      await database.drop();
    }
  });
});

describe("database privileges", () => {
  beforeAll(() =>
    prepareSchema({
      ownerUrl: roles.ownerUrl,
      applicationUrl: roles.applicationUrl,
      jobs: jobs(),
    }),
  );

  /** Selects the tables whose row triggers refuse every update or every delete. */
  const GUARDED = `
    select c.relname as name, bool_or(t.tgtype & 16 > 0) as "update", bool_or(t.tgtype & 8 > 0) as "delete"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where p.proname in ('refuse_change', 'refuse_reversal_change') and t.tgtype & 1 > 0
      and (t.tgattr = '' or t.tgtype & 16 = 0)
    group by 1 order by 1`;

  it("do not allow the application role to update, delete from or truncate append-only tables", async () => {
    const guarded = (await runQuery(roles.ownerUrl, GUARDED)) as {
      name: string;
      update: boolean;
      delete: boolean;
    }[];
    const names = guarded.filter((row) => row.update && row.delete).map(({ name }) => name);
    expect(names).toEqual([
      "audit_entries",
      "coin_returns",
      "earning_restorations",
      "earning_reversals",
      "ledger_postings",
      "ledger_transactions",
      "payment_exports",
      "prices",
      "proof_admins",
      "proof_checkpoint_emails",
      "proof_checkpoints",
      "proof_creator_entries",
      "proof_creator_names",
      "proof_entries",
      "proof_file_entries",
      "proof_files",
      "proof_manifests",
      "proof_nodes",
      "proof_results",
      "proof_timestamps",
      "proof_withdrawals",
      "purchase_adjustments",
      "race_card_notes",
      "race_changes",
      "result_entries",
      "sales",
      "tip_commitments",
      "tip_settlements",
      "void_race_cards",
    ]);
    for (const { name, ...refuses } of guarded)
      for (const privilege of ["update", "delete", "truncate"] as const) {
        const [response] = await runQuery(
          roles.applicationUrl,
          `select has_table_privilege('${name}', '${privilege}') as has`,
        );
        const isRefused = privilege === "truncate" || refuses[privilege];
        expect(response, `${privilege} on ${name}`).toEqual({ has: !isRefused });
      }
  });

  it("allow only the application role to execute the security definer functions", async () => {
    const definers = await runQuery(
      roles.ownerUrl,
      `select p.oid::regprocedure::text as name, p.proconfig as config,
         has_function_privilege('${new URL(roles.applicationUrl).username}', p.oid, 'execute') as application,
         exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))
           where grantee = 0) as everybody
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public' and p.prosecdef order by 1`,
    );
    expect(definers).toEqual([
      {
        name: "append_to_proof_log(bytea[],timestamp with time zone)",
        config: ["search_path=public, pg_temp"],
        application: true,
        everybody: false,
      },
      {
        name: "restore_earning(bigint,bigint,timestamp with time zone)",
        config: ["search_path=public, pg_temp"],
        application: true,
        everybody: false,
      },
      {
        name: "stop_proof_log(timestamp with time zone)",
        config: ["search_path=public, pg_temp"],
        application: true,
        everybody: false,
      },
    ]);
  });

  it("do not allow another role to execute a security definer function", async () => {
    const role = `other_role_${randomUUID().slice(0, 8)}`;
    const admin = new Client({
      connectionString: Object.assign(new URL(inject("superuserUrl")), {
        pathname: new URL(roles.ownerUrl).pathname,
      }).href,
    });
    await admin.connect();
    try {
      await admin.query(`create role ${role}; set role ${role}`);
      await expect(admin.query("select restore_earning(1, 1, now())")).rejects.toMatchObject({
        code: "42501",
      });
    } finally {
      await admin.query(`reset role; drop role ${role}`);
      await admin.end();
    }
  });
});
