import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt, timeAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { createSender } from "#test/app.ts";
import { findTestVenue, makeAdmin, makeUser } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { changeRace, type RaceChange } from "./change-race.server.ts";
import { readRaceDay } from "./race-days.server.ts";
import { readDeclaredRaces } from "./read-declared-races.server.ts";
import { saveRaceDay } from "./save-race-day.server.ts";

const RACE_DATE = "2026-11-21";

beforeEach(() => freezeClock(instantAt(RACE_DATE, "07:00")));
afterEach(() => freezeClock(null));

async function reportDay() {
  const admin = await makeAdmin();
  const venue = await findTestVenue();
  const createRunner = (number: number) => ({
    number,
    horseName: `Horse ${number}`,
    jockey: null,
    trainer: null,
    draw: null,
    isScratched: number === 9,
  });
  await saveRaceDay(admin.id, {
    venueId: venue.id,
    raceDate: RACE_DATE,
    going: "Good",
    weather: null,
    weatherDescription: null,
    temperatureCelsius: null,
    humidityPercent: null,
    windKmh: null,
    source: "Track office",
    races: [
      { raceNumber: 1, time: "12:00", runners: [1, 2, 3, 9].map(createRunner) },
      { raceNumber: 2, time: "12:35" },
    ],
  });
  const race = { venueId: venue.id, raceDate: RACE_DATE, raceNumber: 1 };
  const change = (changes: Partial<RaceChange>, raceNumber = 1) =>
    changeRace(admin.id, { ...race, raceNumber }, { ...KEEP, ...changes });
  const read = async () => {
    const [first] = await readDeclaredRaces(venue.id, RACE_DATE);
    const scratched = first?.runners.filter(({ isScratched }) => isScratched);
    return { off: first && timeAt(first.offAt), scratched: scratched?.map(({ number }) => number) };
  };
  const readVersion = async () => (await readRaceDay(venue.id, RACE_DATE))?.version;
  return { admin, venue, change, read, readVersion };
}

const KEEP: RaceChange = {
  off: { from: "12:00", to: "12:00" },
  scratch: [],
  reinstate: [],
  source: "Stewards",
};

describe("a change of one race", () => {
  it("changes the off, scratches and reinstates, and records each with its own source", async () => {
    const { admin, venue, change, read } = await reportDay();
    expect(
      await change({ off: { from: "12:00", to: "12:10" }, scratch: [2], reinstate: [9] }),
    ).toEqual({
      ok: true,
      changes: [
        "race 1 off 12:00 → 12:10",
        "race 1 #2 Horse 2 scratched",
        "race 1 #9 Horse 9 reinstated",
      ],
    });
    expect(await read()).toEqual({ off: "12:10", scratched: [2] });
    expect(await readRaceDay(venue.id, RACE_DATE)).toMatchObject({
      source: "Track office",
      going: "Good",
    });
    const { rows } = await pool().query(
      "select kind, source from race_changes where actor_id = $1 order by id",
      [admin.id],
    );
    expect(rows).toEqual(
      ["off", "scratched", "reinstated"].map((kind) => ({ kind, source: "Stewards" })),
    );
    const { rows: audit } = await pool().query(
      "select 1 from audit_entries where action = 'save-race-day' and actor_id = $1",
      [admin.id],
    );
    expect(audit).toHaveLength(2);
  });

  it("is stored once when it arrives twice", async () => {
    const { change, read, readVersion } = await reportDay();
    const version = await readVersion();
    const scratching = { off: { from: "12:00", to: "12:10" }, scratch: [2] };
    await change(scratching);
    expect(await change(scratching)).toEqual({ ok: true, changes: [] });
    expect(await read()).toEqual({ off: "12:10", scratched: [2, 9] });
    expect(await readVersion()).toBe((version ?? 0) + 1);
  });

  it("keeps concurrent changes of the same race", async () => {
    const { change, read } = await reportDay();
    const results = await Promise.all([
      change({ scratch: [1] }),
      change({ scratch: [2] }),
      change({ reinstate: [9] }),
      change({ off: { from: "12:00", to: "12:05" } }),
    ]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await read()).toEqual({ off: "12:05", scratched: [1, 2] });
  });

  it("refuses an unknown race or runner, and an off that someone else changed or that is too late", async () => {
    const { change, read } = await reportDay();
    expect(await change({}, 3)).toEqual({ ok: false, refusal: "unknown-race" });
    expect(await change({ scratch: [7] })).toEqual({
      ok: false,
      refusal: "unknown-runner",
      number: 7,
    });
    expect(await change({ off: { from: "12:00", to: "12:40" } })).toEqual({
      ok: false,
      refusal: "invalid",
      problem: "Race 2 (12:35) must go off after race 1 (12:40)",
    });
    await change({ off: { from: "12:00", to: "12:10" } });
    expect(await change({ off: { from: "12:00", to: "12:20" }, scratch: [2] })).toEqual({
      ok: false,
      refusal: "off-changed",
      off: "12:10",
    });
    expect(await read()).toEqual({ off: "12:10", scratched: [9] });
  });
});

describe("the page of a race", () => {
  const post = async (user: { id: string }, path: string, fields: Record<string, string>) => {
    const response = await (await createSender(user))(path, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await readVisibleText(response) };
  };
  const fields = {
    wasOff: "12:00",
    off: "1210",
    wasScratched: "9",
    runners: "1 2 3 9",
    source: "Stewards",
  };

  it("saves what was changed on it", async () => {
    const { admin, venue, read } = await reportDay();
    const path = `/admin/venues/${venue.id}/race-days/${RACE_DATE}/races/1`;
    const saved = await post(admin, path, { ...fields, "scratched-3": "on" });
    expect(saved.text).toContain("Saved: race 1 off 12:00 → 12:10, race 1 #3 Horse 3 scratched");
    expect(await read()).toEqual({ off: "12:10", scratched: [3] });
    const again = await post(admin, path, { ...fields, "scratched-3": "on" });
    expect(again.text).toContain("Nothing has changed.");
  });

  it.each([
    [{ off: "25:00" }, "Off time must use the 24-hour clock"],
    [{ source: " " }, "Enter the source"],
    [{ source: "x".repeat(81) }, "Source must be at most 80 characters long"],
    [{ off: "12:40" }, "must go off after race 1"],
  ])("refuses %j", async (changes, message) => {
    const { admin, venue, read } = await reportDay();
    const path = `/admin/venues/${venue.id}/race-days/${RACE_DATE}/races/1`;
    const refused = await post(admin, path, { ...fields, "scratched-9": "on", ...changes });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(message);
    expect(await read()).toEqual({ off: "12:00", scratched: [9] });
  });

  it("is not found for an unreported race, and nobody but an admin can use it", async () => {
    const { admin, venue, read } = await reportDay();
    const path = `/admin/venues/${venue.id}/race-days/${RACE_DATE}/races`;
    for (const race of ["3", "0", "x"])
      expect((await (await createSender(admin))(`${path}/${race}`)).status).toBe(404);
    expect((await (await createSender(admin))(path.replace(venue.id, randomUUID()))).status).toBe(
      404,
    );
    expect((await post(await makeUser(), `${path}/1`, fields)).status).not.toBe(200);
    expect(await read()).toEqual({ off: "12:00", scratched: [9] });
  });
});
