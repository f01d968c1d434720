import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { hashLeaf } from "#domain/proof/merkle-tree.ts";
import { formatTilePath } from "#domain/proof/tile-paths.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { confirmRaceResult, enterRaceResult, toSecondEntry } from "#racing/racing.server.ts";
import { sendAsGuest } from "#test/app.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  type Person,
  publishRaceCard,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { computeRoot } from "#test/merkle-root.ts";
import { readDayFile, readServedLog } from "#test/served-log.ts";
import { deleteTip, hideTip, showTip } from "#tips/tip-visibility.server.ts";
import { VERIFIER_FILE } from "./add-files.server.ts";
import { appendToLog } from "./append-to-log.server.ts";
import { startLog } from "./start-log.server.ts";

let raceDate = "2027-04-01";
let venueId: string;
let admin: Person;
let secondAdmin: Person;

beforeAll(async () => {
  admin = await makeAdmin();
  secondAdmin = await makeAdmin("Pieter Botha");
  venueId = (await findTestVenue()).id;
});
afterEach(() => freezeClock(null));

/** Starts a race day at 07:00 on the morning before it. */
function startDay(): string {
  raceDate = addDays(raceDate, 2);
  freezeClock(instantAt(addDays(raceDate, -1), "07:00"));
  return raceDate;
}

function changeEnv(changes: Partial<ReturnType<typeof env>>): () => void {
  const original = { ...env() };
  Object.assign(env(), changes);
  return () => void Object.assign(env(), original);
}

async function verifyServedLog() {
  return await verifyLog(await readServedLog());
}

async function countEntries(): Promise<number> {
  return Number((await pool().query("select count(*) from proof_entries")).rows[0].count);
}

const FILES = [
  "entries.jsonl",
  "reveals.jsonl",
  "tips.jsonl",
  "creators.jsonl",
  "checkpoints.jsonl",
];

it("does nothing without a log", async () => {
  await publishRaceCard();
  expect(await appendToLog()).toBe(0);
  for (const path of ["/proof/log/checkpoint", "/proof/keys", "/proof/log/tile/0/000"])
    expect((await sendAsGuest(path)).status, path).toBe(404);
  await expectInvariantsToHold();
});

describe("the log", () => {
  beforeAll(async () => {
    freezeClock(instantAt(addDays(raceDate, -1), "06:00"));
    await startLog();
    freezeClock(null);
  });

  it("keeps its origin and key when it is started again", async () => {
    const read = async () => (await sendAsGuest("/proof/keys")).text();
    const before = await read();
    const restoreEnv = changeEnv({ appUrl: "https://other.example" });
    await startLog();
    restoreEnv();
    expect(await read()).toBe(before);
  });

  it("signs with the same key after AUTH_SECRET changed, even when the previous secret is no longer configured", async () => {
    const date = startDay();
    await publishRaceCard({ raceDate: date, races: [1] });
    const previousAuthSecret = env().authSecret;
    const authSecret = "another secret of at least 32 letters";
    let restoreEnv = changeEnv({ authSecret });
    await expect(appendToLog()).rejects.toThrow();
    restoreEnv();
    restoreEnv = changeEnv({ authSecret, previousAuthSecret });
    await startLog();
    restoreEnv();
    restoreEnv = changeEnv({ authSecret, previousAuthSecret: null });
    expect(await appendToLog()).toBeGreaterThan(0);
    restoreEnv();
    expect((await verifyServedLog()).findings).toEqual([]);
    restoreEnv = changeEnv({ previousAuthSecret: authSecret });
    await startLog();
    restoreEnv();
    await publishRaceCard({ raceDate: date, races: [1] });
    expect(await appendToLog()).toBe(2);
  });

  it("refuses another change of a signing key", async () => {
    for (const change of ["verifier_key = 'x'", "from_size = 7", "created_at = now()"])
      await expect(pool().query(`update proof_signing_keys set ${change}`)).rejects.toThrow(
        "does not change",
      );
    await expect(pool().query("delete from proof_signing_keys")).rejects.toThrow("does not change");
  });

  it("records tips, creators, withdrawals and the manifest, and the served log has no findings", async () => {
    const date = startDay();
    const { raceCardId } = await publishRaceCard({ raceDate: date, races: [1, 2, 3] });
    await publishRaceCard({ raceDate: date, races: [1] });
    await appendToLog();
    expect(await appendToLog()).toBe(0);
    const [first, second] = await readTipIds(raceCardId);
    await hideTip(admin.id, first ?? "", "Wrong race");
    await deleteTip(admin.id, second ?? "", "Copied");
    expect(await appendToLog()).toBe(2);
    await showTip(admin.id, first ?? "");
    expect(await appendToLog()).toBe(1);
    freezeClock(instantAt(addDays(date, -1), "10:55"));
    expect(await appendToLog()).toBe(1);
    expect(await appendToLog()).toBe(0);
    const kinds = (await readEntries()).map((entry) => entry.kind);
    expect(kinds.slice(-9)).toEqual([
      "creator",
      "tip",
      "tip",
      "tip",
      "tip",
      "withdrawal",
      "withdrawal",
      "withdrawal",
      "manifest",
    ]);
    freezeClock(instantAt(addDays(date, 1), "08:00"));
    const { due, revealed, findings } = await verifyServedLog();
    expect(findings).toEqual([]);
    expect(revealed).toBe(due);
    expect(due).toBeGreaterThan(3);
    await expectInvariantsToHold();
  });

  it("commits to the horse and the analysis with different salts", async () => {
    await publishRaceCard({ raceDate: startDay(), races: [1, 2] });
    await appendToLog();
    const { rows } = await pool().query<{ salts: number; tips: number }>(
      `select count(distinct s.salt)::integer as salts, count(distinct k.tip_id)::integer as tips
       from tip_commitments k cross join lateral (values (k.salt), (k.analysis_salt)) s (salt)`,
    );
    expect(rows[0]?.tips).toBeGreaterThan(1);
    expect(rows[0]?.salts).toBe(2 * (rows[0]?.tips ?? 0));
    await expect(
      pool().query(
        `insert into tip_commitments select tip_id, entry_index, text, salt, salt from tip_commitments limit 1`,
      ),
    ).rejects.toThrow("tip_commitments_salts_differ");
  });

  it("has no findings when the race day is imported after a late tip was published", async () => {
    const date = startDay();
    freezeClock(instantAt(date, "12:00"));
    await publishRaceCard({ raceDate: date, races: [1, 2] });
    await appendToLog();
    freezeClock(instantAt(date, "12:30"));
    await reportRaceDay(venueId, date, [
      { raceNumber: 1, time: "14:00" },
      { raceNumber: 2, time: "14:01" },
    ]);
    await appendToLog();
    freezeClock(instantAt(addDays(date, 1), "08:00"));
    const log = await readServedLog();
    const tips = log.tips?.filter((tip) => tip.date === date);
    expect(tips?.map(({ race, isLate }) => [race, isLate])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect((await verifyLog(log)).findings).toEqual([]);
  });

  it("reveals a tip when its race has an official result, and the others after the race date", async () => {
    const date = startDay();
    await declareRunners(date);
    await publishRaceCard({
      raceDate: date,
      races: [
        { raceNumber: 1, horseName: "Zwartkop" },
        { raceNumber: 2, horseName: "Vlinderblom" },
      ],
    });
    await appendToLog();
    const readFiles = async () => JSON.stringify(await readAllFiles([addDays(date, -1), date]));
    freezeClock(instantAt(date, "13:20"));
    await appendToLog();
    expect(await readFiles()).not.toMatch(/Zwartkop|Vlinderblom/);
    await confirmResult(date);
    expect(await appendToLog()).toBeGreaterThan(0);
    expect(await readFiles()).toMatch(/Zwartkop/);
    expect(await readFiles()).not.toMatch(/Vlinderblom/);
    expect((await verifyServedLog()).findings).toEqual([]);
    freezeClock(instantAt(date, "23:59"));
    expect(await readFiles()).not.toMatch(/Vlinderblom/);
    freezeClock(instantAt(addDays(date, 1), "00:00"));
    expect(await readFiles()).toMatch(/Vlinderblom/);
    expect((await verifyServedLog()).findings).toEqual([]);
  });

  it("lists a tip that was deleted after it had lost, and reports one that the list leaves out", async () => {
    const date = startDay();
    await declareRunners(date);
    const { raceCardId } = await publishRaceCard({
      raceDate: date,
      races: [{ raceNumber: 1, horseNumber: 9, horseName: "Other Horse" }],
    });
    await appendToLog();
    freezeClock(instantAt(date, "13:20"));
    await confirmResult(date);
    await appendToLog();
    const [tipId = ""] = await readTipIds(raceCardId);
    await deleteTip(admin.id, tipId, "Please delete it");
    await appendToLog();
    freezeClock(instantAt(addDays(date, 1), "08:00"));
    const log = await readServedLog();
    expect(await readEntries()).toContainEqual(
      expect.objectContaining({ kind: "tip", date, off: instantAt(date, "13:00").toISOString() }),
    );
    const deleted = log.tips?.find((tip) => tip.date === date);
    expect(deleted).toMatchObject({ race: 1, isHidden: true, isLate: false });
    expect((await verifyLog(log)).findings).toEqual([]);
    const tips = log.tips?.filter((tip) => tip !== deleted);
    expect((await verifyLog({ ...log, tips })).findings).toEqual([
      expect.objectContaining({ kind: "hidden" }),
    ]);
  });

  it("records a corrected result as an entry that replaces the one before it", async () => {
    const date = startDay();
    await declareRunners(date);
    freezeClock(instantAt(date, "13:20"));
    const replaces = await confirmResult(date);
    await confirmResult(date, { winner: 9, replaces, reason: "Objection upheld" });
    await appendToLog();
    const results = (await readEntries()).filter(
      (entry) => entry.kind === "result" && entry.date === date,
    );
    expect(results).toMatchObject([
      {
        version: 1,
        replaces: null,
        entered: "A1",
        confirmed: "A2",
        off: instantAt(date, "13:02").toISOString(),
        runners: [
          { number: 2, horse: "Zwartkop", position: 1, sp: "5/1", win: "6.40", place: null },
          { number: 9, position: 2 },
        ],
      },
      {
        version: 2,
        why: "Objection upheld",
        runners: [{ number: 2, position: 2 }, { position: 1 }],
      },
    ]);
    const index = (await readServedLog()).entries.indexOf(JSON.stringify(results[0]));
    expect(results[1]?.replaces).toBe(index);
  });

  it("records another display name, and reveals both", async () => {
    startDay();
    const tipster = await makeTipster({ name: "Sipho Dube" });
    await appendToLog();
    await pool().query("update creators set display_name = 'Sipho D' where user_id = $1", [
      tipster.id,
    ]);
    expect(await appendToLog()).toBe(1);
    const names = (await readServedLog()).names.map((name) => JSON.stringify(name));
    expect(names.filter((name) => /Sipho D/.test(name))).toHaveLength(2);
  });

  it("gives tips numbers without gaps when many publish and several processes append at once", async () => {
    const date = startDay();
    const before = await countEntries();
    let isPublishing = true;
    const append = async () => {
      while (isPublishing) await appendToLog();
    };
    const appenders = [append(), append(), append(), append()];
    await Promise.all(
      Array.from({ length: 20 }, () => publishRaceCard({ raceDate: date, races: [1, 2, 3] })),
    );
    isPublishing = false;
    await Promise.all(appenders);
    while ((await appendToLog()) > 0);
    expect((await countEntries()) - before).toBe(20 + 60);
    freezeClock(instantAt(addDays(date, 1), "08:00"));
    expect((await verifyServedLog()).findings).toEqual([]);
    await expectInvariantsToHold();
  });

  it("does not block publishing while it appends", async () => {
    const date = startDay();
    const client = await pool().connect();
    try {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(hashtext('proof log'))");
      await publishRaceCard({ raceDate: date, races: [1] });
      expect(await appendToLog()).toBe(0);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await appendToLog()).toBe(2);
  });

  it("appends nothing when it fails, and everything in the next run", async () => {
    const date = startDay();
    await publishRaceCard({ raceDate: date, races: [1] });
    const before = await countEntries();
    await pool().query("alter table proof_checkpoints rename to elsewhere");
    await expect(appendToLog()).rejects.toThrow();
    await pool().query("alter table elsewhere rename to proof_checkpoints");
    expect(await countEntries()).toBe(before);
    expect(await appendToLog()).toBe(2);
  });

  it("appends what was published during a long outage", async () => {
    const date = startDay();
    await publishRaceCard({ raceDate: date, races: [1] });
    freezeClock(instantAt(addDays(date, 30), "08:00"));
    expect(await appendToLog()).toBe(2);
    expect((await verifyServedLog()).findings.map(({ kind }) => kind)).toEqual(["late"]);
  });
});

describe("the tiles", () => {
  it("match the root of the newest checkpoint", async () => {
    const { entries } = await readServedLog();
    const hashes = entries.map((entry) => hashLeaf(Buffer.from(entry)));
    const root = (await (await sendAsGuest("/proof/log/checkpoint")).text()).split("\n")[2];
    expect(computeRoot(hashes).toString("base64")).toBe(root);
    const width = Math.min(256, hashes.length);
    const path = formatTilePath({ level: 0, index: 0, width });
    const response = await sendAsGuest(`/proof/log/${path}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(
      Buffer.concat(hashes.slice(0, width)),
    );
    expect(response.headers.get("cache-control")).toContain("immutable");
  });

  it.each(["tile/0/001", "tile/0/000.p/256", "tile/1/000", "tile/63/000", "tile/entries/999", "x"])(
    "are not served beyond the log: %s",
    async (path) => {
      expect((await sendAsGuest(`/proof/log/${path}`)).status).toBe(404);
    },
  );
});

describe("the day's files", () => {
  it.each(["2027-02-30/entries.jsonl", "today/entries.jsonl", "2027-04-01/constructor"])(
    "do not exist at %s",
    async (path) => {
      expect((await sendAsGuest(`/proof/days/${path}`)).status).toBe(404);
    },
  );

  it("suffice to check the day", async () => {
    const [{ day } = { day: "" }] = (
      await pool().query(`select (max(appended_at) at time zone 'Africa/Johannesburg')::date::text as day
        from proof_entries`)
    ).rows;
    const [edge] = await readDayFile<{ size: number; hashes: string[] }>(day, "left-edge.jsonl");
    const log = await readServedLog();
    const entries = await readDayFile<{ index: number; entry: string }>(day, "entries.jsonl");
    expect(entries[0]?.index).toBe(edge?.size);
    const part = {
      ...log,
      entries: entries.map(({ entry }) => entry),
      first: edge?.size ?? 0,
      leftEdge: edge?.hashes ?? [],
      checkpoints: await readDayFile<{ note: string; signedAt: string }>(day, "checkpoints.jsonl"),
      reveals: [],
      names: [],
    };
    expect((await verifyLog(part)).findings.filter(({ kind }) => kind === "rewritten")).toEqual([]);
    expect((await verifyLog({ ...part, leftEdge: [] })).findings.map(({ kind }) => kind)).toContain(
      "rewritten",
    );
  });
});

async function readEntries(): Promise<Record<string, unknown>[]> {
  return (await readServedLog()).entries.map((entry) => JSON.parse(entry));
}

async function readTipIds(raceCardId: string): Promise<string[]> {
  const { rows } = await pool().query(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  return rows.map((row) => row.id);
}

async function readAllFiles(dates: readonly string[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  for (const date of dates) for (const name of FILES) lines.push(await readDayFile(date, name));
  return [lines, (await readServedLog()).entries];
}

const HORSES = ["Zwartkop", "Vlinderblom"];

/** Declares two runners in each of two races, at 13:00 and 13:35. */
async function declareRunners(date: string): Promise<void> {
  const runner = { jockey: null, trainer: null, draw: null, isScratched: false };
  await reportRaceDay(
    venueId,
    date,
    HORSES.map((horseName, index) => ({
      raceNumber: index + 1,
      time: index === 0 ? "13:00" : "13:35",
      runners: [
        { ...runner, number: index + 2, horseName },
        { ...runner, number: 9, horseName: "Other Horse" },
      ],
    })),
  );
}

/** Enters a result of the first race as one admin and confirms it as another. */
async function confirmResult(
  date: string,
  { winner = 2, replaces = undefined as string | undefined, reason = "" } = {},
): Promise<string> {
  const race = { venueId, raceDate: date, raceNumber: 1 };
  const places = winner === 2 ? [2, 9] : [9, 2];
  const entered = await enterRaceResult(
    admin.id,
    race,
    {
      status: "official",
      time: "13:02",
      starters: null,
      placesPaid: null,
      source: "NHA",
      sourceUrl: null,
      reason,
      runners: places.map((number, index) => ({
        number,
        outcome: "finished",
        position: index + 1,
        startingPrice: { numerator: 5, denominator: 1 },
        winDividendCents: index === 0 ? 640 : null,
        placeDividendCents: null,
      })),
    },
    { via: "form", ...(replaces ? { replaces } : {}) },
  );
  if (!entered.ok) throw new Error(JSON.stringify(entered));
  const confirmed = await confirmRaceResult(secondAdmin.id, race, {
    resultId: entered.result.id,
    second: { ...toSecondEntry(entered.result), positions: places.map((number) => [number]) },
  });
  if (!confirmed.ok) throw new Error(JSON.stringify(confirmed));
  return entered.result.id;
}

it("names the verifier of another version once, while machines of both append", async () => {
  const listVerifiers = async () =>
    (
      await pool().query<{ hash: string }>(
        `select encode(file_hash, 'hex') as hash from proof_file_entries where kind = 'verifier'
         order by entry_index`,
      )
    ).rows.map(({ hash }) => hash);
  startDay();
  const at = now();
  await startLog();
  await appendToLog(at);
  const before = await listVerifiers();
  vi.resetModules();
  vi.doMock("node:fs", async (importOriginal) => {
    const fs = await importOriginal<typeof import("node:fs")>();
    const readFileSync = (path: string, encoding: "utf8") =>
      `${fs.readFileSync(path, encoding)}${path === VERIFIER_FILE ? "// The next version." : ""}`;
    return { ...fs, readFileSync };
  });
  const otherVersion = await import("./append-to-log.server.ts");
  const { closeDatabase } = await import("#platform/database.server.ts");
  for (let round = 0; round < 3; round += 1) {
    await otherVersion.appendToLog(at);
    await appendToLog(at);
  }
  await closeDatabase();
  vi.doUnmock("node:fs");
  expect(await listVerifiers()).toEqual([...before, expect.not.stringContaining(before[0] ?? "")]);
});
