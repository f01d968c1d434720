import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Client } from "pg";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { checkAddress } from "#bin/doctor/address.ts";
import { checkDatabase } from "#bin/doctor/database.ts";
import { checkBackups, checkDisk } from "#bin/doctor/disk.ts";
import type { Finding } from "#bin/doctor/finding.ts";
import { checkMail } from "#bin/doctor/mail.ts";
import { checkSettings } from "#bin/doctor/settings.ts";
import { pool } from "#platform/database.server.ts";
import type { Env } from "#platform/env.server.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { grantToApplication } from "#platform/postgres/grant-to-application.server.ts";
import { makeAdmin } from "#test/factories.ts";
import { makeCertificate } from "#test/self-signed-certificate.ts";
import { startTlsProxy } from "#test/tls-proxy.ts";
import { runQuery } from "#test/two-roles.ts";

const problems = (findings: Finding[]) => findings.map(({ problem }) => problem);

/** Returns a valid production environment, changed by the test. */
function production(change: Partial<Env> = {}): Env {
  return {
    mode: "production",
    appUrl: "https://furlong.example",
    databaseUrl: "postgres://app@localhost/furlong",
    migrationDatabaseUrl: "postgres://owner@localhost/furlong",
    trustedProxy: "127.0.0.1",
    paymentProvider: "stripe",
    stripe: {
      secretKey: "rk_live_abc",
      webhookSecret: `whsec_${"a1B2".repeat(8)}`,
      apiBase: null,
      isConfigured: true,
      isFake: false,
    },
    mail: { smtpUrl: null, from: "a@b.example", notificationTo: "a@b.example", supportTo: "" },
    admin: null,
    webProcesses: 1,
    tipCutOffMinutes: 120,
    ...change,
  } as Env;
}

describe("settings", () => {
  it("reports nothing in a correct production environment or in the demo", () => {
    expect(checkSettings(production())).toEqual([]);
    expect(checkSettings(production({ mode: "demo", trustedProxy: null }))).toEqual([]);
  });

  const { stripe } = production();
  it.each<[string, Partial<Env>, RegExp]>([
    [
      "no signing secret",
      { stripe: { ...stripe, webhookSecret: "we_1234567890" } },
      /WEBHOOK_SECRET/,
    ],
    [
      "a truncated secret",
      { stripe: { ...stripe, webhookSecret: "whsec_a1B2a1B2" } },
      /WEBHOOK_SECRET/,
    ],
    ["another API", { stripe: { ...stripe, apiBase: "http://fake" } }, /http:\/\/fake/],
    ["no proxy", { trustedProxy: null }, /TRUSTED_PROXY is not set/],
    ["one role", { migrationDatabaseUrl: production().databaseUrl }, /owns the schema/],
  ])("reports %s", (_description, change, expected) => {
    const found = problems(checkSettings(production(change)));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });
});

describe("disk and backups", () => {
  const folder = mkdtempSync(join(tmpdir(), "furlong-doctor-"));
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  const diskStats = (free: number, all: number) => () => ({
    bavail: free,
    blocks: all,
    bsize: 1024 ** 3,
  });

  it("reports a missing data folder and a nearly full disk", () => {
    expect(checkDisk({ dataDir: folder }, diskStats(10, 100))).toEqual([]);
    expect(checkDisk({ dataDir: folder }, diskStats(1, 10))).toEqual([]);
    expect(problems(checkDisk({ dataDir: folder }, diskStats(9, 100)))[0]).toMatch(
      /9.0 GB free, 9%/,
    );
    expect(problems(checkDisk({ dataDir: folder }, diskStats(0.9, 2)))[0]).toMatch(/0.9 GB free/);
    expect(problems(checkDisk({ dataDir: join(folder, "none") }))[0]).toMatch(/is not writable/);
  });

  it("reports a missing backup and one older than 26 hours", () => {
    const at = new Date("2026-11-22T12:00:00Z");
    const found = () => problems(checkBackups({ mode: "production" }, folder, at));
    const writeBackup = (name: string, createdAt: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "backup.json"), JSON.stringify({ createdAt }));
    };
    expect(found()[0]).toMatch(/There is no backup/);
    mkdirSync(join(folder, "something else"));
    writeBackup("broken-off.part", "2026-11-22T11:00:00Z");
    expect(found()[0]).toMatch(/There is no backup/);
    writeBackup("older", "2026-11-20T00:00:00Z");
    writeBackup("old", "2026-11-21T09:00:00Z");
    expect(found()[0]).toMatch(/27 hours old/);
    writeBackup("new", "2026-11-21T10:00:00Z");
    expect(found()).toEqual([]);
    expect(checkBackups({ mode: "demo" }, join(folder, "none"), at)).toEqual([]);
  });
});

describe("mail", () => {
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === "right" ? done(null, { user: "furlong" }) : done(new Error("no such login")),
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    ({ port } = server.server.address() as AddressInfo);
    return () => new Promise<void>((done) => server.close(done));
  });
  const found = async (smtpUrl: string | null) =>
    problems(await checkMail(production({ mail: { ...production().mail, smtpUrl } })));

  it("logs in, and reports a refused login and an unreachable server", async () => {
    expect(await found(null)).toEqual([]);
    expect(await found(`smtp://furlong:right@127.0.0.1:${port}`)).toEqual([]);
    expect((await found(`smtp://furlong:wrong@127.0.0.1:${port}`))[0]).toMatch(/no such login/);
    expect((await found(`smtp://furlong:right@127.0.0.1:${await findFreePort()}`))[0]).toMatch(
      /ECONNREFUSED/,
    );
  });
});

describe("database", () => {
  let owner = "";
  let application = "";
  beforeAll(async () => {
    owner = process.env.DATABASE_URL ?? "";
    const role = `doctor_app_${process.pid}`;
    application = await applicationUrl(role);
    return () => dropRole(role);
  });
  const found = async (change: Partial<Env> = {}, url = application) =>
    problems(await checkDatabase(production({ migrationDatabaseUrl: owner, ...change }), url));
  const check = (failures: unknown[], minutesAgo: number, scope = "recent") =>
    pool().query(
      `insert into integrity_checks (scope, checked_at, failures)
       values ($3, now() - make_interval(mins => $1), $2)`,
      [minutesAgo, JSON.stringify(failures), scope],
    );

  it("reports nothing with two roles, recent integrity checks and no admin password", async () => {
    expect((await found())[0]).toMatch(/never been checked/);
    await check([], 1);
    expect(await found()).toEqual([]);
  });

  it("reports missing and failed integrity checks", async () => {
    await check([], 16);
    expect((await found())[0]).toMatch(/last checked 16 minutes ago/);
    await check([{ invariant: "x", statement: "y", rows: [] }], 1);
    expect((await found())[0]).toMatch(/1 integrity check/);
    await check([], 15);
    expect(await found()).toEqual([]);
  });

  it("reports what the last full check found until the next one passes", async () => {
    const failure = { invariant: "x", statement: "y", rows: [] };
    await check([failure], 14, "full");
    await check([{ ...failure, invariant: "z" }, failure], 2);
    expect((await found())[0]).toMatch(/^2 integrity checks/);
    await check([], 1);
    expect((await found())[0]).toMatch(/^1 integrity check /);
    await check([], 1, "full");
    expect(await found()).toEqual([]);
  });

  it("reports the wrong roles", async () => {
    expect((await found({}, owner))[0]).toMatch(/may change the schema or the ledger/);
    expect((await found({ migrationDatabaseUrl: application }, owner)).join()).toMatch(
      /MIGRATION_DATABASE_URL does not own/,
    );
  });

  it("reports an unreachable, read-only, empty or too small database server", async () => {
    const unreachableUrl = `postgres://a:b@127.0.0.1:${await findFreePort()}/c`;
    expect((await found({}, unreachableUrl))[0]).toMatch(/^DATABASE_URL: .*ECONNREFUSED/);
    expect((await found({ migrationDatabaseUrl: unreachableUrl }))[0]).toMatch(
      /^MIGRATION_DATABASE_URL: /,
    );
    const readOnly = `${application}?options=${encodeURIComponent("-c default_transaction_read_only=on")}`;
    expect((await found({}, readOnly))[0]).toMatch(/standby or a read-only/);
    expect((await found({ webProcesses: 64 }))[0]).toMatch(/connections, and this machine alone/);
    const empty = new URL(owner);
    empty.pathname = "/postgres";
    expect(await found({ migrationDatabaseUrl: empty.href }, empty.href)).toEqual([
      "The database has not been migrated to this version",
    ]);
  });

  it("reports a clock skew of more than a second, and accepts a smaller one", async () => {
    const realNow = Date.now;
    let offsetMs = 3_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + offsetMs);
    try {
      // The check subtracts the latency, so the reported skew can be slightly less than 3 s.
      expect((await found())[0]).toMatch(/clock is [23]\.\d s ahead/);
      offsetMs = -3_000;
      expect((await found())[0]).toMatch(/clock is [23]\.\d s behind/);
      offsetMs = 900;
      expect(await found()).toEqual([]);
    } finally {
      clock.mockRestore();
    }
  });

  it("reports the first admin's password in the environment once there is an admin", async () => {
    const admin = { email: "admin@furlong.example", password: "secret" };
    // The database keeps the last admin; a new installation has none.
    await pool().query(
      `alter table user_roles disable trigger user_roles_keep_last_admin;
       delete from user_roles where role = 'admin';
       alter table user_roles enable trigger user_roles_keep_last_admin`,
    );
    expect(await found({ admin })).toEqual([]);
    await makeAdmin();
    expect((await found({ admin }))[0]).toMatch(/ADMIN_PASSWORD is still set/);
    expect(await found()).toEqual([]);
  });
});

describe("the public address", () => {
  const certificate = makeCertificate();
  let upstream = 0;
  let env: Env;
  beforeAll(async () => {
    setDefaultCACertificates([...getCACertificates(), certificate.cert]);
    upstream = await findFreePort();
    const module = await import("#platform/env.server.ts");
    env = module.env();
    vi.spyOn(env, "trustedProxy", "get").mockReturnValue("127.0.0.1");
    const { serve } = await import("#server.ts");
    const { stop } = await serve({ port: upstream, host: "127.0.0.1", runsJobs: false });
    return () => stop("immediate");
  });
  /** Returns the findings when APP_URL points to that server. */
  const found = async (appUrl: string) => {
    vi.spyOn(env, "appUrl", "get").mockReturnValue(appUrl);
    return problems(await checkAddress({ ...env, appUrl }));
  };
  type Change = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Sends requests through a proxy that adds no headers and mishandles some requests. */
  const checkThroughProxy = async (change: Change) => {
    const proxy = createServer((incoming, outgoing) => {
      if (change(incoming, outgoing)) return;
      const sent = request(
        {
          port: upstream,
          host: "127.0.0.1",
          path: incoming.url,
          method: incoming.method,
          headers: incoming.headers,
        },
        (response) =>
          response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers)),
      );
      outgoing.on("close", () => sent.destroy());
      incoming.pipe(sent);
    });
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const response = await found(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    proxy.closeAllConnections();
    proxy.close();
    return response;
  };

  it("accepts a trusted proxy, and reports the address of an untrusted one", async () => {
    const proxy = await startTlsProxy({ certificate, upstream });
    // The running server has cached its own APP_URL, so it reports another address.
    expect(await found(proxy.url)).toEqual([
      expect.stringContaining("Furlong sees requests to APP_URL as"),
    ]);
    vi.spyOn(env, "trustedProxy", "get").mockReturnValue("10.0.0.5");
    expect((await found(proxy.url))[0]).toMatch(/come from 127.0.0.1, which TRUSTED_PROXY/);
    vi.spyOn(env, "trustedProxy", "get").mockReturnValue("127.0.0.1");
    await proxy.stop();
  });

  it("reports a server that is unreachable, not ready or another installation", async () => {
    const unreachableUrl = `http://127.0.0.1:${await findFreePort()}`;
    expect((await found(unreachableUrl))[0]).toMatch(/does not respond \(.*ECONNREFUSED/);
    const respondWith = (status: number) => (_: IncomingMessage, outgoing: ServerResponse) => {
      outgoing.writeHead(status).end("<h1>Service\nUnavailable.</h1>");
      return true;
    };
    expect(await checkThroughProxy(respondWith(503))).toEqual([
      expect.stringMatching(/\/health\/ready returns 503: Service Unavailable$/),
    ]);
    expect((await checkThroughProxy(respondWith(200)))[0]).toMatch(
      /points to another installation/,
    );
  });

  it("reports each fault of a misconfigured proxy", async () => {
    const unsafe = await checkThroughProxy(() => false);
    expect(unsafe).toContain(
      "The load balancer passes on the X-Forwarded-For that a visitor sends",
    );
    expect(unsafe).toContain("/metrics can be read through APP_URL");
    const filtering = await checkThroughProxy((incoming, outgoing) => {
      if (incoming.method !== "POST" && !incoming.url?.startsWith("/events/")) return false;
      outgoing.writeHead(403).end();
      return true;
    });
    expect(filtering).toContain("The webhook address returns 403 instead of 400");
    expect(filtering.join()).toContain("event stream");
  });
});

/** Creates a role with the privileges of the application role and returns its connection URL. */
async function applicationUrl(role: string): Promise<string> {
  await runQuery(inject("superuserUrl"), `create role ${role} login password 'doctor'`);
  const url = new URL(process.env.DATABASE_URL ?? "");
  Object.assign(url, { username: role, password: "doctor" });
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  await grantToApplication(owner, url.href);
  await owner.end();
  return url.href;
}

async function dropRole(role: string): Promise<void> {
  const url = new URL(inject("superuserUrl"));
  url.pathname = new URL(process.env.DATABASE_URL ?? "").pathname;
  await runQuery(url.href, `drop owned by ${role}`);
  await runQuery(url.href, `drop role ${role}`);
}
