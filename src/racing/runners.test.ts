import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin } from "#test/factories.ts";
import { saveRaceDayForm } from "./admin/save-race-day-form.server.ts";
import { raceDayInput } from "./race-day.input.ts";
import { readDeclaredRaces } from "./read-declared-races.server.ts";
import { saveRaceDay } from "./save-race-day.server.ts";

// Runners and changes are not deleted, so each test reports a separate day.
let raceDate = "2027-01-01";
beforeEach(() => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
});
afterEach(() => freezeClock(null));

const HARBOUR_LIGHT = {
  number: 4,
  horseName: "Harbour Light",
  jockey: "A. Rider",
  trainer: "T. One",
};
const SEA_MIST = { number: 9, horseName: "Sea Mist", draw: "2" };

function createReport(venueId: string, race: Record<string, unknown> = {}, changes = {}) {
  return v.parse(raceDayInput, {
    venueId,
    raceDate,
    source: "Track office",
    races: [
      { raceNumber: 1, time: "12:00" },
      {
        raceNumber: 3,
        time: "13:02",
        name: "Maiden Plate",
        distanceMetres: "1200",
        surface: "turf",
        runners: [SEA_MIST, HARBOUR_LIGHT],
        ...race,
      },
    ],
    ...changes,
  });
}

async function readChanges(venueId: string) {
  const { rows } = await pool().query(
    `select c.race_number, c.number, c.kind, c.old_value, c.new_value, c.source, c.actor_id
    from race_changes c join race_days d on d.id = c.race_day_id
    where d.venue_id = $1 and d.race_date = $2 order by c.id`,
    [venueId, raceDate],
  );
  return rows;
}

describe("declared runners", () => {
  it("are stored with name, distance and surface of their race", async () => {
    const venue = await findTestVenue();
    expect(await saveRaceDay(null, createReport(venue.id))).toMatchObject({ ok: true });
    expect(await readDeclaredRaces(venue.id, raceDate)).toEqual([
      {
        raceNumber: 1,
        offAt: instantAt(raceDate, "12:00"),
        name: null,
        distanceMetres: null,
        surface: null,
        runners: [],
      },
      {
        raceNumber: 3,
        offAt: instantAt(raceDate, "13:02"),
        name: "Maiden Plate",
        distanceMetres: 1200,
        surface: "turf",
        runners: [
          { ...HARBOUR_LIGHT, draw: null, isScratched: false },
          { ...SEA_MIST, jockey: null, trainer: null, draw: 2, isScratched: false },
        ],
      },
    ]);
    expect(await readChanges(venue.id)).toEqual([]);
  });

  it("are not changed by a report that omits them, such as a weather report", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    const before = await readDeclaredRaces(venue.id, raceDate);
    const races = before.map(({ raceNumber }) => ({
      raceNumber,
      time: raceNumber === 1 ? "12:00" : "13:02",
    }));
    await saveRaceDay(null, createReport(venue.id, {}, { races, weather: "windy" }));
    expect(await readDeclaredRaces(venue.id, raceDate)).toEqual(before);
  });

  it("have a record of each change with old and new value, source and admin", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    await saveRaceDay(admin.id, createReport(venue.id, {}, { going: "Good" }));
    const change = {
      time: "13:10",
      surface: "polytrack",
      runners: [
        { ...HARBOUR_LIGHT, jockey: "B. Rider" },
        { ...SEA_MIST, isScratched: true },
        { number: 10, horseName: "Late Entry" },
      ],
    };
    await saveRaceDay(admin.id, createReport(venue.id, change, { going: "Soft" }));
    await saveRaceDay(admin.id, createReport(venue.id, change, { going: "Soft" }));
    const expected = (row: Record<string, unknown>) => ({
      race_number: 3,
      number: null,
      source: "Track office",
      actor_id: admin.id,
      ...row,
    });
    expect(await readChanges(venue.id)).toEqual([
      expected({ kind: "off", old_value: "13:02", new_value: "13:10" }),
      expected({ kind: "surface", old_value: "turf", new_value: "polytrack" }),
      expected({ number: 4, kind: "jockey", old_value: "A. Rider", new_value: "B. Rider" }),
      expected({ number: 9, kind: "scratched", old_value: null, new_value: "Sea Mist" }),
      expected({ race_number: null, kind: "going", old_value: "Good", new_value: "Soft" }),
    ]);
    await saveRaceDay(null, createReport(venue.id, { ...change, runners: [SEA_MIST] }));
    expect(await readChanges(venue.id)).toContainEqual(
      expected({
        number: 9,
        kind: "reinstated",
        old_value: null,
        new_value: "Sea Mist",
        actor_id: null,
      }),
    );
  });

  it("retain the time of a scratching when the day is saved again", async () => {
    const venue = await findTestVenue();
    const scratched = { runners: [{ ...SEA_MIST, isScratched: true }] };
    await saveRaceDay(null, createReport(venue.id, scratched));
    freezeClock(instantAt(raceDate, "08:00"));
    await saveRaceDay(
      null,
      createReport(venue.id, { runners: [{ ...SEA_MIST, isScratched: true, jockey: "C" }] }),
    );
    const { rows } = await pool().query(
      `select r.scratched_at from runners r join race_days d on d.id = r.race_day_id
      where d.venue_id = $1 and d.race_date = $2`,
      [venue.id, raceDate],
    );
    expect(rows).toEqual([{ scratched_at: instantAt(raceDate, "07:00") }]);
  });

  it("can swap their numbers in one report", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    const runners = [
      { ...SEA_MIST, number: 4 },
      { ...HARBOUR_LIGHT, number: 9 },
    ];
    expect(await saveRaceDay(null, createReport(venue.id, { runners }))).toMatchObject({
      ok: true,
    });
    expect((await readDeclaredRaces(venue.id, raceDate))[1]?.runners).toMatchObject([
      { number: 4, horseName: "Sea Mist" },
      { number: 9, horseName: "Harbour Light" },
    ]);
    expect(await readChanges(venue.id)).toEqual([]);
  });

  it("prevent the removal of their race", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    const withoutRace3 = { races: [{ raceNumber: 1, time: "12:00" }] };
    expect(await saveRaceDay(null, createReport(venue.id, {}, withoutRace3))).toEqual({
      ok: false,
      refusal: "race-has-runners",
      raceNumber: 3,
    });
    expect(await readDeclaredRaces(venue.id, raceDate)).toHaveLength(2);
    await saveRaceDay(null, createReport(venue.id, { runners: [] }));
    expect(await saveRaceDay(null, createReport(venue.id, {}, withoutRace3))).toMatchObject({
      ok: true,
    });
    expect(await readDeclaredRaces(venue.id, raceDate)).toHaveLength(1);
  });

  it("are saved once when two admins save different runners at the same time", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const venue = await findTestVenue();
    const save = (admin: { id: string }, runner: object) =>
      saveRaceDay(admin.id, createReport(venue.id, { runners: [runner] }), { expectedVersion: 0 });
    const results = await Promise.all([save(first, SEA_MIST), save(second, HARBOUR_LIGHT)]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect((await readDeclaredRaces(venue.id, raceDate))[1]?.runners).toMatchObject([
      results[0]?.ok ? { number: 9 } : { number: 4 },
    ]);
  });

  it.each([
    [[{ ...SEA_MIST, number: 31 }], "Horse number must be from 1 to 30"],
    [[SEA_MIST, { ...HARBOUR_LIGHT, number: 9 }], "Enter each horse number only once"],
    [[SEA_MIST, { number: 4, horseName: "SEA  MIST'" }], "Enter each horse only once"],
    [[{ ...SEA_MIST, horseName: "=1+1" }], "Horse must not start with =, +, - or @"],
    [[{ ...SEA_MIST, horseName: " " }], "Enter the horse"],
    [[{ ...SEA_MIST, draw: "x" }], "Draw must be from 1 to 30"],
  ])("are refused by the form's schema as %j", (runners, message) => {
    const form = { ...createReport("00000000-0000-4000-8000-000000000000"), races: [] };
    const races = [{ raceNumber: 3, time: "13:02", runners }];
    expect(v.safeParse(raceDayInput, { ...form, races }).issues?.[0]?.message).toBe(message);
  });
});

describe("the race day form", () => {
  const submit = async (fields: Record<string, string>) => {
    const [admin, venue] = [await makeAdmin(), await findTestVenue()];
    const form = new FormData();
    for (const [name, value] of Object.entries({ source: "Track office", ...fields }))
      form.set(name, value);
    const { data, init } = await saveRaceDayForm(admin.id, form, { venueId: venue.id, raceDate });
    return { ...data, status: init?.status, races: await readDeclaredRaces(venue.id, raceDate) };
  };

  it("saves the runners of each race, and those pasted for the day instead of them", async () => {
    const { ok, races } = await submit({
      "off-3": "13:02",
      "name-3": "Maiden Plate",
      "distance-3": "1200",
      "surface-3": "turf",
      "runners-3": "4\tHarbour Light\tA. Rider\tT. One\t7\n9, Sea Mist, , , , scratched",
      "off-5": "14:20",
      "runners-5": "1, Replaced",
      "runners-all": "5\t2\tLate Entry",
    });
    expect(ok).toBe(true);
    expect(races).toMatchObject([
      {
        raceNumber: 3,
        name: "Maiden Plate",
        distanceMetres: 1200,
        surface: "turf",
        runners: [
          { number: 4, horseName: "Harbour Light", draw: 7, isScratched: false },
          { number: 9, horseName: "Sea Mist", isScratched: true },
        ],
      },
      { raceNumber: 5, runners: [{ number: 2, horseName: "Late Entry" }] },
    ]);
  });

  it.each([
    [{ "runners-3": "x" }, "runners-3", "Line 1: start with the horse number"],
    [{ "runners-3": "4, A" }, "off-3", "Enter the off time of race 3"],
    [
      { "off-3": "13:02", "runners-3": "4, A\n4, B" },
      "runners-3",
      "Enter each horse number only once",
    ],
    [
      { "off-3": "13:02", "runners-3": "31, A" },
      "runners-3",
      "Horse 31: Horse number must be from 1 to 30",
    ],
    [
      { "off-3": "13:02", "distance-3": "1" },
      "distance-3",
      "Distance must be from 400 to 6000 metres",
    ],
    [{ "runners-all": "13, 1, A" }, "runners-all", "Race number must be from 1 to 12"],
  ])("writes nothing and marks the field for %j", async (fields, field, message) => {
    const { errors, status, races } = await submit(fields as unknown as Record<string, string>);
    expect(status).toBe(422);
    expect(errors).toEqual({ [field]: message });
    expect(races).toEqual([]);
  });
});

describe("the changes of a race day", () => {
  it("can be neither changed nor deleted", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    await saveRaceDay(null, createReport(venue.id, { time: "13:10" }));
    for (const statement of [
      "update race_changes set new_value = 'x'",
      "delete from race_changes",
      "truncate race_changes",
    ])
      await expect(pool().query(statement)).rejects.toThrow("race_changes is append-only");
  });
});
