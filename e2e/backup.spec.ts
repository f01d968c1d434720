import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { runNode } from "#bin/run-node.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type StartedProduct, startProduct } from "#test/started-product.ts";

// Takes a backup during writes, restores it to another data folder and starts a server from it.

// A long timeout, because a start can take minutes on a busy machine.
test.describe.configure({ mode: "serial", timeout: 600_000 });

let here: Awaited<ReturnType<typeof makeDataFolder>>;
let there: Awaited<ReturnType<typeof makeDataFolder>>;
let folder: string;
let product: StartedProduct | null = null;

test.beforeAll(async () => {
  [here, there] = [await makeDataFolder(), await makeDataFolder()];
  folder = join(mkdtempSync(join(tmpdir(), "furlong-backup-")), "backup");
});
test.afterEach(async () => {
  await product?.stop();
  product = null;
});
test.afterAll(async () => {
  rmSync(join(folder, ".."), { recursive: true, force: true });
  await here.remove();
  await there.remove();
});

const run = (script: string, dataDir: string, ...args: string[]) =>
  runNode([script, ...args], { env: { ...process.env, DATA_DIR: dataDir }, quiet: true });

async function signIn(email: string): Promise<string> {
  const answer = await fetch(`${product?.url}/api/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: "furlong-demo" }),
  });
  return (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

const me = async (cookie: string) =>
  (await (await fetch(`${product?.url}/api/me`, { headers: { Cookie: cookie } })).json()).user;

let punter: string;
let tipster: string;
let photo: string;
let coinsBefore: number;

test("backs up during purchases, and refuses to overwrite a backup or a running server", async () => {
  product = await startProduct({ PORT: String(await findFreePort()), DATA_DIR: here.dataDir });
  punter = await signIn("punter@furlong.test");
  tipster = await signIn("tipster@furlong.test");
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const kept = await fetch(`${product.url}/.netlify/functions/update-tipster-profile-image`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: tipster },
    body: JSON.stringify({ imageData: `data:image/png;base64,${picture.toString("base64")}` }),
  });
  photo = (await kept.json()).profile_image;
  coinsBefore = (await me(punter)).coins;
  const { raceCards } = await (await fetch(`${product.url}/api/race-cards`)).json();

  const taking = run("bin/backup.ts", here.dataDir, folder);
  for (const { id } of raceCards)
    await fetch(`${product.url}/api/race-cards/${id}/unlock`, {
      method: "POST",
      headers: { Cookie: punter },
    });
  const { code, output } = await taking;
  expect(code, output).toBe(0);
  expect(output).toContain(folder);
  expect((await me(punter)).coins).toBeLessThan(coinsBefore);
  // Other users of the machine cannot read it.
  expect(statSync(folder).mode & 0o77).toBe(0);

  const again = await run("bin/backup.ts", here.dataDir, folder);
  expect(again.code).toBe(1);
  expect(again.output).toContain("already exists");
  const onto = await run("bin/restore.ts", here.dataDir, folder);
  expect(onto.code).toBe(1);
  expect(onto.output).toContain("Stop it first");
});

test("restores to another data folder with valid invariants, images and sessions", async () => {
  const { code, output } = await run("bin/restore.ts", there.dataDir, folder);
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ ledger checks run, 0 failed/);
  product = await startProduct({ PORT: String(await findFreePort()), DATA_DIR: there.dataDir });
  const { coins } = await me(punter);
  expect(coins).toBeLessThanOrEqual(coinsBefore);
  expect(coins % 2).toBe(coinsBefore % 2);
  expect((await fetch(product.url + photo)).status).toBe(200);
  expect((await me(tipster)).roles).toContain("tipster");
});

test("restores over existing data and moves the old data aside", async () => {
  const { code, output } = await run("bin/restore.ts", there.dataDir, folder);
  expect(code, output).toBe(0);
  const aside = /was moved to (\S+)\./.exec(output)?.[1] ?? "";
  expect(existsSync(join(aside, "PG_VERSION"))).toBe(true);
  rmSync(aside, { recursive: true, force: true });
  expect(readdirSync(there.dataDir).some((name) => name.startsWith("uploads.before-"))).toBe(true);
});

test("refuses an incomplete backup", async () => {
  rmSync(join(folder, "backup.json"));
  const { code, output } = await run("bin/restore.ts", there.dataDir, folder);
  expect(code).toBe(1);
  expect(output).toContain("not a complete backup");
});
