import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EnvError, readEnv } from "./env.server.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "furlong-env-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

const PRODUCTION = {
  APP_ENV: "production",
  DATA_DIR,
  DATABASE_URL: "postgres://furlong@db.internal/furlong",
  AUTH_SECRET: "a secret of at least thirty-two characters",
  STRIPE_SECRET_KEY: "sk_live_123",
  STRIPE_WEBHOOK_SECRET: "whsec_12345678",
  SMTP_URL: "smtps://mail.example.test",
  MAIL_FROM: "Furlong <tips@example.test>",
  COMPANY_NAME: "Furlong (Pty) Ltd",
  APP_URL: "https://furlong.example.test",
};

function listProblems(source: NodeJS.ProcessEnv): string[] {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
}

describe("readEnv", () => {
  it("returns a demo on this machine by default", () => {
    expect(readEnv({ DATA_DIR })).toMatchObject({
      mode: "demo",
      port: 3000,
      host: "127.0.0.1",
      appUrl: "http://localhost:3000",
      databaseUrl: null,
      paymentProvider: "stripe",
      stripe: { isFake: true, apiBase: null },
      paystack: { isFake: true, apiBase: null, previousSecretKey: null },
      webProcesses: 1,
      tipCutOffMinutes: 120,
    });
  });

  it("keeps the demo's secret across restarts", () => {
    const { authSecret } = readEnv({ DATA_DIR });
    expect(authSecret.length).toBeGreaterThanOrEqual(32);
    expect(readEnv({ DATA_DIR }).authSecret).toBe(authSecret);
  });

  it("accepts a complete production configuration", () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ mode: "production", stripe: { isFake: false } });
  });

  it("names every variable that is missing in production", () => {
    const problems = listProblems({ APP_ENV: "production", DATA_DIR });
    for (const name of [
      "DATABASE_URL",
      "AUTH_SECRET",
      "STRIPE_SECRET_KEY",
      "STRIPE_WEBHOOK_SECRET",
      "SMTP_URL",
      "MAIL_FROM",
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
      "COMPANY_NAME",
      "APP_URL",
    ])
      expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(problems).toHaveLength(10);
  });

  it("requires only the keys of the provider of new payments in production", () => {
    const { STRIPE_SECRET_KEY: _, STRIPE_WEBHOOK_SECRET: __, ...withoutStripe } = PRODUCTION;
    const admin = { ADMIN_EMAIL: "admin@furlong.test", ADMIN_PASSWORD: "a horse called Pocket" };
    const paystack = { ...withoutStripe, ...admin, PAYMENT_PROVIDER: "paystack" };
    expect(listProblems(paystack)).toEqual(["PAYSTACK_SECRET_KEY is required in production"]);
    const PAYSTACK_SECRET_KEY = "sk_live_12345678";
    expect(readEnv({ ...paystack, PAYSTACK_SECRET_KEY })).toMatchObject({
      paystack: { isConfigured: true, isFake: false },
      stripe: { isConfigured: false, isFake: false },
    });
    expect(listProblems({ ...paystack, PAYSTACK_SECRET_KEY: "sk_test_12345678" })).toEqual([
      expect.stringMatching(/^PAYSTACK_SECRET_KEY is not a live key/),
    ]);
  });

  it("requires the key of the provider of payouts in production", () => {
    const admin = { ADMIN_EMAIL: "admin@furlong.test", ADMIN_PASSWORD: "a horse called Pocket" };
    const production = { ...PRODUCTION, ...admin };
    expect(readEnv(production)).toMatchObject({ payoutProvider: "bank-file" });
    const paystack = { ...production, PAYOUT_PROVIDER: "paystack" };
    expect(listProblems(paystack)).toEqual([
      "PAYSTACK_SECRET_KEY is required for PAYOUT_PROVIDER=paystack",
    ]);
    expect(readEnv({ ...paystack, PAYSTACK_SECRET_KEY: "sk_live_12345678" })).toMatchObject({
      paymentProvider: "stripe",
      payoutProvider: "paystack",
    });
  });

  it.each([
    [{ PORT: "many" }, "PORT"],
    [{ DEMO_NOW: "tomorrow" }, "DEMO_NOW"],
    [{ DEMO_NOW: "2026-12-09T10:00" }, "DEMO_NOW"],
    [{ DEMO_NOW: "2026-13-09T10:00Z" }, "DEMO_NOW"],
    [{ ...PRODUCTION, DEMO_NOW: "2026-12-09T10:00Z" }, "DEMO_NOW"],
    [{ PORT: "70000" }, "PORT"],
    [{ APP_ENV: "staging" }, "APP_ENV"],
    [{ DATABASE_URL: "mysql://db" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://furlong@db1:5432,db2:5432/furlong" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://furlong@db1,db2/furlong" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres:///furlong?host=db1,db2" }, "DATABASE_URL"],
    [{ MIGRATION_DATABASE_URL: "postgres://db1,db2:5433/furlong" }, "MIGRATION_DATABASE_URL"],
    [{ PAYMENT_PROVIDER: "payfast" }, "PAYMENT_PROVIDER"],
    [{ PAYOUT_PROVIDER: "stripe" }, "PAYOUT_PROVIDER"],
    [{ STRIPE_SECRET_KEY: "pk_test_1" }, "STRIPE_SECRET_KEY"],
    [{ SMTP_URL: "mail.example.test" }, "SMTP_URL"],
    [{ MAIL_FROM: "nobody" }, "MAIL_FROM"],
    [{ AUTH_SECRET: "short" }, "AUTH_SECRET"],
    [{ TRUSTED_PROXY: "the proxy" }, "TRUSTED_PROXY"],
    [{ TRUSTED_PROXY: "10.0.0.0/33" }, "TRUSTED_PROXY"],
    [{ PROOF_TSA_URLS: "http://tsa.example/tsr" }, "PROOF_TSA_URLS"],
    [{ PROOF_TSA_URLS: "https://tsa.example/tsr," }, "PROOF_TSA_URLS"],
    [{ PROOF_TSA_URLS: "https://tsa.example/a, https://tsa.example/b" }, "PROOF_TSA_URLS"],
    [{ PROOF_TSA_URLS: "https://user:secret@tsa.example/tsr" }, "PROOF_TSA_URLS"],
    [{ PROOF_TSA_URLS: "https://[::1]/tsr" }, "PROOF_TSA_URLS"],
    [{ TRUSTED_PROXY: "10.0.0.1, fd00::/129" }, "TRUSTED_PROXY"],
    [{ WEB_PROCESSES: "0" }, "WEB_PROCESSES"],
    [{ TIP_CUT_OFF_MINUTES: "721" }, "TIP_CUT_OFF_MINUTES"],
    [{ TIP_CUT_OFF_MINUTES: "1.5" }, "TIP_CUT_OFF_MINUTES"],
    [{ DATABASE_CONNECT_MS: "99" }, "DATABASE_CONNECT_MS"],
    [{ DATABASE_CONNECT_MS: "100000" }, "DATABASE_CONNECT_MS"],
    [{ DATABASE_CONNECT_MS: "1.8" }, "DATABASE_CONNECT_MS"],
    [{ HOST: "0.0.0.0" }, "HOST"],
    [{ APP_URL: "http://furlong.example.test" }, "APP_URL"],
    [{ STRIPE_SECRET_KEY: "sk_live_123" }, "STRIPE_SECRET_KEY"],
    [{ PAYSTACK_SECRET_KEY: "pk_test_12345678" }, "PAYSTACK_SECRET_KEY"],
    [{ PAYSTACK_SECRET_KEY: "sk_live_12345678" }, "PAYSTACK_SECRET_KEY"],
    [{ PAYSTACK_SECRET_KEY_PREVIOUS: "sk_live_12345678" }, "PAYSTACK_SECRET_KEY_PREVIOUS"],
    [{ PAYSTACK_API_BASE: "paystack.test" }, "PAYSTACK_API_BASE"],
  ])("refuses %j with one line that names %s", (source, name) => {
    const problems = listProblems({ DATA_DIR, ...source });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `));
  });

  it("explains that a URL with several hosts must name one", () => {
    const DATABASE_URL = "postgres://furlong@db1,db2/furlong";
    expect(listProblems({ DATA_DIR, DATABASE_URL })[0]).toContain("must name one host");
  });

  it.each([
    { DATABASE_URL: "postgres://furlong:a,b@db.internal/furlong" },
    { DATABASE_URL: "postgres://furlong@db.internal/furlong?application_name=a,b" },
    { TRUSTED_PROXY: "0.0.0.0/0, 10.0.0.0/32, ::/0, fd00::/128" },
  ])("accepts %j", (source) => {
    expect(listProblems({ DATA_DIR, ...source })).toEqual([]);
  });

  it("names timestamp authorities by their hosts, and has none by default", () => {
    expect(readEnv({ DATA_DIR }).timestampAuthorities).toEqual([]);
    const PROOF_TSA_URLS = "https://tsa.example/tsr, https://other.example:8443/";
    expect(readEnv({ DATA_DIR, PROOF_TSA_URLS }).timestampAuthorities).toEqual([
      { name: "tsa.example", url: "https://tsa.example/tsr" },
      { name: "other.example", url: "https://other.example:8443/" },
    ]);
  });

  it("requires https in production, and refuses a live key in a demo, even a public one", () => {
    expect(listProblems({ ...PRODUCTION, APP_URL: "http://furlong.example.test" })).toHaveLength(3);
    const publicDemo = { DATA_DIR, DEMO_PUBLIC: "yes", HOST: "0.0.0.0" };
    expect(listProblems(publicDemo)).toEqual([]);
    expect(listProblems({ ...publicDemo, STRIPE_SECRET_KEY: "sk_live_1" })).toHaveLength(1);
  });

  it.each(["sk_test_1", "rk_test_1", "sk_org_test_1", "sk_1", "sk_test_live_1"])(
    "refuses the key %s in production because it is not a live key",
    (key) => {
      const problems = listProblems({
        ...PRODUCTION,
        ADMIN_EMAIL: "admin@furlong.test",
        ADMIN_PASSWORD: "a horse called Pocket",
        STRIPE_SECRET_KEY: key,
      });
      expect(problems).toEqual([expect.stringMatching(/^STRIPE_SECRET_KEY is not a live key/)]);
      expect(listProblems({ DATA_DIR, STRIPE_SECRET_KEY: key })).toEqual([]);
    },
  );

  it.each(["sk_live_1", "rk_live_1", "sk_org_live_1"])(
    "accepts the key %s in production and refuses it in the demo",
    (key) => {
      expect(listProblems({ ...PRODUCTION, STRIPE_SECRET_KEY: key })).toEqual([]);
      expect(listProblems({ DATA_DIR, STRIPE_SECRET_KEY: key })).toHaveLength(1);
    },
  );
});
