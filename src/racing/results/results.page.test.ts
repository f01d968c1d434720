import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { findTestVenue, makeAdmin, reportOffTimes } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { enterRaceResult } from "./enter-race-result.server.ts";

const DAY = "2028-09-10";
const EARLIER_DAY = addDays(DAY, -3);

/** At Kenilworth, one official, one abandoned and one unconfirmed result. At Vaal, none. */
beforeAll(async () => {
  freezeClock(instantAt(DAY, "07:00"));
  const kenilworth = await findTestVenue();
  const vaal = await findTestVenue("vaal");
  await reportOffTimes(vaal.id, EARLIER_DAY, { firstOff: "13:00" });
  await reportOffTimes(vaal.id, DAY, { firstOff: "13:00" });
  await reportRacesWithRunners(kenilworth.id, DAY);
  const confirmResult = await createResultConfirmer();
  const race = { venueId: kenilworth.id, raceDate: DAY };
  await confirmResult(
    { ...race, raceNumber: 1 },
    {
      order: [
        [4, "5/1"],
        [2, "2/1"],
        [1, "evens"],
      ],
      winDividendCents: 640,
    },
  );
  await confirmResult({ ...race, raceNumber: 2 }, { order: [], status: "abandoned" });
  await enterRaceResult(
    (await makeAdmin()).id,
    { ...race, raceNumber: 3 },
    {
      status: "official",
      time: null,
      starters: null,
      placesPaid: null,
      source: "unconfirmed source",
      sourceUrl: null,
      reason: "",
      runners: [
        {
          number: 6,
          outcome: "finished",
          position: 1,
          startingPrice: null,
          winDividendCents: null,
          placeDividendCents: null,
        },
      ],
    },
    { via: "form" },
  );
});
afterAll(() => freezeClock(null));

const parseRows = (text: string): string[][] => parse(text, { bom: true });
const readPage = async (path: string) => await readVisibleText(await sendAsGuest(path));

describe("the results of a day", () => {
  it("are the official ones of each track, with their source", async () => {
    const text = await readPage(`/results/${DAY}`);
    expect(text).toMatch(/Kenilworth ?2 of 4 races/);
    expect(text).toContain("1 Horse 4 (4) · 2 Horse 2 (2) · 3 Horse 1 (1)");
    expect(text).toContain("Source: test");
    expect(text).toContain("Abandoned");
    expect(text).toMatch(/Vaal ?0 of \d+ races ?No official results yet\./);
    expect(text).not.toContain("unconfirmed source");
    expect(text).not.toContain("Horse 6");
  });

  it("are those of today without a date, with a link to the previous day of racing", async () => {
    const today = await (await sendAsGuest("/results")).text();
    expect(today).toContain("Horse 4");
    expect(today).toContain(`href="/results/${EARLIER_DAY}"`);
    const earlier = await (await sendAsGuest(`/results/${EARLIER_DAY}`)).text();
    expect(earlier).toContain("No official results for this meeting.");
    expect(earlier).toContain('href="/results"');
  });

  it("are empty on a day without racing and on a later day", async () => {
    expect(await readPage(`/results/${addDays(DAY, -1)}`)).toContain("No racing reported for");
    expect(await readPage(`/results/${addDays(DAY, 9)}`)).toContain(
      "Results appear here after the races.",
    );
  });

  it.each(["2028-02-30", "2028-9-10", "today", "99999999"])("do not exist for %s", async (date) => {
    expect((await sendAsGuest(`/results/${date}`)).status).toBe(404);
  });
});

describe("the file with the results of a meeting", () => {
  const path = (venue = "kenilworth", date = DAY) => `/results/${date}/${venue}.csv`;

  it("has a row for each runner, and one for a race that was not run", async () => {
    const response = await sendAsGuest(path());
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toContain(
      `furlong-results-${DAY}-kenilworth.csv`,
    );
    const [headings = [], ...rows] = parseRows(await response.text());
    const tips = rows.map((row) =>
      Object.fromEntries(headings.map((name, index) => [name, row[index]])),
    );
    expect(tips).toHaveLength(7);
    expect(tips[0]).toMatchObject({
      race: "1",
      status: "official",
      position: "1",
      number: "4",
      horse: "Horse 4",
      outcome: "finished",
      starting_price: "5/1",
      tote_win: "6.40",
      source: "test",
      version: "1",
      entered_by_one_person: "no",
      runners_declared: "yes",
    });
    expect(tips[6]).toMatchObject({ race: "2", status: "abandoned", position: "", horse: "" });
    expect(tips[6]).toMatchObject({ runners_declared: "" });
  });

  it("has only headings before the first official result", async () => {
    const response = await sendAsGuest(path("vaal"));
    expect(parseRows(await response.text())).toHaveLength(1);
  });

  it("is answered without a body to HEAD", async () => {
    const response = await sendAsGuest(path(), { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it.each([
    path("nowhere"),
    path("greyville"),
    path("kenilworth", "2028-02-30"),
    `/results/${DAY}/kenilworth`,
    `/results/${DAY}/kenilworth.json`,
  ])("does not exist at %s", async (wrongPath) => {
    expect((await sendAsGuest(wrongPath)).status).toBe(404);
  });
});
