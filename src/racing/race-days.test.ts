import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt, timeAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin, reportOffTimes } from "#test/factories.ts";
import { saveRaceDayForm } from "./admin/save-race-day-form.server.ts";
import { deleteVenue } from "./delete-venue.server.ts";
import { raceDayInput } from "./race-day.input.ts";
import { readRaceDay, readRaceDays } from "./race-days.server.ts";
import { readDeclaredRaces } from "./read-declared-races.server.ts";
import { readVenueSummaries } from "./read-venue-summaries.server.ts";
import { saveRaceDay } from "./save-race-day.server.ts";

const TODAY = "2026-11-21";
const at = (time: string, date = TODAY) => instantAt(date, time);

beforeEach(() => freezeClock(at("07:00")));
afterEach(async () => {
  freezeClock(null);
  await deleteRaceDays();
});

function createReport(venueId: string, changes: Record<string, unknown> = {}) {
  return v.parse(raceDayInput, {
    venueId,
    raceDate: TODAY,
    going: "Good",
    weather: "sunny",
    weatherDescription: "Clear, light wind",
    temperatureCelsius: "24",
    humidityPercent: "40",
    windKmh: "12",
    source: "Track office",
    races: [
      { raceNumber: 1, time: "12:00" },
      { raceNumber: 2, time: "12:35" },
    ],
    ...changes,
  });
}

/** Deletes all race days, with the triggers disabled that protect recorded changes. */
async function deleteRaceDays(): Promise<void> {
  await pool().query(`
    alter table race_changes disable trigger user;
    delete from race_changes;
    alter table race_changes enable trigger user;
    delete from runners; delete from races; delete from race_days`);
}

/** Returns a row version of the race day and each race, which every update or insert changes. */
async function readRowIds(venueId: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ name: string; row: string }>(
    `select 0 as position, 'day' as name, d.id::text as row from race_days d
      where d.venue_id = $1 and d.race_date = $2
    union all
    select r.race_number, r.race_number::text, r.ctid::text from races r
      join race_days d on d.id = r.race_day_id where d.venue_id = $1 and d.race_date = $2
    order by position`,
    [venueId, TODAY],
  );
  return new Map(rows.map(({ name, row }) => [name, row]));
}

describe("a race day", () => {
  it("contains an admin's report with source and time", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    expect(await saveRaceDay(admin.id, createReport(venue.id))).toMatchObject({ ok: true });
    expect(await readRaceDays(TODAY)).toEqual([
      {
        venueId: venue.id,
        raceDate: TODAY,
        going: "Good",
        weather: "sunny",
        weatherDescription: "Clear, light wind",
        temperatureCelsius: 24,
        humidityPercent: 40,
        windKmh: 12,
        source: "Track office",
        reportedAt: at("07:00"),
        version: 1,
        offTimes: [
          { raceNumber: 1, offAt: at("12:00") },
          { raceNumber: 2, offAt: at("12:35") },
        ],
      },
    ]);
    const { rows } = await pool().query(
      "select details from audit_entries where action = 'save-race-day' and actor_id = $1",
      [admin.id],
    );
    expect(rows[0].details.races).toHaveLength(2);
  });

  it("is null without a report, and has null for each unreported field", async () => {
    const venue = await findTestVenue();
    expect(await readRaceDay(venue.id, TODAY)).toBeNull();
    const empty = {
      going: "",
      weather: "",
      weatherDescription: " ",
      temperatureCelsius: "",
      humidityPercent: undefined,
      windKmh: null,
      races: [],
    };
    await saveRaceDay(null, createReport(venue.id, empty));
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({
      going: null,
      weather: null,
      weatherDescription: null,
      temperatureCelsius: null,
      humidityPercent: null,
      windKmh: null,
      offTimes: [],
    });
  });

  it("is replaced by a new report, and unchanged by the same report again", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    const secondReport = createReport(venue.id, {
      going: "Soft",
      races: [{ raceNumber: 2, time: "12:40" }],
    });
    await saveRaceDay(null, secondReport);
    await saveRaceDay(null, secondReport);
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({
      going: "Soft",
      offTimes: [{ raceNumber: 2, offAt: at("12:40") }],
    });
  });

  it("contains one complete report after two arrive at the same time", async () => {
    const venue = await findTestVenue();
    const shortReport = createReport(venue.id, {
      going: "Soft",
      races: [{ raceNumber: 1, time: "13:00" }],
    });
    const fullReport = createReport(venue.id);
    await Promise.all(
      [shortReport, fullReport, shortReport, fullReport].map((report) => saveRaceDay(null, report)),
    );
    const day = await readRaceDay(venue.id, TODAY);
    expect(day?.offTimes).toHaveLength(day?.going === "Soft" ? 1 : 2);
  });

  it("keeps the rows of its unchanged races when it is reported again", async () => {
    const venue = await findTestVenue();
    await saveRaceDay(null, createReport(venue.id));
    const before = await readRowIds(venue.id);
    await saveRaceDay(
      null,
      createReport(venue.id, {
        going: "Soft",
        races: [
          { raceNumber: 1, time: "12:00" },
          { raceNumber: 2, time: "12:40" },
          { raceNumber: 3, time: "13:15" },
        ],
      }),
    );
    const after = await readRowIds(venue.id);
    expect(after.get("day")).toBe(before.get("day"));
    expect(after.get("1")).toBe(before.get("1"));
    expect(after.get("2")).not.toBe(before.get("2"));
    expect([...after.keys()]).toEqual(["day", "1", "2", "3"]);
  });

  it("is refused when a different report was saved since its form was opened", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    const firstReport = createReport(venue.id);
    expect(await saveRaceDay(admin.id, firstReport, { expectedVersion: 0 })).toMatchObject({
      ok: true,
    });
    const secondReport = createReport(venue.id, { going: "Soft" });
    expect(await saveRaceDay(admin.id, secondReport, { expectedVersion: 0 })).toMatchObject({
      ok: false,
      refusal: "race-day-changed",
      conflicts: [{ name: "going", label: "Going", mine: "Soft", theirs: "Good" }],
    });
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({ going: "Good", version: 1 });
    expect(await saveRaceDay(admin.id, secondReport, { expectedVersion: 1 })).toMatchObject({
      ok: true,
    });
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({ going: "Soft", version: 2 });
  });

  it("is saved with an unknown version when nothing was reported", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    expect(await saveRaceDay(admin.id, createReport(venue.id), { expectedVersion: 7 })).toEqual({
      ok: true,
      version: 1,
    });
  });

  it("is accepted without a second write when the same form arrives twice", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    for (let arrival = 0; arrival < 2; arrival++)
      expect(await saveRaceDay(admin.id, createReport(venue.id), { expectedVersion: 0 })).toEqual({
        ok: true,
        version: 1,
      });
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({ version: 1 });
    const { rowCount } = await pool().query(
      "select from audit_entries where action = 'save-race-day' and actor_id = $1",
      [admin.id],
    );
    expect(rowCount).toBe(1);
  });

  it("is saved once when two admins save different reports at the same time", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const venue = await findTestVenue();
    const results = await Promise.all([
      saveRaceDay(first.id, createReport(venue.id, { going: "Soft" }), { expectedVersion: 0 }),
      saveRaceDay(second.id, createReport(venue.id, { going: "Heavy" }), { expectedVersion: 0 }),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results.find((result) => !result.ok)).toMatchObject({ refusal: "race-day-changed" });
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({
      going: results[0]?.ok ? "Soft" : "Heavy",
      version: 1,
    });
  });

  it("shows the error about an off before the previous race at the field of the race", async () => {
    const form = new FormData();
    form.set("source", "Track office");
    form.set("off-8", "16:55");
    form.set("off-9", "16:40");
    const venue = await findTestVenue();
    const day = { venueId: venue.id, raceDate: TODAY };
    expect((await saveRaceDayForm((await makeAdmin()).id, form, day)).data.errors).toEqual({
      "off-9": "Race 9 (16:40) must go off after race 8 (16:55)",
    });
  });

  it("is refused for a day whose year is more than two away", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    const form = new FormData();
    form.set("source", "Track office");
    form.set("off-1", "12:00");
    for (const raceDate of ["2023-12-31", "2029-01-01"])
      expect(
        (await saveRaceDayForm(admin.id, form, { venueId: venue.id, raceDate })).data,
      ).toMatchObject({ ok: false, message: expect.stringContaining("Check the year") });
    const day = { venueId: venue.id, raceDate: "2028-12-31" };
    expect((await saveRaceDayForm(admin.id, form, day)).data).toMatchObject({ ok: true });
  });

  it("is refused for an unknown venue, and stored for a deleted one, which may have race cards on sale", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue("scottsville");
    await deleteVenue(admin.id, venue.id);
    const unknownId = "00000000-0000-4000-8000-000000000000";
    expect(await saveRaceDay(admin.id, createReport(unknownId))).toEqual({
      ok: false,
      refusal: "unknown-venue",
    });
    expect(await readRaceDays(TODAY)).toEqual([]);
    expect(await saveRaceDay(admin.id, createReport(venue.id))).toMatchObject({ ok: true });
    expect(await readRaceDays(TODAY)).toMatchObject([{ venueId: venue.id }]);
  });

  it.each([
    [{ going: "Rock hard" }, "Going must be Fast, Good, Soft or Heavy"],
    [{ temperatureCelsius: "warm" }, "Temperature must be from -20 to 55 °C"],
    [{ source: " " }, "Enter the source"],
    [
      { races: [{ raceNumber: 1, time: "25:00" }] },
      "Off time must use the 24-hour clock, such as 14:05",
    ],
    [{ races: [{ raceNumber: 13, time: "12:00" }] }, "Race number must be from 1 to 12"],
    [
      {
        races: [
          { raceNumber: 1, time: "12:00" },
          { raceNumber: 1, time: "13:00" },
        ],
      },
      "Enter each race only once",
    ],
    [
      {
        races: [
          { raceNumber: 3, time: "13:10" },
          { raceNumber: 1, time: "12:00" },
          { raceNumber: 2, time: "13:10" },
        ],
      },
      "Race 3 (13:10) must go off after race 2 (13:10)",
    ],
    [
      {
        races: [
          { raceNumber: 1, time: "14:35" },
          { raceNumber: 4, time: "14:00" },
        ],
      },
      "Race 4 (14:00) must go off after race 1 (14:35)",
    ],
    [{ raceDate: "2026-02-30" }, "Please select a race date."],
  ])("is refused by the form's schema with %j", (changes, message) => {
    const form = { ...createReport("00000000-0000-4000-8000-000000000000"), ...changes };
    expect(v.safeParse(raceDayInput, form).issues?.[0]?.message).toBe(message);
  });
});

describe("the form of a race day that two admins edit", () => {
  const OPENED = {
    going: "Good",
    source: "Track office",
    "off-1": "12:00",
    "off-2": "12:35",
    "runners-1": "4\tHarbour Light\tK. Zechner\n9\tSea Mist",
  };

  /** Two admins open the same race day. Returns what saves a change of each. */
  async function openTwice() {
    const venue = await findTestVenue();
    const day = { venueId: venue.id, raceDate: TODAY };
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const save = async (admin: { id: string }, fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return (await saveRaceDayForm(admin.id, form, day)).data;
    };
    expect(await save(first, { ...OPENED, version: "0", opened: "" })).toMatchObject({ ok: true });
    const { offTimes: _, ...stored } = (await readRaceDay(venue.id, TODAY)) ?? { offTimes: [] };
    const races = (await readDeclaredRaces(venue.id, TODAY)).map(({ offAt, ...race }) => ({
      ...race,
      time: timeAt(offAt),
    }));
    const opened = { ...OPENED, version: "1", opened: JSON.stringify({ ...stored, races }) };
    return {
      saveTheirs: (changes: Record<string, string>) => save(first, { ...opened, ...changes }),
      saveMine: (changes: Record<string, string>) => save(second, { ...opened, ...changes }),
      read: async () => ({
        ...(await readRaceDay(venue.id, TODAY)),
        races: await readDeclaredRaces(venue.id, TODAY),
      }),
    };
  }

  const SCRATCHED_9 = "4\tHarbour Light\tK. Zechner\n9\tSea Mist\t\t\t\tscratched";
  const JOCKEY_4 = "4\tHarbour Light\tR. Fourie\n9\tSea Mist";
  const JOCKEY_9 = "4\tHarbour Light\tK. Zechner\n9\tSea Mist\tR. Fourie";

  it("merges changes of different runners and fields, and says what the other one saved", async () => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ "runners-1": SCRATCHED_9, going: "Soft", "off-3": "13:10" });
    const result = await saveMine({ "runners-1": JOCKEY_4, "off-2": "12:40", windKmh: "12" });
    expect(result).toMatchObject({ ok: true });
    expect(result.message).toBe(
      "Race day saved, with what someone else saved meanwhile: race 1 #9 Sea Mist scratched, race 3 new, off 13:10, going Good → Soft.",
    );
    expect(await read()).toMatchObject({
      version: 3,
      going: "Soft",
      windKmh: 12,
      races: [
        {
          runners: [
            { number: 4, jockey: "R. Fourie" },
            { number: 9, isScratched: true },
          ],
        },
        { offAt: at("12:40") },
        { offAt: at("13:10") },
      ],
    });
  });

  it("keeps a scratching however often the other admin saves without a choice", async () => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ "runners-1": SCRATCHED_9 });
    for (let press = 1; press <= 3; press += 1) {
      const refused = await saveMine({ "runners-1": JOCKEY_9, "off-1": "12:05" });
      expect(refused).toMatchObject({
        ok: false,
        conflicts: [
          {
            name: "runner-1-9",
            label: "Race 1, horse 9",
            mine: "9\tSea Mist\tR. Fourie",
            theirs: "9\tSea Mist\t\t\t\tscratched",
          },
        ],
        values: { version: "1", "runners-1": JOCKEY_9 },
      });
      expect(await read()).toMatchObject({
        version: 2,
        races: [{ offAt: at("12:00"), runners: [{}, { isScratched: true, jockey: null }] }, {}],
      });
    }
  });

  it.each([
    ["mine", { isScratched: false, jockey: "R. Fourie" }],
    ["theirs", { isScratched: true, jockey: null }],
  ])("keeps %s when that is chosen, and all other changes of both", async (choice, runner) => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ "runners-1": SCRATCHED_9, going: "Soft" });
    const chosen = {
      "runners-1": JOCKEY_9,
      "off-1": "12:05",
      "keep-runner-1-9": choice,
      "seen-runner-1-9": "9\tSea Mist\t\t\t\tscratched",
    };
    for (let arrival = 1; arrival <= 2; arrival += 1)
      expect(await saveMine(chosen)).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({
      version: 3,
      going: "Soft",
      races: [{ offAt: at("12:05"), runners: [{ number: 4 }, runner] }, {}],
    });
  });

  it("asks again when the other value changed after the choice was shown", async () => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ going: "Heavy" });
    expect(
      await saveMine({ going: "Soft", "keep-going": "mine", "seen-going": "Fast" }),
    ).toMatchObject({ ok: false, conflicts: [{ name: "going", mine: "Soft", theirs: "Heavy" }] });
    expect(await read()).toMatchObject({ going: "Heavy", version: 2 });
  });

  it("asks which to keep when one removes a race and the other changes it", async () => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ "runners-2": "1\tMax" });
    const removed = { "off-2": "" };
    expect(await saveMine(removed)).toMatchObject({
      ok: false,
      conflicts: [{ name: "off-2", mine: "", theirs: "12:35" }],
    });
    const keep = { "keep-off-2": "theirs", "seen-off-2": "12:35" };
    expect(await saveMine({ ...removed, ...keep })).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ races: [{}, { runners: [{ horseName: "Max" }] }] });
  });

  it("is refused when both changes together are not a valid race day", async () => {
    const { saveTheirs, saveMine, read } = await openTwice();
    await saveTheirs({ "off-2": "12:10" });
    expect((await saveMine({ "off-1": "12:20" })).message).toContain(
      "Race 2 (12:10) must go off after race 1 (12:20)",
    );
    expect(await read()).toMatchObject({ version: 2 });
  });

  it("treats every difference as a conflict when it does not say what it was opened with", async () => {
    const { saveTheirs, saveMine } = await openTwice();
    await saveTheirs({ going: "Soft" });
    for (const opened of ["", "{", "{}"])
      expect(await saveMine({ opened })).toMatchObject({
        conflicts: [{ name: "going", mine: "Good", theirs: "Soft" }],
      });
  });
});

describe("the venue summaries", () => {
  it("contains each venue's status, or null for a venue without a report", async () => {
    const [greyville, kenilworth, vaal] = [
      await findTestVenue("greyville"),
      await findTestVenue("kenilworth"),
      await findTestVenue("vaal"),
    ];
    await reportOffTimes(greyville.id, TODAY, { firstOff: "12:00", races: 8 });
    await reportOffTimes(kenilworth.id, TODAY, { firstOff: "13:00", races: 8 });
    await reportOffTimes(vaal.id, "2026-11-23", { firstOff: "11:30", races: 1 });
    await reportOffTimes(vaal.id, "2026-11-28");
    const summaries = await readVenueSummaries(at("12:30"));
    const findSummary = (slug: string) => summaries.find((venue) => venue.slug === slug);
    expect(findSummary("greyville")).toMatchObject({ status: "racing", nextMeeting: null });
    expect(findSummary("kenilworth")).toMatchObject({ status: "next", today: { going: null } });
    expect(findSummary("vaal")).toMatchObject({
      status: "upcoming",
      today: null,
      nextMeeting: { raceDate: "2026-11-23", firstOffAt: at("11:30", "2026-11-23") },
    });
    expect(findSummary("turffontein")).toMatchObject({
      status: null,
      today: null,
      nextMeeting: null,
    });
  });
});
