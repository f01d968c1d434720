import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataFolder } from "#test/data-folder.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.server.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
beforeEach(async () => {
  folder = await makeDataFolder();
});
afterEach(() => folder.remove());

const start = (options = {}) =>
  startEmbeddedPostgres({ dataDir: folder.dataDir, durable: false, ...options });

async function ask(url: string, sql: string): Promise<unknown> {
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

function pidOf({ cluster }: EmbeddedPostgres): number {
  return Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
}

async function answersAgain(url: string): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(url, "select 1");
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(50);
    }
  }
}

test("creates a database that only its own role and password can open", async () => {
  const postgres = await start();
  expect(await ask(postgres.url, "select current_user || ' ' || current_database()")).toBe(
    "furlong furlong",
  );
  expect(
    await ask(postgres.url, "select rolsuper from pg_roles where rolname = current_user"),
  ).toBe(false);
  expect(await ask(postgres.url, "select lower('ÉÀ') || current_setting('server_encoding')")).toBe(
    "éàUTF8",
  );
  expect(await ask(postgres.url, "show listen_addresses")).toBe("127.0.0.1");
  const wrong = new URL(postgres.url);
  wrong.password = "guess";
  await expect(ask(wrong.href, "select 1")).rejects.toThrow(/password/);
  expect(statSync(join(folder.dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
  await postgres.stop();
});

test("keeps the data and the URL across a restart", async () => {
  const first = await start();
  await ask(first.url, "create table kept as select 7 as number");
  await first.stop();
  await expect(ask(first.url, "select 1")).rejects.toThrow();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, "select number from kept")).toBe(7);
});

test("flushes to disk before it confirms a commit by default", async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    expect(await ask(postgres.url, `show ${setting}`)).toBe("on");
});

test("takes over a database left running by a killed process", async () => {
  const killed = await start();
  const next = await start();
  expect([pidOf(next), next.url]).toEqual([pidOf(killed), killed.url]);
});

test("starts one database when two starts run at once", async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(other.url).toBe(one.url);
  expect(await ask(one.url, "select 1")).toBe(1);
});

test("recovers all committed data after the database is killed", async () => {
  const killed = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  await ask(killed.url, "create table kept as select 7 as number");
  process.kill(pidOf(killed), "SIGKILL");
  const next = await startEmbeddedPostgres({ dataDir: folder.dataDir });
  expect(await ask(next.url, "select number from kept")).toBe(7);
});

test("ignores a stale postmaster.pid whose process id belongs to another process", async () => {
  const killed = await start();
  const file = join(killed.cluster, "postmaster.pid");
  const lines = readFileSync(file, "utf8").split("\n");
  process.kill(pidOf(killed), "SIGKILL");
  await sleep(200);
  const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
    uid: statSync(killed.cluster).uid,
  });
  writeFileSync(file, [other.pid, ...lines.slice(1)].join("\n"));
  const next = await start();
  expect(await ask(next.url, "select 1")).toBe(1);
  other.kill();
});

test("restarts a killed database at the same URL with keepRunning", async () => {
  const postgres = await start({ keepRunning: true });
  const killed = pidOf(postgres);
  process.kill(killed, "SIGKILL");
  expect(await answersAgain(postgres.url)).toBe(1);
  expect(pidOf(postgres)).not.toBe(killed);
  await postgres.stop();
  await sleep(500);
  await expect(ask(postgres.url, "select 1")).rejects.toThrow();
});

test("uses another port when its previous one has been taken", async () => {
  const first = await start();
  await first.stop();
  const squatter = createServer();
  await new Promise<void>((done) => squatter.listen(first.port, "127.0.0.1", done));
  const second = await start();
  expect(second.port).not.toBe(first.port);
  expect(await ask(second.url, "select 1")).toBe(1);
  squatter.close();
});

test("stopUnlessInUse keeps a database with other clients running", async () => {
  const borrowed = await start();
  const client = new Client({ connectionString: borrowed.url });
  client.on("error", () => {});
  await client.connect();
  await borrowed.stopUnlessInUse();
  expect(await ask(borrowed.url, "select 1")).toBe(1);
  await client.end();
  await sleep(100);
  await borrowed.stopUnlessInUse();
  await expect(ask(borrowed.url, "select 1")).rejects.toThrow();
});
