import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyLog } from "#domain/proof/verify-log.js";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { appendToLog, appendToLogJob, checkKeptCheckpoint, startLog } from "#proof/proof.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readServedLog } from "#test/served-log.ts";
import { followMachineClock } from "#test/test-clock.ts";

// The process that appends to the public log is killed with SIGKILL between the steps of a run.

const dataDir = mkdtempSync(join(tmpdir(), "furlong-killed-"));
const originalDataDir = env().dataDir;
const keptCheckpoint = join(dataDir, "proof/log/checkpoint");

beforeAll(async () => {
  followMachineClock();
  env().dataDir = dataDir;
  await startLog();
  await publishRaceCard({ races: [1] });
  await appendToLogJob.run({}, { isLast: false });
  // The next run fills the first tile.
  await pool().query(`
    select append_to_proof_log(array(
      select convert_to('{"at":"' || to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","kind":"incident","text":"' || n || '","v":1}', 'UTF8')
      from generate_series(1, 253 - (select size from proof_logs)) n), now())`);
  await publishRaceCard({ races: [1, 2, 3, 4] });
});
afterAll(() => {
  env().dataDir = originalDataDir;
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs the job in a process that is killed at a step. Returns its exit code or signal. */
async function appendUntilKilled(...step: string[]): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, ["test/support/killed-append.ts", ...step], {
    env: { ...process.env, DATA_DIR: dataDir, AUTH_SECRET: env().authSecret },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const end = await new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on("close", (code, signal) => resolve(signal ?? code)),
  );
  const countLocks = async () =>
    Number(
      (
        await pool().query(`select count(*) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database
            where datname = current_database())`)
      ).rows[0].count,
    );
  await expect.poll(countLocks).toBe(0);
  return end;
}

async function readSizes() {
  const { rows } = await pool().query(`
    select size, (select max(entry_index) + 1 from proof_entries) as entries,
      (select max(size) from proof_checkpoints) as checkpoint,
      (select count(*) from proof_nodes) as nodes from proof_logs`);
  return rows[0];
}

/** Expects the file in DATA_DIR to hold a checkpoint that the log continues. */
async function expectKeptCheckpointToFit(): Promise<void> {
  expect(existsSync(keptCheckpoint)).toBe(true);
  expect(await checkKeptCheckpoint()).toBe(true);
}

it.each([
  ["before", "append_to_proof_log"],
  ["after", "append_to_proof_log"],
  ["after", "insert into proof_nodes"],
  ["after", "insert into proof_checkpoints"],
])("appends nothing when it is killed %s the statement %s", async (moment, pattern) => {
  const before = await readSizes();
  expect(await appendUntilKilled("statement", pattern, moment)).toBe("SIGKILL");
  expect(await readSizes()).toEqual(before);
  await expectKeptCheckpointToFit();
});

it.each([
  ["statement", "commit", "after"],
  ["file", "log/checkpoint", "before"],
  ["file", "log/checkpoint", "after"],
])(
  "leaves a complete log and a checkpoint that it continues when it is killed at a %s matching %s, %s it",
  async (kind, pattern, moment) => {
    await publishRaceCard({ races: [1] });
    expect(await appendUntilKilled(kind, pattern, moment)).toBe("SIGKILL");
    const { size, entries, checkpoint, nodes } = await readSizes();
    expect([entries, checkpoint, nodes]).toEqual([size, size, "1"].map(Number));
    expect((await verifyLog(await readServedLog())).findings).toEqual([]);
    await expectKeptCheckpointToFit();
  },
);

it("continues in the next run, and keeps the newest checkpoint", async () => {
  await appendToLogJob.run({}, { isLast: false });
  expect(await appendToLog()).toBe(0);
  expect(readFileSync(keptCheckpoint, "utf8")).toBe(
    await (await sendAsGuest("/proof/log/checkpoint")).text(),
  );
  await expectKeptCheckpointToFit();
  await expectInvariantsToHold();
});
