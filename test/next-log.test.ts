import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { checkProof } from "#bin/proof/check-proof.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { appendToLogJob, beginNextLog, startLog, stopLog } from "#proof/proof.server.ts";
import { createSender, sendAsGuest } from "#test/app.ts";
import { makeAdmin, makeTipster, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { serveProduct } from "#test/served-product.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";

// A log that cannot be continued is closed, and the next one begins.

const raceDate = addDays(dateAt(now()), 2);
const dataDir = mkdtempSync(join(tmpdir(), "furlong-next-log-"));
const originalDataDir = env().dataDir;
let admin: Person;
let tipster: Person;
let tipId: string;
let address: string;
let origin: string;
let lastCheckpoint: string;

beforeAll(async () => {
  env().dataDir = dataDir;
  freezeClock(instantAt(addDays(raceDate, -1), "07:00"));
  admin = await makeAdmin();
  tipster = await makeTipster();
  expect(await beginNextLog({ reason: "x", checkpoint: null })).toMatchObject({
    refusal: "no-log",
  });
  await startLog();
  const { raceCardId } = await publishRaceCard({ creatorId: tipster.id, raceDate, races: [1, 2] });
  const { rows } = await pool().query(
    "select id from tips where race_card_id = $1 order by race_number limit 1",
    [raceCardId],
  );
  tipId = rows[0].id;
  await run();
  lastCheckpoint = await (await sendAsGuest("/proof/log/checkpoint")).text();
  origin = lastCheckpoint.split("\n")[0] ?? "";
  address = await serveProduct();
});
afterEach(() => freezeClock(null));
afterAll(() => {
  env().dataDir = originalDataDir;
  rmSync(dataDir, { recursive: true, force: true });
});

const run = () => appendToLogJob.run({}, { isLast: false });

async function verify(source: string) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await checkProof([source], { print, printError: print, now: now() });
  return { code, lines };
}

it("is not begun while the current log can be continued, or with a checkpoint of another log", async () => {
  const begin = (checkpoint: string | null) => beginNextLog({ reason: "x", checkpoint });
  expect(await begin(null)).toMatchObject({ refusal: "healthy" });
  await stopLog();
  expect(await begin("I saw it.")).toMatchObject({ refusal: "unreadable" });
  expect(await begin(`other.example/log\n9\n${"A".repeat(43)}=\n`)).toMatchObject({
    refusal: "other-log",
  });
});

it("closes the log and begins the next one with the entries that the first one lacks", async () => {
  freezeClock(instantAt(addDays(raceDate, -1), "08:00"));
  await publishRaceCard({ raceDate, races: [1, 3] }); // while the log is stopped
  const root = `${"A".repeat(43)}=`;
  const result = await beginNextLog({
    reason: "the disk burnt",
    checkpoint: `${origin}\n999\n${root}\n`,
  });
  expect(result).toEqual({
    ok: true,
    origin: `${origin}/2`,
    closedOrigin: origin,
    lastKnownSize: 999,
    lostEntries: 999 - Number(lastCheckpoint.split("\n")[1]),
  });
  await run();
  // A tip of the first log is not entered in the second one again.
  await hideTip(admin.id, tipId, "Wrong race");
  await publishRaceCard({ creatorId: tipster.id, raceDate, venue: "turffontein", races: [1] });
  freezeClock(instantAt(raceDate, "10:56"));
  await run();
  const entries = (
    await (await sendAsGuest(`/proof/days/${addDays(raceDate, -1)}/entries.jsonl`)).text()
  )
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries[0].index).toBe(0);
  expect(JSON.parse(entries[0].entry)).toMatchObject({
    kind: "incident",
    previous: origin,
    size: 999,
    root,
    from: Number(lastCheckpoint.split("\n")[1]),
    to: 998,
  });
  await expectInvariantsToHold();

  freezeClock(instantAt(addDays(raceDate, 1), "08:00"));
  expect(await verify(address)).toEqual({
    code: 0,
    lines: [expect.stringMatching(/\/2 .* 3 tips, 3 due, 3 revealed$/)],
  });
  // The first log stays public and unchanged, and its tips are still revealed.
  expect(await verify(`${address}/proof/closed/1`)).toEqual({
    code: 0,
    lines: [expect.stringMatching(/ 2 tips, 2 due, 2 revealed$/)],
  });
  expect(await (await sendAsGuest("/proof/closed/1/log/checkpoint")).text()).toBe(lastCheckpoint);
  for (const log of ["2", "3", "0", "x"])
    expect((await sendAsGuest(`/proof/closed/${log}/log/checkpoint`)).status, log).toBe(404);
  // The newest checkpoint of the second log has replaced that of the first.
  expect(readFileSync(join(dataDir, "proof/log/checkpoint"), "utf8")).toBe(
    await (await sendAsGuest("/proof/log/checkpoint")).text(),
  );
  const admins = await createSender(admin);
  expect(await (await admins("/proof")).text()).toContain("/proof/closed/1/log/checkpoint");
});

it("refuses changes to a closed log and does not start a third log", async () => {
  await expect(pool().query("update proof_logs set closed_at = null where id = 1")).rejects.toThrow(
    "append-only",
  );
  await startLog();
  expect((await pool().query("select count(*)::int as logs from proof_logs")).rows[0].logs).toBe(2);
  await run();
  await expectInvariantsToHold();
});

it("can be begun after the signing key is lost", async () => {
  const { authSecret } = env();
  env().authSecret = "another secret of at least 32 letters";
  expect(await beginNextLog({ reason: "secret lost", checkpoint: null })).toMatchObject({
    ok: true,
    origin: `${origin}/3`,
  });
  await publishRaceCard({ races: [1] });
  await run();
  expect((await verify(address)).lines[0]).toContain(`${origin}/3`);
  env().authSecret = authSecret;
});
