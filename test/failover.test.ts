import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { jobs } from "#jobs.server.ts";
import {
  closeDatabase,
  isDatabaseUnavailable,
  pool,
  transaction,
} from "#platform/database.server.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { takeBaseBackup } from "#platform/postgres/base-backup.server.ts";
import {
  type EmbeddedPostgres,
  installEmbeddedPostgresCopy,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { prepareSchema } from "#platform/postgres/prepare-schema.server.ts";
import { Browser } from "#test/browser.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { openTcpProxy, type TcpProxy } from "#test/tcp-proxy.ts";
import { runQuery } from "#test/two-roles.ts";

// A primary and a streaming standby behind a proxy that connects to one of them.

let folders: Awaited<ReturnType<typeof makeDataFolder>>[];
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let proxy: TcpProxy;
let cards: string[];
const buyer = new Browser();

async function makeStandby(dataDir: string): Promise<EmbeddedPostgres> {
  const copy = mkdtempSync(join(tmpdir(), "furlong-standby-"));
  const cluster = join(copy, "postgres");
  await takeBaseBackup(primary.superuserUrl, primary.cluster, cluster);
  const { username, password, port } = new URL(primary.superuserUrl);
  writeFileSync(join(cluster, "standby.signal"), "");
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  installEmbeddedPostgresCopy(dataDir, {
    cluster,
    record: join(folders[0]?.dataDir ?? "", "postgres.json"),
  });
  rmSync(copy, { recursive: true });
  return await startEmbeddedPostgres({ dataDir, durable: false, port: await findFreePort() });
}

/** Waits until the standby has replayed everything the primary has written. */
async function waitForReplication(): Promise<void> {
  const [position] = await runQuery(
    primary.superuserUrl,
    "select pg_current_wal_lsn()::text as lsn",
  );
  const replayed = `select pg_last_wal_replay_lsn() >= '${position?.lsn}' as "isReplayed"`;
  while (!(await runQuery(standby.superuserUrl, replayed))[0]?.isReplayed)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Drops every connection and routes new ones to a server. */
async function failOverTo(server: EmbeddedPostgres): Promise<void> {
  proxy.setTargetPort(server.port);
  await proxy.disconnect();
  await proxy.reconnect();
}

const unlock = (raceCardId: string | undefined) =>
  buyer.postJson(`/api/race-cards/${raceCardId}/unlock`, {});
const checkReadiness = () => buyer.get("/health/ready");

beforeAll(async () => {
  folders = [await makeDataFolder(), await makeDataFolder()];
  const [first, second] = folders.map(({ dataDir }) => dataDir);
  primary = await startEmbeddedPostgres({ dataDir: first ?? "", durable: false });
  proxy = await openTcpProxy({ host: "127.0.0.1", port: primary.port });
  const url = new URL(primary.url);
  url.port = String(proxy.port);
  process.env.DATABASE_URL = url.href;
  await prepareSchema({ ownerUrl: primary.url, applicationUrl: primary.url, jobs: jobs() });

  cards = [];
  for (const venue of ["kenilworth", "vaal", "turffontein", "greyville"])
    cards.push((await publishRaceCard({ venue })).raceCardId);
  buyer.applyCookies(await startSession((await makeUser({ coins: 16 })).id));
  expect((await unlock(cards[0])).status).toBe(200);

  standby = await makeStandby(second ?? "");
  await waitForReplication();
}, 300_000);

afterAll(async () => {
  await closeDatabase();
  await proxy.close();
  for (const folder of folders) await folder.remove();
});

describe("a database that becomes read-only", () => {
  it("fails the readiness check and writes with 503, and still serves reads", async () => {
    expect((await checkReadiness()).status).toBe(200);
    await failOverTo(standby);
    await expect.poll(async () => (await checkReadiness()).status).toBe(503);
    expect((await buyer.get("/my-cards")).status).toBe(200);
    const response = await unlock(cards[1]);
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    const error = await transaction((tx) => tx.execute(sql`update users set name = name`)).catch(
      (reason) => reason,
    );
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it("reconnects the whole pool to the primary after one write is refused", async () => {
    await Promise.all(Array.from({ length: 8 }, () => pool().query("select pg_sleep(0.2)")));
    proxy.setTargetPort(primary.port);
    expect((await unlock(cards[1])).status).toBe(503);
    const writes = Array.from({ length: 8 }, () =>
      transaction((tx) => tx.execute(sql`update users set name = name`)),
    );
    expect(await Promise.allSettled(writes)).toEqual(
      writes.map(() => expect.objectContaining({ status: "fulfilled" })),
    );
    expect((await unlock(cards[1])).status).toBe(200);
    expect((await checkReadiness()).status).toBe(200);
  });

  it("fails the readiness check and writes while the primary is set to read-only", async () => {
    const READ_ONLY = "default_transaction_read_only";
    await runQuery(primary.superuserUrl, `alter database furlong set ${READ_ONLY} = on`);
    await failOverTo(primary);
    await expect.poll(async () => (await checkReadiness()).status).toBe(503);
    expect((await unlock(cards[2])).status).toBe(503);
    await runQuery(primary.superuserUrl, `alter database furlong reset ${READ_ONLY}`);
    expect((await unlock(cards[2])).status).toBe(200);
    expect((await checkReadiness()).status).toBe(200);
  });

  it("recovers once the standby is promoted, without losing a write", async () => {
    await waitForReplication();
    await failOverTo(standby);
    await primary.stop();
    await expect.poll(async () => (await checkReadiness()).status).toBe(503);
    await runQuery(standby.superuserUrl, "select pg_promote()");
    await expect.poll(async () => (await checkReadiness()).status).toBe(200);
    const repeated = await unlock(cards[2]);
    expect([repeated.status, (await repeated.json()).coins]).toEqual([200, 4]);
    expect((await unlock(cards[3])).status).toBe(200);
    await expectInvariantsToHold();
  });
});
