import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { makeTipster, type Person, publishRaceCard } from "#test/factories.ts";
import { appendToLogJob } from "../append-job.server.ts";
import { appendToLog } from "../log/append-to-log.server.ts";
import { startLog } from "../log/start-log.server.ts";
import {
  copyMirror,
  mirrorFolderOf,
  readMirrorCheckpoint,
  restoreMirror,
} from "./mirror-folder.server.ts";
import { checkMirror } from "./update-mirror.server.ts";

const root = mkdtempSync(join(tmpdir(), "furlong-mirror-"));
const originalDataDir = env().dataDir;
let folders = 0;
let folder: string;
let tipster: Person;

beforeAll(async () => {
  await startLog();
  tipster = await makeTipster();
});
beforeEach(async () => {
  env().dataDir = join(root, String(folders++));
  folder = mirrorFolderOf(env().dataDir);
  await pool().query("update proof_logs set unconfirmed_since = null");
  await publish();
  await run();
});
afterAll(() => {
  env().dataDir = originalDataDir;
  rmSync(root, { recursive: true, force: true });
});

const run = () => appendToLogJob.run({}, { isLast: false });
/** Publishes the tips of a new creator: three entries. */
const publish = () => publishRaceCard({ races: [1, 2] });
const readCheckpoint = () => readFileSync(join(folder, "log/checkpoint"), "utf8");
const readServed = async (path: string) =>
  Buffer.from(await (await sendAsGuest(`/proof/${path}`)).arrayBuffer());

function listFiles(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function readSize(): Promise<number> {
  return Number((await pool().query("select size from proof_logs")).rows[0].size);
}

/** Appends entries one by one: other display names of one creator. */
async function appendNames(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await pool().query("update creators set display_name = $1 where user_id = $2", [
      `Sipho ${await readSize()} ${at}`,
      tipster.id,
    ]);
    await appendToLog();
  }
}

async function countAlerts(kind: string): Promise<number> {
  const { rows } = await pool().query(
    "select count(*) from alerts where kind = $1 and resolved_at is null",
    [kind],
  );
  return Number(rows[0].count);
}

it("has the files that the site serves, and only the newest partial tiles", async () => {
  await publish();
  await run();
  const size = await readSize();
  expect(listFiles().filter((path) => !path.startsWith("files/"))).toEqual([
    "keys",
    "log/checkpoint",
    `log/tile/0/000.p/${size}`,
    `log/tile/entries/000.p/${size}`,
    `recovery/checkpoints/000.p/${size}`,
    `recovery/rows/000.p/${size}`,
  ]);
  const served = listFiles().filter((path) => !path.startsWith("recovery/"));
  for (const path of served)
    expect(readFileSync(join(folder, path)), path).toEqual(await readServed(path));
  // The verifier, the rules and, after 10:55, the day's manifest.
  expect(served.filter((path) => path.startsWith("files/")).length).toBeGreaterThan(1);
});

it("does not contain horses, before or after they are revealed", () => {
  for (const path of listFiles())
    expect(readFileSync(join(folder, path), "utf8"), path).not.toContain("Secret Horse");
});

it("writes nothing without new entries", async () => {
  const before = listFiles().map((path) => statSync(join(folder, path)).mtimeMs);
  await run();
  expect(listFiles().map((path) => statSync(join(folder, path)).mtimeMs)).toEqual(before);
});

it("catches up with what was appended without it, over several tiles", async () => {
  await appendNames(260);
  await run();
  const size = await readSize();
  expect(readCheckpoint()).toBe((await readServed("log/checkpoint")).toString());
  for (const path of [
    "log/tile/entries/000",
    `log/tile/entries/001.p/${size - 256}`,
    "log/tile/0/000",
    "log/tile/1/000.p/1",
  ])
    expect(readFileSync(join(folder, path)), path).toEqual(await readServed(path));
  expect(listFiles()).not.toContainEqual(expect.stringContaining("000.p/2"));
});

it("is written again if its folder is gone", async () => {
  const before = readCheckpoint();
  rmSync(folder, { recursive: true });
  await run();
  expect(readCheckpoint()).toBe(before);
});

it("does not keep the log from growing if it cannot be written, and says so", async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  await publish();
  const size = await readSize();
  await run();
  expect(await readSize()).toBe(size + 3);
  expect(await countAlerts("log-mirror-failed")).toBe(1);
  rmSync(folder);
  await run();
  expect(readCheckpoint()).toContain(`\n${size + 3}\n`);
  expect(await countAlerts("log-mirror-failed")).toBe(0);
});

describe("a mirror that the database does not continue", () => {
  const lines = () => readCheckpoint().split("\n");

  it.each([
    ["has more entries", () => [lines()[0], "999999", lines()[2]]],
    ["has other entries", () => [lines()[0], lines()[1], `${"A".repeat(43)}=`]],
    ["cannot be read", () => ["half a li"]],
  ])("stops the log if it %s", async (_, change) => {
    writeFileSync(join(folder, "log/checkpoint"), change().join("\n"));
    const size = await readSize();
    await publish();
    expect(await checkMirror()).toBe(false);
    expect(await countAlerts("log-stopped")).toBe(1);
    await run();
    expect(await readSize()).toBe(size);
    expect(readCheckpoint()).toBe(change().join("\n"));
  });

  it("is moved aside if it is of another log", async () => {
    writeFileSync(join(folder, "log/checkpoint"), `other.example/log\n1\n${"A".repeat(43)}=\n`);
    expect(await checkMirror()).toBe(true);
    await run();
    expect(readCheckpoint()).toBe((await readServed("log/checkpoint")).toString());
    expect(readdirSync(env().dataDir)).toEqual(["proof", expect.stringMatching(/^proof\.before-/)]);
  });
});

describe("in a backup", () => {
  it("is copied as a whole", async () => {
    const target = join(env().dataDir, "copy");
    expect(await copyMirror(folder, target)).toBe(true);
    expect(await readMirrorCheckpoint(target)).toMatchObject({ size: await readSize() });
    expect(await copyMirror(join(env().dataDir, "none"), `${target}2`)).toBe(false);
    expect(existsSync(`${target}2`)).toBe(false);
  });

  it("does not replace a newer one", async () => {
    const backup = join(env().dataDir, "backup");
    expect(await restoreMirror(backup, folder)).toBe("none");
    await copyMirror(folder, backup);
    await publish();
    await run();
    const newest = readCheckpoint();
    expect(await restoreMirror(backup, folder)).toBe("kept");
    expect(readCheckpoint()).toBe(newest);
    const newer = join(env().dataDir, "newer");
    cpSync(folder, newer, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(backup, folder, { recursive: true });
    expect(await restoreMirror(newer, folder)).toBe("restored");
    expect(readCheckpoint()).toBe(newest);
    rmSync(folder, { recursive: true });
    expect(await restoreMirror(backup, folder)).toBe("restored");
  });
});
