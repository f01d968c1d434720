import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataFolder } from "#test/data-folder.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.server.ts";
import { isAlive } from "./process-lock.server.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
beforeEach(async () => {
  folder = await makeDataFolder();
});
afterEach(() => folder.remove());

const start = (options = {}) =>
  startEmbeddedPostgres({ dataDir: folder.dataDir, durable: false, ...options });

async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function readPid({ cluster }: EmbeddedPostgres): number {
  return Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
}

test("creates a database that only its own role and password can open", async () => {
  const postgres = await start();
  expect(await queryValue(postgres.url, "select current_user || ' ' || current_database()")).toBe(
    "furlong furlong",
  );
  expect(
    await queryValue(postgres.url, "select rolsuper from pg_roles where rolname = current_user"),
  ).toBe(false);
  expect(
    await queryValue(postgres.url, "select lower('ÉÀ') || current_setting('server_encoding')"),
  ).toBe("éàUTF8");
  expect(await queryValue(postgres.url, "show listen_addresses")).toBe("127.0.0.1");
  const urlWithWrongPassword = new URL(postgres.url);
  urlWithWrongPassword.password = "guess";
  await expect(queryValue(urlWithWrongPassword.href, "select 1")).rejects.toThrow(/password/);
  expect(statSync(join(folder.dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
  await postgres.stop();
});

test("keeps the data and the URL across a restart", async () => {
  const first = await start();
  await queryValue(first.url, "create table saved as select 7 as number");
  await first.stop();
  await expect(queryValue(first.url, "select 1")).rejects.toThrow();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await queryValue(second.url, "select number from saved")).toBe(7);
});

test("flushes to disk before it confirms a commit by default", async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    expect(await queryValue(postgres.url, `show ${setting}`)).toBe("on");
});

test("takes over a database left running by a killed process", async () => {
  const killed = await start();
  const next = await start();
  expect([readPid(next), next.url]).toEqual([readPid(killed), killed.url]);
});

test("starts one database when two starts run at once", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect(second.url).toBe(first.url);
  expect(await queryValue(first.url, "select 1")).toBe(1);
});

test("recovers all committed data after the database is killed", async () => {
  const killed = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  await queryValue(killed.url, "create table saved as select 7 as number");
  process.kill(readPid(killed), "SIGKILL");
  const next = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  expect(await queryValue(next.url, "select number from saved")).toBe(7);
});

test("ignores a stale postmaster.pid whose process id belongs to another process", async () => {
  const killed = await start();
  const file = join(killed.cluster, "postmaster.pid");
  const lines = readFileSync(file, "utf8").split("\n");
  const killedPid = readPid(killed);
  process.kill(killedPid, "SIGKILL");
  await expect.poll(() => isAlive(killedPid)).toBe(false);
  const otherProcess = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
    uid: statSync(killed.cluster).uid,
  });
  writeFileSync(file, [otherProcess.pid, ...lines.slice(1)].join("\n"));
  const next = await start();
  expect(await queryValue(next.url, "select 1")).toBe(1);
  otherProcess.kill();
});

test("restarts a killed database at the same URL with keepRunning", async () => {
  const postgres = await start({ keepRunning: true });
  const killedPid = readPid(postgres);
  process.kill(killedPid, "SIGKILL");
  await expect.poll(() => queryValue(postgres.url, "select 1")).toBe(1);
  expect(readPid(postgres)).not.toBe(killedPid);
  await postgres.stop();
  await sleep(500);
  await expect(queryValue(postgres.url, "select 1")).rejects.toThrow();
});

test("uses another port when its previous one has been taken", async () => {
  const first = await start();
  await first.stop();
  const portHolder = createServer();
  await new Promise<void>((resolve) => portHolder.listen(first.port, "127.0.0.1", resolve));
  const second = await start();
  expect(second.port).not.toBe(first.port);
  expect(await queryValue(second.url, "select 1")).toBe(1);
  portHolder.close();
});

test("stopUnlessInUse keeps a database with other clients running", async () => {
  const postgres = await start();
  const client = new Client({ connectionString: postgres.url });
  client.on("error", () => {});
  await client.connect();
  await postgres.stopUnlessInUse();
  expect(await queryValue(postgres.url, "select 1")).toBe(1);
  await client.end();
  // The server notices shortly afterwards that its clients have disconnected.
  await expect
    .poll(async () => {
      await postgres.stopUnlessInUse();
      return existsSync(join(postgres.cluster, "postmaster.pid"));
    })
    .toBe(false);
  await expect(queryValue(postgres.url, "select 1")).rejects.toThrow();
});
