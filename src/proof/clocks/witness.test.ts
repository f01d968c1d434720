import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { makeTipster, type Person, publishRaceCard } from "#test/factories.ts";
import { FakeWitness, type WitnessBehaviour } from "#test/fake-witness.ts";
import { readDayFile, readServedLog } from "#test/served-log.ts";
import { appendToLog } from "../log/append-to-log.server.ts";
import { startLog } from "../log/start-log.server.ts";
import { timestampCheckpoints } from "./timestamp-checkpoints.server.ts";

let date: CalendarDate = "2027-06-01";
let creator: Person;
let witness: FakeWitness;
let count = 0;

const readLogKey = async () => (await (await sendAsGuest("/proof/keys")).text()).trim();

beforeAll(async () => {
  freezeClock(instantAt(date, "06:00"));
  await startLog();
  creator = await makeTipster();
});
beforeEach(async () => {
  count += 1;
  witness = new FakeWitness(`witness.example/w${count}`, now, readLogKey);
  await witness.start();
  useWitnesses(witness);
});
afterAll(() => {
  freezeClock(null);
  useWitnesses();
});

function useWitnesses(...witnesses: FakeWitness[]): void {
  Object.assign(env(), {
    outsideClocks: {
      timestampAuthorities: [],
      witnesses: witnesses.map(({ key, url }) => ({ key, url })),
    },
  });
}

/** Makes a new checkpoint on a day of its own, with two more tips. */
async function publishTips(): Promise<number> {
  date = addDays(date, 2);
  freezeClock(instantAt(date, "07:00"));
  await publishRaceCard({ creatorId: creator.id, raceDate: addDays(date, 1), races: [1, 2] });
  while ((await appendToLog()) > 0);
  const { rows } = await pool().query("select max(size)::integer as size from proof_checkpoints");
  return rows[0].size;
}

async function readCosignatures(size: number): Promise<string[]> {
  const { rows } = await pool().query(
    "select convert_from(evidence, 'utf8') as line from proof_timestamps where size = $1 and authority = $2",
    [size, witness.key.name],
  );
  return rows.map(({ line }) => line);
}

describe("a witness", () => {
  it("cosigns the first checkpoint and each later one that continues it", async () => {
    for (let index = 0; index < 8; index += 1) {
      const size = await publishTips();
      expect(await timestampCheckpoints(), String(index)).toBe(1);
      expect(witness.cosigned.size).toBe(size);
      expect(await readCosignatures(size)).toHaveLength(1);
    }
    expect(witness.oldSizes[0]).toBe(0);
    expect(witness.oldSizes.slice(1)).not.toContain(0);
  });

  it("proves consistency across full tiles", async () => {
    await publishTips();
    await timestampCheckpoints();
    for (let index = 0; index < 70; index += 1) {
      date = addDays(date, 2);
      freezeClock(instantAt(date, "07:00"));
      const races = [1, 2, 3, 4, 5, 6, 7, 8];
      await publishRaceCard({ creatorId: creator.id, raceDate: addDays(date, 1), races });
      while ((await appendToLog()) > 0);
    }
    expect(await timestampCheckpoints()).toBe(1);
    expect(witness.cosigned.size).toBeGreaterThan(512);
    await publishTips();
    expect(await timestampCheckpoints()).toBe(1);
  });

  it("has its cosignature served after our signature, and listed in the files of the day", async () => {
    const size = await publishTips();
    const signed = await (await sendAsGuest("/proof/log/checkpoint")).text();
    await timestampCheckpoints();
    const [line] = await readCosignatures(size);
    expect(await (await sendAsGuest("/proof/log/checkpoint")).text()).toBe(signed + line);
    const first = await sendAsGuest(`/proof/checkpoints/${size}/checkpoint`);
    expect(await first.text()).toBe(signed);
    expect(await readDayFile(date, "timestamps.jsonl")).toEqual([
      {
        size,
        kind: "witness",
        authority: witness.key.name,
        claimedAt: now().toISOString(),
        signature: line,
      },
    ]);
    const log = await readServedLog();
    log.keptCheckpoints = [signed + line];
    expect((await verifyLog(log)).findings).toEqual([]);
  });

  it("is asked once by several processes at once", async () => {
    const size = await publishTips();
    await Promise.all(Array.from({ length: 4 }, () => timestampCheckpoints()));
    expect(witness.oldSizes).toEqual([0]);
    expect(await readCosignatures(size)).toHaveLength(1);
  });

  it("answers with the size it knows, from which the proof is made once more", async () => {
    await publishTips();
    await timestampCheckpoints();
    const known = witness.cosigned.size;
    // Its cosignature was lost, as when this process stopped before storing it.
    const renamed = new FakeWitness(`witness.example/again${count}`, now, readLogKey);
    renamed.cosigned = { ...witness.cosigned };
    await renamed.start();
    useWitnesses(renamed);
    await publishTips();
    expect(await timestampCheckpoints()).toBe(1);
    expect(renamed.oldSizes).toEqual([0, known]);
    await renamed.stop();
  });

  it("cosigns the same checkpoint again if it has cosigned it already", async () => {
    await publishTips();
    const { rows } = await pool().query(
      "select size::integer, encode(root, 'base64') as root from proof_checkpoints order by size desc limit 1",
    );
    witness.cosigned = rows[0];
    expect(await timestampCheckpoints()).toBe(1);
    expect(witness.oldSizes).toEqual([0, rows[0].size]);
  });

  it("refuses a fork of the log, and nothing is stored", async () => {
    const size = await publishTips();
    witness.cosigned = { size: size - 1, root: Buffer.alloc(32, 7).toString("base64") };
    expect(await timestampCheckpoints()).toBe(0);
    expect(witness.oldSizes).toEqual([0, size - 1]);
    expect(await readCosignatures(size)).toEqual([]);
    expect(witness.cosigned.size).toBe(size - 1);
  });

  it("that has cosigned more than we have is not asked a second time", async () => {
    const size = await publishTips();
    witness.cosigned = { size: size + 5, root: Buffer.alloc(32, 7).toString("base64") };
    expect(await timestampCheckpoints()).toBe(0);
    expect(witness.oldSizes).toEqual([0]);
  });

  const wrong: [string, WitnessBehaviour][] = [
    ["it does not know the log", () => ({ status: 404 })],
    ["it does not know the key", () => ({ status: 403 })],
    ["it refuses the proof", () => ({ status: 422 })],
    ["it is broken", () => ({ status: 500 })],
    ["a conflict for ever", () => ({ status: 409, body: "1\n" })],
    ["a conflict without a size", () => ({ status: 409, body: "many\n" })],
    ["no cosignature", () => ({ status: 200, body: "" })],
    ["a huge answer", () => ({ status: 200, body: "— x ".repeat(100_000) })],
    [
      "a cosignature of another checkpoint",
      (_honest, note) => ({ status: 200, body: witness.cosign(note.replace(/\n\d+\n/, "\n1\n")) }),
    ],
    [
      "a cosignature of another key",
      (_honest, note) => ({
        status: 200,
        body: new FakeWitness(witness.key.name, now, readLogKey).cosign(note),
      }),
    ],
    [
      "a cosignature from another time",
      (_honest, note) => ({
        status: 200,
        body: witness.cosign(note, new Date(now().getTime() - 11 * 60_000)),
      }),
    ],
  ];
  it.each(wrong)("whose answer does not fit gives no timestamp: %s", async (_name, behaviour) => {
    const size = await publishTips();
    witness.behaviour = behaviour;
    expect(await timestampCheckpoints()).toBe(0);
    expect(await readCosignatures(size)).toEqual([]);
    expect(witness.oldSizes.length).toBeLessThanOrEqual(2);
    witness.behaviour = null;
    freezeClock(new Date(now().getTime() + 31 * 60_000));
    expect(await timestampCheckpoints()).toBe(1);
    expect(await readCosignatures(size)).toHaveLength(1);
  });

  it("that is down gives no timestamp", async () => {
    await publishTips();
    await witness.stop();
    expect(await timestampCheckpoints()).toBe(0);
  });
});
