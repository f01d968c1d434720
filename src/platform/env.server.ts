import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { DEFAULT_CUT_OFF_MINUTES, MAX_CUT_OFF_MINUTES } from "#domain/batch.ts";
import { paystackSettings } from "#payments/paystack/settings.ts";
import { stripeSettings } from "#payments/stripe/settings.ts";
import type { PaymentSettings } from "./payment-settings.ts";

/** How each payment provider is configured. Another provider adds its folder and one line here. */
const PAYMENT_PROVIDERS = {
  stripe: stripeSettings,
  paystack: paystackSettings,
};

const PAYOUT_PROVIDERS = ["bank-file", "paystack"] as const;

/** A payment provider that can be configured. */
export type ProviderName = keyof typeof PAYMENT_PROVIDERS;

type ProviderConfigs = {
  [Name in ProviderName]: ReturnType<(typeof PAYMENT_PROVIDERS)[Name]["read"]>;
};

/** The validated configuration. Nothing else reads process.env. */
export type Env = ProviderConfigs & {
  mode: "demo" | "production";
  port: number;
  host: string;
  appUrl: string;
  databaseUrl: string | null;
  migrationDatabaseUrl: string | null;
  dataDir: string;
  /** The provider of new payments. */
  paymentProvider: ProviderName;
  /** How payouts are paid: by a file for the bank, or by transfers of this provider. */
  payoutProvider: (typeof PAYOUT_PROVIDERS)[number];
  mail: { smtpUrl: string | null; from: string; notificationTo: string; supportTo: string };
  authSecret: string;
  /** Decrypts data from before the secret was changed; never used to encrypt. */
  previousAuthSecret: string | null;
  admin: { email: string; password: string } | null;
  trustedProxy: string | null;
  /** Address and registration are empty when production does not set them. */
  company: {
    name: string;
    address: string;
    registration: string;
    telephone: string;
    /** The names of the directors or other office bearers, as one text. */
    officers: string;
  };
  metricsToken: string | null;
  webProcesses: number;
  /** How many minutes before its reported off a race closes for tips. */
  tipCutOffMinutes: number;
  /** How long a visitor's request waits for a database connection; null for the default. */
  databaseConnectMs: number | null;
  /** The instant at which the demo's clock starts; null for the real time. */
  demoNow: Date | null;
  /** The external timestamp authorities that timestamp the public log. */
  timestampAuthorities: { name: string; url: string }[];
};

/** Thrown for an invalid environment. Each problem is one line for the operator. */
export class EnvError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const DEFAULT_PROVIDER: ProviderName = "stripe";
const PROVIDER_NAMES = Object.keys(PAYMENT_PROVIDERS) as ProviderName[];

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);

const port = v.pipe(
  v.string(),
  v.regex(/^\d+$/, "must be a port number"),
  v.transform(Number),
  v.minValue(0, "must be a port number"),
  v.maxValue(65535, "must be a port number"),
);
const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`,
    ),
  );
const ONE_HOST =
  "must name one host: where there are several, name an address that always leads to the primary";
const databaseUrl = v.pipe(
  v.string(),
  v.check((text) => !readHosts(text).includes(","), ONE_HOST),
  url("postgres:", "postgresql:"),
);
const email = v.pipe(v.string(), v.email("must be an email address"));
const mailbox = v.pipe(
  v.string(),
  v.regex(/^([^<>]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/, "must be an email address"),
);
const secret = v.pipe(v.string(), v.minLength(32, "must be at least 32 characters long"));

const CUT_OFF_RANGE_MESSAGE = `must be a whole number of minutes from 0 to ${MAX_CUT_OFF_MINUTES}`;

const VARIABLES = {
  PORT: port,
  HOST: v.string(),
  APP_URL: url("http:", "https:"),
  DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl,
  DATA_DIR: v.string(),
  APP_ENV: v.picklist(["demo", "production"], "must be demo or production"),
  PAYMENT_PROVIDER: v.picklist(PROVIDER_NAMES, `must be ${PROVIDER_NAMES.join(" or ")}`),
  PAYOUT_PROVIDER: v.picklist(PAYOUT_PROVIDERS, `must be ${PAYOUT_PROVIDERS.join(" or ")}`),
  SMTP_URL: url("smtp:", "smtps:"),
  MAIL_FROM: mailbox,
  NOTIFICATION_EMAIL: email,
  SUPPORT_EMAIL: email,
  AUTH_SECRET: secret,
  AUTH_SECRET_PREVIOUS: secret,
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD: v.pipe(v.string(), v.minLength(6, "must have at least 6 characters")),
  TRUSTED_PROXY: v.pipe(
    v.string(),
    v.check(
      (text) =>
        text.split(",").every((entry) => {
          const [address = "", prefix, ...rest] = entry.trim().split("/");
          const maxPrefix = isIP(address) === 6 ? 128 : 32;
          const isPrefix = /^\d{1,3}$/.test(prefix ?? "0") && Number(prefix ?? 0) <= maxPrefix;
          return isIP(address) > 0 && rest.length === 0 && isPrefix;
        }),
      "must be proxy addresses or networks (10.0.0.5 or 10.0.0.0/8), separated by commas",
    ),
  ),
  COMPANY_NAME: v.string(),
  COMPANY_ADDRESS: v.string(),
  COMPANY_REGISTRATION: v.string(),
  COMPANY_TELEPHONE: v.string(),
  COMPANY_OFFICERS: v.string(),
  METRICS_TOKEN: v.pipe(v.string(), v.minLength(8, "must have at least 8 characters")),
  WEB_PROCESSES: v.pipe(
    v.string(),
    v.regex(/^\d+$/, "must be a whole number from 1 to 64"),
    v.transform(Number),
    v.minValue(1, "must be a whole number from 1 to 64"),
    v.maxValue(64, "must be a whole number from 1 to 64"),
  ),
  TIP_CUT_OFF_MINUTES: v.pipe(
    v.string(),
    v.regex(/^\d+$/, CUT_OFF_RANGE_MESSAGE),
    v.transform(Number),
    v.maxValue(MAX_CUT_OFF_MINUTES, CUT_OFF_RANGE_MESSAGE),
  ),
  DATABASE_CONNECT_MS: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{2,4}$/, "must be a whole number from 100 to 99999"),
    v.transform(Number),
  ),
  PROOF_TSA_URLS: v.pipe(
    v.string(),
    v.transform((text) => text.split(",").map((entry) => entry.trim())),
    v.check(
      (urls) =>
        urls.every(isTimestampAuthorityUrl) &&
        new Set(urls.map(nameTimestampAuthority)).size === urls.length,
      "must be addresses that begin with https://, of different hosts, separated by commas",
    ),
  ),
  DEMO_PUBLIC: v.picklist(["yes", "no"], "must be yes or no"),
  DEMO_NOW: v.pipe(
    v.string(),
    v.regex(
      /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/,
      "must be an instant such as 2026-12-09T10:00+02:00",
    ),
    v.transform((text) => new Date(text)),
    v.check((at) => !Number.isNaN(at.getTime()), "must be an existing date and time"),
  ),
} as const;

const PAYMENT_SETTINGS: Pick<PaymentSettings, "variables" | "keys" | "isLiveKey">[] =
  Object.values(PAYMENT_PROVIDERS);

const SCHEMAS: Record<string, v.GenericSchema<string, unknown>> = Object.assign(
  { ...VARIABLES },
  ...PAYMENT_SETTINGS.map(({ variables }) => variables),
);

/** The names of all variables that configure the application. */
export const ENVIRONMENT_VARIABLES = Object.keys(SCHEMAS);

/** Requires a URL with a plain host, because the host becomes part of the URLs of its timestamps. */
function isTimestampAuthorityUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return protocol === "https:" && /^[a-z0-9][a-z0-9.-]*$/.test(hostname) && !username && !password;
}

function nameTimestampAuthority(url: string): string {
  return new URL(url).hostname;
}

/**
 * Returns the hosts of a database URL, which need not be parseable: pg treats a list as one host
 * name.
 */
function readHosts(text: string): string {
  const [, authority = ""] = /^[^:]+:\/\/([^/?#]*)/.exec(text) ?? [];
  const [, parameter = ""] = /[?&]host=([^&#]*)/.exec(text) ?? [];
  return authority.replace(/^.*@/, "") + decodeURIComponent(parameter);
}

type Values = { [K in keyof typeof VARIABLES]?: v.InferOutput<(typeof VARIABLES)[K]> };

/** The texts of the variables of the payment providers. */
type PaymentValues = Record<string, string | undefined>;

/** Reads and validates the environment. Throws an EnvError with all problems. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const problems: string[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const text = source[name]?.trim();
    if (!text) continue;
    const result = v.safeParse(schema, text);
    if (result.success) parsed[name] = result.output;
    else problems.push(`${name} ${result.issues[0].message}`);
  }
  const values = parsed as Values;
  const paymentValues = parsed as PaymentValues;
  const mode = values.APP_ENV ?? "demo";
  const listenPort = values.PORT ?? 3000;
  const host = values.HOST ?? "127.0.0.1";
  const appUrl = (values.APP_URL ?? `http://localhost:${listenPort}`).replace(/\/+$/, "");

  if (mode === "production") problems.push(...findProductionProblems(values, source));
  else problems.push(...findDemoProblems(values, host));
  problems.push(...findPaymentProblems(paymentValues, mode));
  if (problems.length > 0) throw new EnvError(problems);

  const dataDir = resolve(values.DATA_DIR ?? ".data");
  const sender = values.MAIL_FROM ?? "Furlong <tips@furlong.test>";
  const address = sender.replace(/^.*<|>$/g, "");
  return {
    mode,
    port: listenPort,
    host,
    appUrl,
    databaseUrl: values.DATABASE_URL ?? null,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL ?? values.DATABASE_URL ?? null,
    dataDir,
    paymentProvider: values.PAYMENT_PROVIDER ?? DEFAULT_PROVIDER,
    payoutProvider: values.PAYOUT_PROVIDER ?? "bank-file",
    ...readProviderConfigs(paymentValues, mode),
    mail: {
      smtpUrl: values.SMTP_URL ?? null,
      from: sender,
      notificationTo: values.NOTIFICATION_EMAIL ?? address,
      supportTo: values.SUPPORT_EMAIL ?? address,
    },
    authSecret: values.AUTH_SECRET ?? readOrCreateSecret(dataDir),
    previousAuthSecret: values.AUTH_SECRET_PREVIOUS ?? null,
    admin: readAdmin(values, mode),
    trustedProxy: values.TRUSTED_PROXY ?? null,
    company: {
      name: values.COMPANY_NAME ?? "Furlong Demo (Pty) Ltd",
      address:
        values.COMPANY_ADDRESS ?? (mode === "demo" ? "1 Example Street, Cape Town, 8001" : ""),
      registration: values.COMPANY_REGISTRATION ?? (mode === "demo" ? "0000/000000/07 (demo)" : ""),
      telephone: values.COMPANY_TELEPHONE ?? "",
      officers: values.COMPANY_OFFICERS ?? "",
    },
    metricsToken: values.METRICS_TOKEN ?? null,
    webProcesses: values.WEB_PROCESSES ?? 1,
    tipCutOffMinutes: values.TIP_CUT_OFF_MINUTES ?? DEFAULT_CUT_OFF_MINUTES,
    databaseConnectMs: values.DATABASE_CONNECT_MS ?? null,
    demoNow: values.DEMO_NOW ?? null,
    timestampAuthorities: (values.PROOF_TSA_URLS ?? []).map((url) => ({
      name: nameTimestampAuthority(url),
      url,
    })),
  };
}

function findProductionProblems(values: Values, source: NodeJS.ProcessEnv): string[] {
  const required = [
    "DATABASE_URL",
    "AUTH_SECRET",
    ...PAYMENT_PROVIDERS[values.PAYMENT_PROVIDER ?? DEFAULT_PROVIDER].required,
    "SMTP_URL",
    "MAIL_FROM",
    "COMPANY_NAME",
    "APP_URL",
  ];
  const problems = required
    .filter((name) => !source[name]?.trim())
    .map((name) => `${name} is required in production`);
  if (values.PAYOUT_PROVIDER === "paystack" && values.PAYMENT_PROVIDER !== "paystack")
    for (const name of paystackSettings.required)
      if (!source[name]?.trim()) problems.push(`${name} is required for PAYOUT_PROVIDER=paystack`);
  if (values.APP_URL && new URL(values.APP_URL).protocol !== "https:")
    problems.push("APP_URL must begin with https:// in production");
  // Whether an admin exists is known only after connecting to the database. When other variables
  // are missing, these are reported together with them.
  if (problems.length > 0)
    for (const name of ["ADMIN_EMAIL", "ADMIN_PASSWORD"] as const)
      if (!values[name]) problems.push(`${name} is required until an admin account exists`);
  if (values.DEMO_NOW) problems.push("DEMO_NOW sets the demo's clock and is refused in production");
  return problems;
}

function findDemoProblems(values: Values, host: string): string[] {
  const problems: string[] = [];
  if (values.DEMO_PUBLIC !== "yes") {
    if (!LOOPBACK.has(host))
      problems.push("HOST must be a loopback address in demo mode, unless DEMO_PUBLIC=yes");
    if (values.APP_URL && !LOOPBACK.has(new URL(values.APP_URL).hostname))
      problems.push("APP_URL must be a loopback address in demo mode, unless DEMO_PUBLIC=yes");
  }
  return problems;
}

/** Refuses test keys in production and live keys in the demo, of every provider. */
function findPaymentProblems(values: PaymentValues, mode: Env["mode"]): string[] {
  return PAYMENT_SETTINGS.flatMap(({ keys, isLiveKey }) =>
    keys.flatMap((name) => {
      const key = values[name];
      if (!key || isLiveKey(key) === (mode === "production")) return [];
      return mode === "production"
        ? `${name} is not a live key: production would give coins for test cards`
        : `${name} is a live key. Demo mode accepts test keys only.`;
    }),
  );
}

function readProviderConfigs(values: PaymentValues, mode: Env["mode"]): ProviderConfigs {
  const configs = PROVIDER_NAMES.map((name) => [name, PAYMENT_PROVIDERS[name].read(values, mode)]);
  return Object.fromEntries(configs) as ProviderConfigs;
}

/** Finds settings of the providers of new payments and payouts that look wrong. */
export function findPaymentSettingProblems(env: Env): { problem: string; fix: string }[] {
  const names = PROVIDER_NAMES.filter((name) =>
    [env.paymentProvider, env.payoutProvider].includes(name),
  );
  return names.flatMap((name) => {
    const { findProblems } = PAYMENT_PROVIDERS[name];
    // TypeScript does not relate the two uses of the name.
    return findProblems(env[name] as never);
  });
}

function readAdmin(values: Values, mode: Env["mode"]): Env["admin"] {
  if (values.ADMIN_EMAIL && values.ADMIN_PASSWORD)
    return { email: values.ADMIN_EMAIL.toLowerCase(), password: values.ADMIN_PASSWORD };
  return mode === "demo" ? { email: "admin@furlong.test", password: "furlong-demo" } : null;
}

/** Returns the demo's secret, which is stored on first use so that sessions survive a restart. */
function readOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, "auth-secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
  return readFileSync(file, "utf8");
}

let current: Env | null = null;

/** Returns the configuration of this process, read once. */
export function env(): Env {
  current ??= readEnv();
  return current;
}

/** True when this process is a test run. */
export const isTest = process.env.VITEST === "true";
