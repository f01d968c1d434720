import { expect, test } from "@playwright/test";
import { runNode } from "#bin/run-node.ts";
import { findFreePort } from "#platform/ports.server.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type ServerProcess, spawnServer } from "#test/server-process.ts";
import { makeTwoRoleDatabase, runQuery } from "#test/two-roles.ts";

// Tests several machines with one external database server, without a browser.
test.describe.configure({ mode: "serial" });

let folders: Awaited<ReturnType<typeof makeDataFolder>>[];
let postgres: EmbeddedPostgres;
let environment: Record<string, string>;
const startedServers: ServerProcess[] = [];

test.beforeAll(async () => {
  folders = [await makeDataFolder(), await makeDataFolder()];
  const [databaseDataDir, machineDataDir] = folders.map(({ dataDir }) => dataDir);
  postgres = await startEmbeddedPostgres({ dataDir: databaseDataDir ?? "", durable: false });
  const { ownerUrl, applicationUrl } = await makeTwoRoleDatabase(postgres.superuserUrl);
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
    DATA_DIR: machineDataDir ?? "",
    DATABASE_URL: applicationUrl,
    MIGRATION_DATABASE_URL: ownerUrl,
  };
});

test.afterEach(async () => {
  for (const server of startedServers.splice(0)) await server.stop();
});

test.afterAll(async () => {
  await postgres.stop();
  for (const folder of folders) await folder.remove();
});

async function startMachine(variables: Record<string, string> = {}): Promise<ServerProcess> {
  const server = spawnServer({
    ...environment,
    PORT: String(await findFreePort()),
    DATA_DIR: folders[1]?.dataDir ?? "",
    ...variables,
  });
  startedServers.push(server);
  return server;
}

/** Returns the status and JSON body of a response, or null when the machine does not listen. */
async function fetchJson({ url }: ServerProcess, path: string) {
  const response = await fetch(url + path).catch(() => null);
  return response && { status: response.status, body: await response.json() };
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
  const stoppedMachine = await startMachine();
  await stoppedMachine.printed("Waiting for the database at 127.0.0.1:");
  expect(await stoppedMachine.stop()).toBe(0);

  const waitingMachine = await startMachine();
  await waitingMachine.printed("(ECONNREFUSED)");
  const [server] = folders;
  postgres = await startEmbeddedPostgres({
    dataDir: server?.dataDir ?? "",
    durable: false,
    port: postgres.port,
  });
  await expect
    .poll(async () => (await fetchJson(waitingMachine, "/health/ready"))?.status, {
      timeout: 120_000,
    })
    .toBe(200);
});

for (const [direction, seconds] of [
  ["ahead of", 300],
  ["behind", -300],
] as const)
  test(`a machine five minutes ${direction} true time is live but not ready, and reports its skew`, async () => {
    const skewScript = `
      const RealDate = Date;
      globalThis.Date = class extends RealDate {
        constructor(...args) { super(...(args.length > 0 ? args : [Date.now()])); }
        static now() { return RealDate.now() + ${seconds * 1000}; }
      };`;
    const machine = await startMachine({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(skewScript)}`,
    });
    await expect
      .poll(async () => (await fetchJson(machine, "/health/live"))?.status, { timeout: 120_000 })
      .toBe(200);
    const response = await fetchJson(machine, "/health/ready");
    expect(response?.status).toBe(503);
    expect(response?.body.error).toMatch(/^The clock of this machine is (29[5-9]|30[0-5])\.\d s /);
    expect(response?.body.error).toContain(direction);
    expect(machine.output()).toContain("the clock of this machine differs from the database's");
  });
