import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin, reportOffTimes } from "#test/factories.ts";
import { deleteVenue } from "./delete-venue.server.ts";
import { raceDayInput } from "./race-day.input.ts";
import { readRaceDay, readRaceDays } from "./race-days.server.ts";
import { readVenueBoard } from "./read-venue-board.server.ts";
import { saveRaceDay } from "./save-race-day.server.ts";

const TODAY = "2026-11-21";
const at = (time: string, date = TODAY) => instantAt(date, time);

beforeEach(() => freezeClock(at("07:00")));
afterEach(async () => {
  freezeClock(null);
  await pool().query("delete from race_days");
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
    offTimes: [
      { raceNumber: 1, time: "12:00" },
      { raceNumber: 2, time: "12:35" },
    ],
    ...changes,
  });
}

describe("a race day", () => {
  it("contains the operator's report with source and time", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue();
    expect(await saveRaceDay(admin.id, createReport(venue.id))).toEqual({ ok: true });
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
    expect(rows[0].details.offTimes).toHaveLength(2);
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
      offTimes: [],
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
      offTimes: [{ raceNumber: 2, time: "12:40" }],
    });
    await saveRaceDay(null, secondReport);
    await saveRaceDay(null, secondReport);
    expect(await readRaceDay(venue.id, TODAY)).toMatchObject({
      going: "Soft",
      offTimes: [{ raceNumber: 2, offAt: at("12:40") }],
    });
  });

  it("contains one complete report after two arrive together", async () => {
    const venue = await findTestVenue();
    const shortReport = createReport(venue.id, {
      going: "Soft",
      offTimes: [{ raceNumber: 1, time: "13:00" }],
    });
    const fullReport = createReport(venue.id);
    await Promise.all(
      [shortReport, fullReport, shortReport, fullReport].map((report) => saveRaceDay(null, report)),
    );
    const day = await readRaceDay(venue.id, TODAY);
    expect(day?.offTimes).toHaveLength(day?.going === "Soft" ? 1 : 2);
  });

  it("is refused for a deleted or unknown venue", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue("scottsville");
    await deleteVenue(admin.id, venue.id);
    for (const id of [venue.id, "00000000-0000-4000-8000-000000000000"])
      expect(await saveRaceDay(admin.id, createReport(id))).toEqual({
        ok: false,
        refusal: "unknown-venue",
      });
    expect(await readRaceDays(TODAY)).toEqual([]);
  });

  it.each([
    [{ going: "Rock hard" }, "Going must be Fast, Good, Soft or Heavy"],
    [{ temperatureCelsius: "warm" }, "Temperature must be from -20 to 55 °C"],
    [{ source: " " }, "Please enter the source"],
    [
      { offTimes: [{ raceNumber: 1, time: "25:00" }] },
      "Off time must be in 24 hours, such as 14:05",
    ],
    [{ offTimes: [{ raceNumber: 13, time: "12:00" }] }, "Race number must be from 1 to 12"],
    [
      {
        offTimes: [
          { raceNumber: 1, time: "12:00" },
          { raceNumber: 1, time: "13:00" },
        ],
      },
      "Enter each race only once",
    ],
    [
      {
        offTimes: [
          { raceNumber: 3, time: "13:10" },
          { raceNumber: 1, time: "12:00" },
          { raceNumber: 2, time: "13:10" },
        ],
      },
      "Each race goes off after the one before it",
    ],
    [
      {
        offTimes: [
          { raceNumber: 1, time: "14:35" },
          { raceNumber: 4, time: "14:00" },
        ],
      },
      "Each race goes off after the one before it",
    ],
    [{ raceDate: "2026-02-30" }, "Please select a race date."],
  ])("is refused by the form's schema with %j", (changes, message) => {
    const form = { ...createReport("00000000-0000-4000-8000-000000000000"), ...changes };
    expect(v.safeParse(raceDayInput, form).issues?.[0]?.message).toBe(message);
  });
});

describe("the venue board", () => {
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
    const board = await readVenueBoard(at("12:30"));
    const findOnBoard = (slug: string) => board.find((venue) => venue.slug === slug);
    expect(findOnBoard("greyville")).toMatchObject({ status: "racing", nextMeeting: null });
    expect(findOnBoard("kenilworth")).toMatchObject({ status: "next", today: { going: null } });
    expect(findOnBoard("vaal")).toMatchObject({
      status: "upcoming",
      today: null,
      nextMeeting: { raceDate: "2026-11-23", firstOffAt: at("11:30", "2026-11-23") },
    });
    expect(findOnBoard("turffontein")).toMatchObject({
      status: null,
      today: null,
      nextMeeting: null,
    });
  });
});
