import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyLog } from "#domain/proof/verify-log.js";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import {
  appendToLogJob,
  beginNextLog,
  checkKeptCheckpoint,
  confirmLog,
  startLog,
  stopLog,
} from "#proof/proof.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { type Snapshot, takeSnapshot } from "#test/database-snapshot.ts";
import { publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readServedLog } from "#test/served-log.ts";

// Restores a backup that is older than checkpoints of the log that were already published.

const root = mkdtempSync(join(tmpdir(), "furlong-restored-"));
const originalDataDir = env().dataDir;
let folders = 0;
let keptFile: string;
let snapshot: Snapshot;
let checkpointOfBackup: string;
let newestCheckpoint: string;

beforeAll(async () => {
  env().dataDir = join(root, "first");
  await startLog();
  await publishRaceCard({ races: [1, 2] });
  await run();
  checkpointOfBackup = await readCheckpoint();
  // In the backup, but not yet in its log.
  await publishRaceCard({ races: [3] });
  snapshot = await takeSnapshot();
  await run();
  await publishRaceCard({ races: [4, 5] });
  await run();
  newestCheckpoint = await readCheckpoint();
});
beforeEach(async () => {
  await snapshot.restore();
  env().dataDir = join(root, String(folders++));
  keptFile = join(env().dataDir, "proof/log/checkpoint");
});
afterAll(async () => {
  await snapshot.close();
  env().dataDir = originalDataDir;
  rmSync(root, { recursive: true, force: true });
});

const run = () => appendToLogJob.run({}, { isLast: false });
const readCheckpoint = async () => await (await sendAsGuest("/proof/log/checkpoint")).text();
const sizeOf = (checkpoint: string) => Number(checkpoint.split("\n")[1]);

async function readSize(): Promise<number> {
  const { rows } = await pool().query("select size from proof_logs order by id desc limit 1");
  return Number(rows[0].size);
}

function keep(content: string): void {
  mkdirSync(dirname(keptFile), { recursive: true });
  writeFileSync(keptFile, content);
}

async function countAlerts(kind: string): Promise<number> {
  const { rows } = await pool().query(
    "select count(*) from alerts where kind = $1 and resolved_at is null",
    [kind],
  );
  return Number(rows[0].count);
}

describe("after a restore", () => {
  it("the log resumes once confirmed, if nobody outside holds a newer checkpoint", async () => {
    await stopLog();
    await run();
    expect(await readSize()).toBe(sizeOf(checkpointOfBackup));
    expect(await confirmLog(checkpointOfBackup)).toMatchObject({ ok: true });
    await run();
    expect(await readSize()).toBeGreaterThan(sizeOf(checkpointOfBackup));
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
    const log = await readServedLog();
    const { findings } = await verifyLog({ ...log, keptCheckpoints: [checkpointOfBackup] });
    expect(findings).toEqual([]);
    await expectInvariantsToHold();
  });

  it("the next log names the last checkpoint outside and the lost entries, and enters what the first one lacks", async () => {
    await stopLog();
    expect(await confirmLog(newestCheckpoint)).toMatchObject({ ok: false, refusal: "behind" });
    const [from, size] = [sizeOf(checkpointOfBackup), sizeOf(newestCheckpoint)];
    expect(
      await beginNextLog({ reason: "the disk burnt", checkpoint: newestCheckpoint }),
    ).toMatchObject({ ok: true, lastKnownSize: size, lostEntries: size - from });
    await run();
    const log = await readServedLog();
    const [first] = log.entries.map((entry) => JSON.parse(entry));
    expect(first).toMatchObject({
      kind: "incident",
      text: expect.stringContaining(`Its entries from ${from} to ${size - 1} are lost.`),
      ...{ from, to: size - 1, size, root: newestCheckpoint.split("\n")[2] },
    });
    const tips = log.entries.filter((entry) => JSON.parse(entry).kind === "tip");
    expect(tips).toHaveLength(1); // the one that was in the backup, but not in its log
    expect((await verifyLog(log)).findings).toEqual([]);
    await expectInvariantsToHold();
  });
});

describe("the newest checkpoint in DATA_DIR", () => {
  const lines = () => newestCheckpoint.split("\n");

  it.each([
    ["has more entries", () => newestCheckpoint],
    ["has other entries", () => [lines()[0], "1", `${"A".repeat(43)}=`].join("\n")],
    ["cannot be read", () => "half a li"],
  ])("stops the log at the start and before each run if it %s", async (_, create) => {
    keep(create());
    expect(await checkKeptCheckpoint()).toBe(false);
    expect(await countAlerts("log-stopped")).toBe(1);
    await run();
    expect(await readSize()).toBe(sizeOf(checkpointOfBackup));
    expect(readFileSync(keptFile, "utf8")).toBe(create());
  });

  it("refuses a confirmation, and is named by the next log", async () => {
    keep(newestCheckpoint);
    await run();
    expect(await confirmLog(null)).toMatchObject({ ok: false, refusal: "kept" });
    expect(await beginNextLog({ reason: "the disk burnt", checkpoint: null })).toMatchObject({
      lastKnownSize: sizeOf(newestCheckpoint),
    });
    await run();
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
  });

  it("stops a log that was closed since, and the next log is numbered after the one that is lost", async () => {
    const [origin] = lines();
    keep(`${origin}/2\n7\n${"A".repeat(43)}=\n`);
    expect(await checkKeptCheckpoint()).toBe(false);
    expect(await confirmLog(checkpointOfBackup)).toMatchObject({ ok: false, refusal: "kept" });
    expect(await beginNextLog({ reason: "the disk burnt", checkpoint: null })).toMatchObject({
      ...{ origin: `${origin}/3`, closedOrigin: origin, lastKnownSize: 7, lostEntries: 7 },
    });
    await run();
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
    const [first] = (await readServedLog()).entries.map((entry) => JSON.parse(entry));
    expect(first).toMatchObject({ previous: `${origin}/2`, size: 7, from: 0, to: 6 });
    await expectInvariantsToHold();
  });

  it("of another installation is replaced", async () => {
    keep(`other.example/log\n9\n${"A".repeat(43)}=\n`);
    await run();
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
  });

  it("does not refuse a confirmation if it cannot be read", async () => {
    keep("half a li");
    await run();
    expect(await confirmLog(checkpointOfBackup)).toMatchObject({ ok: true });
    await run();
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
  });

  it("does not stop the next log if it cannot be read", async () => {
    keep("half a li");
    await run();
    const next = await beginNextLog({ reason: "the disk burnt", checkpoint: newestCheckpoint });
    expect(next).toMatchObject({ ok: true });
    await run();
    expect(readFileSync(keptFile, "utf8")).toBe(await readCheckpoint());
    expect(await countAlerts("log-stopped")).toBe(0);
  });

  it("does not keep the log from growing if it cannot be written, and says so", async () => {
    env().dataDir = join(root, "file");
    writeFileSync(env().dataDir, "in the way");
    await run();
    expect(await readSize()).toBeGreaterThan(sizeOf(checkpointOfBackup));
    expect(await countAlerts("log-checkpoint-failed")).toBe(1);
    rmSync(env().dataDir);
    await run();
    expect(await countAlerts("log-checkpoint-failed")).toBe(0);
  });
});
