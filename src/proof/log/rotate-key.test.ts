import { beforeAll, beforeEach, expect, it } from "vitest";
import { verifyLog } from "#domain/proof/verify-log.js";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { makeTipster, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readServedLog } from "#test/served-log.ts";
import { appendToLogJob } from "../append-job.server.ts";
import { appendToLog } from "./append-to-log.server.ts";
import { rotateKey } from "./rotate-key.server.ts";
import { startLog } from "./start-log.server.ts";
import { stopLog } from "./stop-log.server.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  expect(await rotateKey({ reason: "x", isStolen: false })).toMatchObject({ refusal: "no-log" });
  await startLog();
});
beforeEach(async () => {
  await makeTipster();
  await appendToLog();
});

async function readSigners(): Promise<number> {
  const note = await (await sendAsGuest("/proof/log/checkpoint")).text();
  return note.split("\n").filter((line) => line.startsWith("— ")).length;
}

async function countAlerts(): Promise<number> {
  const { rows } = await pool().query(
    "select count(*) from alerts where subject = 'signing key' and resolved_at is null",
  );
  return Number(rows[0].count);
}

const listFindings = async () => (await verifyLog(await readServedLog())).findings;

it("names the new key in the log, and both keys sign for 30 days", async () => {
  const before = (await readServedLog()).entries.length;
  const result = await rotateKey({ reason: "yearly change", isStolen: false });
  if (!result.ok) throw new Error(result.refusal);
  const { keys, entries } = await readServedLog();
  expect(keys.at(-1)).toBe(`${result.verifierKey} ${before + 1}`);
  expect(JSON.parse(entries.at(-1) ?? "")).toMatchObject({
    kind: "key",
    vkey: result.verifierKey,
    from: before + 1,
    why: "yearly change",
    stolen: false,
  });
  expect(await readSigners()).toBe(2);
  expect(await listFindings()).toEqual([]);
  await expectInvariantsToHold();
});

it("signs with no key before a stolen one", async () => {
  await rotateKey({ reason: "stolen with a laptop", isStolen: true });
  expect(await readSigners()).toBe(1);
  expect(await listFindings()).toEqual([]);
  const { rows } = await pool().query(
    "select details from audit_entries where action = 'rotate-log-key' order by id desc limit 1",
  );
  expect(rows[0].details).toMatchObject({ reason: "stolen with a laptop", isStolen: true });
});

it("is refused while the log is stopped", async () => {
  await stopLog();
  expect(await rotateKey({ reason: "x", isStolen: false })).toMatchObject({ refusal: "stopped" });
  await pool().query("update proof_logs set unconfirmed_since = null");
});

it("enters nothing and raises an alert while the key cannot be read, and goes on once it can", async () => {
  const { authSecret } = env();
  env().authSecret = "another secret of at least 32 letters";
  await startLog();
  expect(await countAlerts()).toBe(1);
  await publishRaceCard({ races: [1] });
  const { length } = (await readServedLog()).entries;
  await appendToLogJob.run({}, { isLast: false });
  expect((await readServedLog()).entries).toHaveLength(length);
  env().authSecret = authSecret;
  await startLog();
  expect(await countAlerts()).toBe(0);
  expect(await appendToLog()).toBe(2);
});

it("signs with the new key alone after 30 days", async () => {
  await rotateKey({ reason: "yearly change", isStolen: false });
  expect(await readSigners()).toBe(2);
  freezeClock(new Date(now().getTime() + 31 * DAY_MS));
  await makeTipster();
  await appendToLog();
  expect(await readSigners()).toBe(1);
  expect(await listFindings()).toEqual([]);
  freezeClock(null);
});
