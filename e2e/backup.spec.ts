import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { runNode } from "#bin/run-node.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type ServerProcess, startServer } from "#test/server-process.ts";

// Backs up during writes, restores to another data folder and starts a server from it.

// A long timeout, because a start can take minutes on a busy machine.
test.describe.configure({ mode: "serial", timeout: 600_000 });

let source: Awaited<ReturnType<typeof makeDataFolder>>;
let target: Awaited<ReturnType<typeof makeDataFolder>>;
let backupFolder: string;
let server: ServerProcess | null = null;

test.beforeAll(async () => {
  [source, target] = [await makeDataFolder(), await makeDataFolder()];
  backupFolder = join(mkdtempSync(join(tmpdir(), "furlong-backup-")), "backup");
});
test.afterEach(async () => {
  await server?.stop();
  server = null;
});
test.afterAll(async () => {
  rmSync(join(backupFolder, ".."), { recursive: true, force: true });
  await source.remove();
  await target.remove();
});

const runScript = (script: string, dataDir: string, ...args: string[]) =>
  runNode([script, ...args], { env: { ...process.env, DATA_DIR: dataDir }, quiet: true });

async function signIn(email: string): Promise<string> {
  const response = await fetch(`${server?.url}/api/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: "furlong-demo" }),
  });
  return (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

const readUser = async (cookie: string) =>
  (await (await fetch(`${server?.url}/api/me`, { headers: { Cookie: cookie } })).json()).user;

let punterCookie: string;
let tipsterCookie: string;
let photoPath: string;
let coinsBefore: number;

test("backs up during purchases, and refuses to overwrite a backup or a running server", async () => {
  server = await startServer({ PORT: String(await findFreePort()), DATA_DIR: source.dataDir });
  punterCookie = await signIn("punter@furlong.test");
  tipsterCookie = await signIn("tipster@furlong.test");
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const response = await fetch(`${server.url}/.netlify/functions/update-tipster-profile-image`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: tipsterCookie },
    body: JSON.stringify({ imageData: `data:image/png;base64,${image.toString("base64")}` }),
  });
  photoPath = (await response.json()).profile_image;
  coinsBefore = (await readUser(punterCookie)).coins;
  const { raceCards } = await (await fetch(`${server.url}/api/race-cards`)).json();

  const backup = runScript("bin/backup.ts", source.dataDir, backupFolder);
  for (const { id } of raceCards)
    await fetch(`${server.url}/api/race-cards/${id}/unlock`, {
      method: "POST",
      headers: { Cookie: punterCookie },
    });
  const { code, output } = await backup;
  expect(code, output).toBe(0);
  expect(output).toContain(backupFolder);
  expect((await readUser(punterCookie)).coins).toBeLessThan(coinsBefore);
  // Other users of the machine cannot read it.
  expect(statSync(backupFolder).mode & 0o77).toBe(0);

  const secondBackup = await runScript("bin/backup.ts", source.dataDir, backupFolder);
  expect(secondBackup.code).toBe(1);
  expect(secondBackup.output).toContain("already exists");
  const restoreOverRunningServer = await runScript("bin/restore.ts", source.dataDir, backupFolder);
  expect(restoreOverRunningServer.code).toBe(1);
  expect(restoreOverRunningServer.output).toContain("Stop it first");
});

test("restores to another data folder with valid invariants, images and sessions", async () => {
  const { code, output } = await runScript("bin/restore.ts", target.dataDir, backupFolder);
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ integrity checks run, 0 failed/);
  server = await startServer({ PORT: String(await findFreePort()), DATA_DIR: target.dataDir });
  const { coins } = await readUser(punterCookie);
  expect(coins).toBeLessThanOrEqual(coinsBefore);
  expect(coins % 2).toBe(coinsBefore % 2);
  expect((await fetch(server.url + photoPath)).status).toBe(200);
  expect((await readUser(tipsterCookie)).roles).toContain("tipster");
});

test("restores over existing data and moves the old data aside", async () => {
  const { code, output } = await runScript("bin/restore.ts", target.dataDir, backupFolder);
  expect(code, output).toBe(0);
  const previousCluster = /was moved to (\S+)\./.exec(output)?.[1] ?? "";
  expect(existsSync(join(previousCluster, "PG_VERSION"))).toBe(true);
  rmSync(previousCluster, { recursive: true, force: true });
  expect(readdirSync(target.dataDir).some((name) => name.startsWith("uploads.before-"))).toBe(true);
});

test("refuses an incomplete backup", async () => {
  rmSync(join(backupFolder, "backup.json"));
  const { code, output } = await runScript("bin/restore.ts", target.dataDir, backupFolder);
  expect(code).toBe(1);
  expect(output).toContain("not a complete backup");
});
