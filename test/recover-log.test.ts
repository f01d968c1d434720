import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkProof } from "#bin/proof/check-proof.ts";
import { readLogCopy } from "#bin/proof/read-log-copy.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import {
  appendToLogJob,
  checkMirror,
  mirrorFolderOf,
  recoverLog,
  rotateKey,
  startLog,
  stopLog,
} from "#proof/proof.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { type Snapshot, takeSnapshot } from "#test/database-snapshot.ts";
import { makeAdmin, makeTipster, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readServedLog } from "#test/served-log.ts";
import { serveProduct } from "#test/served-product.ts";
import { hideTip } from "#tips/tips.server.ts";

// Restores a backup that is older than checkpoints of the log that were already published.

const root = mkdtempSync(join(tmpdir(), "furlong-recover-"));
const originalDataDir = env().dataDir;
const newest = join(root, "newest");
const download = join(root, "download");
const downloadAfterRotation = join(root, "download-2");
/** Every checkpoint that a witness saw. */
const witnessed: string[] = [];
let snapshot: Snapshot;
let tipster: Person;
let sizeOfBackup: number;

beforeAll(async () => {
  env().dataDir = join(root, "data");
  const admin = await makeAdmin();
  await startLog();
  tipster = await makeTipster({ name: "Sipho Dube" });
  const early = await publishRaceCard({ creatorId: tipster.id, races: [1, 2] });
  await append();
  // In the backup, but not yet in its log.
  const late = await publishRaceCard({ races: [3, 4] });
  snapshot = await takeSnapshot();
  sizeOfBackup = await readSize();

  await append();
  const [tipId = ""] = await readTipIds(early.raceCardId);
  await hideTip(admin.id, tipId, "Wrong race");
  await hideTip(admin.id, (await readTipIds(late.raceCardId))[0] ?? "", "Wrong race");
  await append();
  const address = await serveProduct();
  await run(address, download);
  await rotateKey({ reason: "yearly change", isStolen: false });
  for (let at = 0; at < 130; at += 1) {
    await rename(tipster.id, `Sipho ${at}`);
    await rename(late.creatorId, `Thabo ${at}`);
    await append();
  }
  await publishRaceCard({ races: [1, 2, 5] }); // lost with its creator
  await append();
  cpSync(mirrorFolderOf(env().dataDir), newest, { recursive: true });
  await run(address, downloadAfterRotation);
});
beforeEach(async () => {
  freezeClock(null);
  await snapshot.restore();
  rmSync(env().dataDir, { recursive: true, force: true });
});
afterAll(async () => {
  await snapshot.close();
  env().dataDir = originalDataDir;
  rmSync(root, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<void> {
  const print = () => {};
  await checkProof(args, { print, printError: print, now: now() });
}

async function rename(creatorId: string, name: string): Promise<void> {
  await pool().query("update creators set display_name = $1 where user_id = $2", [name, creatorId]);
}

async function append(): Promise<void> {
  await appendToLogJob.run({}, { isLast: false });
  witnessed.push(await (await sendAsGuest("/proof/log/checkpoint")).text());
}

async function readSize(): Promise<number> {
  return Number((await pool().query("select size from proof_logs")).rows[0].size);
}

async function readTipIds(raceCardId: string): Promise<string[]> {
  const { rows } = await pool().query(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.id);
}

/** Verifies the served log against every checkpoint that the witness saw. */
async function listFindings() {
  const log = await readServedLog();
  return (await verifyLog({ ...log, keptCheckpoints: witnessed })).findings;
}

const sizeOf = (note: string) => Number(note.split("\n")[1]);

it("continues the log from its mirror without a fork", async () => {
  await stopLog();
  const size = Math.max(...witnessed.map(sizeOf));
  const recovered = { from: sizeOfBackup, size, lostTips: 3 };
  expect(await recoverLog(await readLogCopy(newest))).toEqual({ ok: true, ...recovered });
  expect(await readSize()).toBe(size + 1);
  expect(await listFindings()).toEqual([]);
  await expectInvariantsToHold();
  const { entries } = await readServedLog();
  expect(JSON.parse(entries.at(-1) ?? "")).toMatchObject({
    kind: "incident",
    from: sizeOfBackup,
    to: size - 1,
    lost: [[size - 3, size - 1]],
  });
  const { rows } = await pool().query(
    "select details from audit_entries where action = 'recover-log'",
  );
  expect(rows).toEqual([{ details: recovered }]);

  // The tips of the backup are shown again, because their withdrawal was lost with the restore.
  await append();
  const last = (await readServedLog()).entries.slice(size + 1).map((entry) => JSON.parse(entry));
  expect(last.filter(({ kind }) => kind === "withdrawal").map(({ why }) => why)).toEqual([
    "shown",
    "shown",
  ]);
  await publishRaceCard({ races: [6] });
  await append();
  expect(await listFindings()).toEqual([]);
  expect(readFileSync(join(mirrorFolderOf(env().dataDir), "log/checkpoint"), "utf8")).toBe(
    witnessed.at(-1),
  );
  await expectInvariantsToHold();
  witnessed.splice(-2); // the next test restores the backup again

  freezeClock(new Date(`${addDays(dateAt(now()), 3)}T08:00:00Z`));
  const later = await verifyLog(await readServedLog());
  const notRevealed = later.findings.filter(({ kind }) => kind === "not revealed");
  expect(notRevealed.map(({ index }) => index)).toEqual([size - 3, size - 2, size - 1]);
  expect(notRevealed[0]?.message).toContain(`entry ${size} says that it was lost`);
});

it("continues the log from a download of the site and re-enters tips whose salts are missing", async () => {
  await stopLog();
  expect(await recoverLog(await readLogCopy(download))).toMatchObject({ ok: true, lostTips: 2 });
  await append();
  witnessed.pop();
  const log = await readServedLog();
  const downloaded = readFileSync(join(download, "log/checkpoint"), "utf8");
  const early = witnessed.slice(0, witnessed.indexOf(downloaded) + 1);
  expect(early.length).toBeGreaterThan(2);
  expect((await verifyLog({ ...log, keptCheckpoints: early })).findings).toEqual([]);
  const tips = log.entries.map((entry) => JSON.parse(entry)).filter(({ kind }) => kind === "tip");
  expect(tips.map(({ race }) => race)).toEqual([1, 2, 3, 4, 3, 4]);
  expect(new Set(tips.slice(2).map(({ creator }) => creator)).size).toBe(1);
  await expectInvariantsToHold();
});

it("refuses a copy without the signing key", async () => {
  await stopLog();
  expect(await recoverLog(await readLogCopy(downloadAfterRotation))).toMatchObject({
    refusal: "key-lost",
  });
  expect(await readSize()).toBe(sizeOfBackup);
});

it("stops the log at startup if the mirror is ahead of the database, even without a restore", async () => {
  cpSync(newest, mirrorFolderOf(env().dataDir), { recursive: true });
  expect(await checkMirror()).toBe(false);
  await appendToLogJob.run({}, { isLast: false });
  expect(await readSize()).toBe(sizeOfBackup);
  expect(await recoverLog(await readLogCopy(mirrorFolderOf(env().dataDir)))).toMatchObject({
    ok: true,
    lostTips: 3,
  });
  expect(await checkMirror()).toBe(true);
  expect(await listFindings()).toEqual([]);
});

describe("a copy is refused", () => {
  const change = async (path: string, from: RegExp, to: string) => {
    const folder = mkdtempSync(join(root, "copy-"));
    cpSync(newest, folder, { recursive: true });
    const file = join(folder, path);
    const text = readFileSync(file, "latin1");
    expect(text).toMatch(from);
    writeFileSync(file, text.replace(from, to), "latin1");
    return await readLogCopy(folder);
  };

  it.each([
    ["with a changed entry", () => change("log/tile/entries/000", /"kind":"tip"/, '"kind":"tap"')],
    ["with another root", () => change("log/checkpoint", /\n.{4}(.+)\n\n/, "\nAAAA$1\n\n")],
    [
      "that is not signed",
      () => change("log/checkpoint", /(—|\xe2\x80\x94) (\S+) .{8}/, "$1 $2 AAAAAAAA"),
    ],
    ["of another log", () => change("log/checkpoint", /^demo/, "dome")],
  ])("%s", async (_, makeCopy) => {
    await stopLog();
    expect(await recoverLog(await makeCopy())).toMatchObject({ ok: false, refusal: "invalid" });
    expect(await readSize()).toBe(sizeOfBackup);
  });

  it("that has fewer entries than a kept checkpoint or the mirror of the machine", async () => {
    await stopLog();
    const [early] = witnessed;
    const short = await readLogCopy(newest);
    const last = witnessed.at(-2) ?? "";
    short.entries.length = sizeOf(last);
    short.checkpoints = short.checkpoints.filter((note) => sizeOf(note) <= sizeOf(last));
    expect(await recoverLog(short, [witnessed.at(-1) ?? ""])).toMatchObject({ refusal: "invalid" });
    cpSync(newest, mirrorFolderOf(env().dataDir), { recursive: true });
    expect(await recoverLog(short)).toMatchObject({ refusal: "invalid" });
    rmSync(env().dataDir, { recursive: true });
    expect(await recoverLog(short, [early ?? ""])).toMatchObject({ ok: true });
  });

  it("while the log is not stopped, or if the database already has all its entries", async () => {
    const copy = await readLogCopy(newest);
    expect(await recoverLog(copy)).toMatchObject({ refusal: "not-stopped" });
    await stopLog();
    copy.entries.length = sizeOfBackup;
    copy.checkpoints = copy.checkpoints.filter((note) => sizeOf(note) <= sizeOfBackup);
    expect(await recoverLog(copy)).toMatchObject({ refusal: "not-ahead" });
  });
});
