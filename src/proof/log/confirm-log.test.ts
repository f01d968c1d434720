import { beforeAll, beforeEach, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { createSender, sendAsGuest } from "#test/app.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { appendToLog } from "./append-to-log.server.ts";
import { confirmLog } from "./confirm-log.server.ts";
import { startLog } from "./start-log.server.ts";
import { stopLog } from "./stop-log.server.ts";

let checkpoint: string;

beforeAll(async () => {
  expect(await confirmLog(null)).toMatchObject({ ok: false, refusal: "no-log" });
  await stopLog();
  await startLog();
});
beforeEach(async () => {
  await publishRaceCard({ races: [1, 2] });
  await appendToLog();
  checkpoint = await (await sendAsGuest("/proof/log/checkpoint")).text();
  await stopLog();
});

async function readSize(): Promise<number> {
  return Number((await pool().query("select size from proof_logs")).rows[0].size);
}

async function countOpenAlerts(): Promise<number> {
  const { rows } = await pool().query(
    "select count(*) from alerts where kind = 'log-stopped' and resolved_at is null",
  );
  return Number(rows[0].count);
}

const withLine = (line: number, text: string) =>
  checkpoint
    .split("\n")
    .map((old, index) => (index === line ? text : old))
    .join("\n");

it("appends nothing while the log is stopped, and resumes from a checkpoint that it contains", async () => {
  await publishRaceCard({ races: [1] });
  const user = await createSender(await makeUser());
  expect(await (await user("/proof")).text()).toContain("Nothing has been entered since");
  const size = await readSize();
  expect(await appendToLog()).toBe(0);
  expect(await countOpenAlerts()).toBe(1);
  await expectInvariantsToHold();
  expect(await confirmLog(checkpoint)).toEqual({ ok: true, size });
  expect(await countOpenAlerts()).toBe(0);
  expect(await (await user("/proof")).text()).not.toContain("Nothing has been entered since");
  expect(await appendToLog()).toBe(2);
  const { rows } = await pool().query(
    "select details from audit_entries where action = 'confirm-log' order by id desc limit 1",
  );
  expect(rows[0].details).toMatchObject({ size, checkpoint });
  await expectInvariantsToHold();
});

it("resumes if nobody else has a checkpoint", async () => {
  expect(await confirmLog(null)).toMatchObject({ ok: true });
  expect(await confirmLog(null)).toMatchObject({ ok: false, refusal: "not-stopped" });
});

it.each([
  ["behind", () => withLine(1, "999999")],
  ["different", () => withLine(2, "A".repeat(43).concat("="))],
  ["other-log", () => withLine(0, "other.example/proof/log")],
  ["unreadable", () => withLine(1, "all")],
  ["unreadable", () => "I saw it."],
])("stays stopped if the log is %s", async (refusal, createCheckpoint) => {
  expect(await confirmLog(createCheckpoint())).toMatchObject({ ok: false, refusal });
  expect(await appendToLog()).toBe(0);
  expect(await countOpenAlerts()).toBe(1);
  expect(await confirmLog(checkpoint)).toMatchObject({ ok: true });
});

it("is confirmed once when two requests arrive together", async () => {
  const results = await Promise.all([confirmLog(checkpoint), confirmLog(checkpoint)]);
  expect(results.map((result) => result.ok).sort()).toEqual([false, true]);
});

it("refuses entries in the database while it is stopped", async () => {
  await expect(
    pool().query("select append_to_proof_log(array[convert_to('{}', 'UTF8')], now())"),
  ).rejects.toThrow("the log is stopped");
});
