import { expect, test } from "@playwright/test";
import { runNode } from "#bin/run-node.ts";
import { findFreePort } from "#platform/ports.server.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type StartedProduct, spawnProduct } from "#test/started-product.ts";
import { makeTwoRoles, runQuery } from "#test/two-roles.ts";

// Several machines with one external database server, without a browser.
test.describe.configure({ mode: "serial" });

let folders: Awaited<ReturnType<typeof makeDataFolder>>[];
let postgres: EmbeddedPostgres;
let environment: Record<string, string>;
const started: StartedProduct[] = [];

test.beforeAll(async () => {
  folders = [await makeDataFolder(), await makeDataFolder()];
  const [server, machine] = folders.map(({ dataDir }) => dataDir);
  postgres = await startEmbeddedPostgres({ dataDir: server ?? "", durable: false });
  const { ownerUrl, applicationUrl } = await makeTwoRoles(postgres.adminUrl);
  environment = {
    APP_ENV: "production",
    APP_URL: "https://furlong.example.test",
    AUTH_SECRET: "a secret of at least thirty-two characters",
    STRIPE_SECRET_KEY: "sk_live_machines",
    STRIPE_WEBHOOK_SECRET: "whsec_machines",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "tips@example.test",
    COMPANY_NAME: "Furlong",
    ADMIN_EMAIL: "admin@example.test",
    ADMIN_PASSWORD: "a password of the admin",
    DATA_DIR: machine ?? "",
    DATABASE_URL: applicationUrl,
    MIGRATION_DATABASE_URL: ownerUrl,
  };
});

test.afterEach(async () => {
  for (const product of started.splice(0)) await product.stop();
});

test.afterAll(async () => {
  await postgres.stop();
  for (const folder of folders) await folder.remove();
});

async function startMachine(variables: Record<string, string> = {}): Promise<StartedProduct> {
  const product = spawnProduct({
    ...environment,
    PORT: String(await findFreePort()),
    DATA_DIR: folders[1]?.dataDir ?? "",
    ...variables,
  });
  started.push(product);
  return product;
}

/** Returns a response of a machine, or null when it does not listen. */
async function answerOf({ url }: StartedProduct, path: string) {
  const answer = await fetch(url + path).catch(() => null);
  return answer && { status: answer.status, body: await answer.json() };
}

test("four machines start concurrently on an empty database", async () => {
  const starts = Array.from({ length: 4 }, () =>
    runNode(["bin/prepare.ts"], {
      env: { ...process.env, ...environment, NODE_ENV: "production" },
      quiet: true,
    }),
  );
  for (const { code, output } of await Promise.all(starts)) expect(code, output).toBe(0);
  const { DATABASE_URL = "" } = environment;
  expect(await runQuery(DATABASE_URL, "select count(*)::int as admins from users")).toEqual([
    { admins: 1 },
  ]);
});

test("a machine without a database waits with a message, stops on Ctrl-C, and serves once it is available", async () => {
  await postgres.stop();
  const impatient = await startMachine();
  await expect.poll(() => impatient.said()).toContain("Waiting for the database at 127.0.0.1:");
  expect(await impatient.stop()).toBe(0);

  const patient = await startMachine();
  await expect.poll(() => patient.said()).toContain("(ECONNREFUSED)");
  const [server] = folders;
  postgres = await startEmbeddedPostgres({
    dataDir: server?.dataDir ?? "",
    durable: false,
    port: postgres.port,
  });
  await expect
    .poll(async () => (await answerOf(patient, "/health/ready"))?.status, { timeout: 120_000 })
    .toBe(200);
});

for (const [word, seconds] of [
  ["ahead of", 300],
  ["behind", -300],
] as const)
  test(`a machine five minutes ${word} true time is live but not ready, and reports its skew`, async () => {
    const skewed = `
      const Now = Date;
      globalThis.Date = class extends Now {
        constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
        static now() { return Now.now() + ${seconds * 1000}; }
      };`;
    const machine = await startMachine({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(skewed)}`,
    });
    await expect
      .poll(async () => (await answerOf(machine, "/health/live"))?.status, { timeout: 120_000 })
      .toBe(200);
    const answer = await answerOf(machine, "/health/ready");
    expect(answer?.status).toBe(503);
    expect(answer?.body.error).toMatch(/^The clock of this machine is (300|299)\.\d s /);
    expect(answer?.body.error).toContain(word);
    expect(machine.said()).toContain("the clock of this machine differs from the database's");
  });
