import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantRole } from "#accounts/accounts.server.ts";
import { addDays, formatDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin, makeTipster, publishRaceCard } from "#test/factories.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { importRaceDaysForm } from "../admin/import-race-days-form.server.ts";
import { confirmRaceResult, toSecondEntry } from "../results/confirm-race-result.server.ts";
import { discardRaceResult } from "../results/discard-race-result.server.ts";
import { enterRaceResult } from "../results/enter-race-result.server.ts";
import {
  readOfficialResults,
  readResultVersions,
  readUnconfirmedResults,
} from "../results/read-results.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import { importRaceDays, previewRaceDayImport } from "./import-race-days.server.ts";
import { parseRaceDayFile } from "./parse-race-day-file.server.ts";
import { decodeRaceDayFile } from "./read-race-day-rows.server.ts";

// Results are not deleted, so each test imports a separate day.
let raceDate = "2027-09-01";
beforeEach(async () => {
  await findTestVenue();
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "20:00"));
});
afterEach(() => freezeClock(null));

const HEADER =
  "date,venue,race,off,number,horse,status,position,sp,win,place,result_status,places_paid,source,source_url";
const LINK = "https://nha.example/results";

/** Returns a file with the race date added to each line. */
const createFile = (...lines: string[]) =>
  [HEADER, ...lines.map((line) => `${raceDate},${line}`)].join("\n");

const HORSES = ["Sea Mist", "Late Entry", "Cold Front", "Harbour Light", "Red Kite", "Old Song"];

/** Declares eight horses in races, by default race 3. */
const declareRaces = (...races: number[]) =>
  (races.length > 0 ? races : [3]).flatMap((race) =>
    [...HORSES, "Tin Roof", "Blue Gum"].map(
      (horse, index) =>
        `kenilworth,${race},${11 + race}:02,${index + 1},${horse},,,,,,,,Track office,`,
    ),
  );

/** The result of race 3 with every column: the finishing order is 4 1 7. */
const RESULT = [
  `kenilworth,3,,4,Harbour Light,ran,1,5/1,6.40,1.90,official,3,NHA,${LINK}`,
  "kenilworth,3,,1,,ran,2,18/10,,1.40,,,,",
  "kenilworth,3,,7,,ran,3,evens,,1.10,,,,",
];

async function preview(actorId: string | null, text: string) {
  const result = await previewRaceDayImport(actorId, text);
  if (!result.ok) throw new Error(result.problems.join("; "));
  return result.preview;
}

const listChanges = async (actorId: string | null, text: string) =>
  (await preview(actorId, text)).meetings.flatMap((meeting) => meeting.changes);

async function listProblems(actorId: string | null, text: string): Promise<string[]> {
  const result = await previewRaceDayImport(actorId, text);
  return result.ok ? [] : result.problems;
}

/** Previews a file and imports it. */
async function importFile(actorId: string | null, text: string): Promise<void> {
  const { digest } = await preview(actorId, text);
  expect(await importRaceDays(actorId, text, digest)).toMatchObject({ ok: true });
}

async function findRace(raceNumber = 3) {
  return { venueId: (await findTestVenue("kenilworth")).id, raceDate, raceNumber };
}

async function confirm(actorId: string, raceNumber = 3) {
  const race = await findRace(raceNumber);
  const [result] = await readResultVersions(race);
  if (!result) throw new Error("no result");
  const second = { ...toSecondEntry(result), positions: [[4], [1], [7]] };
  return await confirmRaceResult(actorId, race, { resultId: result.id, second });
}

const problemOf = (raceNumber: number, message: string) =>
  `Kenilworth, ${formatDate(raceDate, "short")}, race ${raceNumber}: ${message}.`;

describe("importing results", () => {
  it("enters the previewed results, which another admin must confirm", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...RESULT);
    expect(await listChanges(first.id, file)).toEqual(["race 3 result new, official, 4 1 7"]);
    const race = await findRace();
    expect(await readResultVersions(race)).toEqual([]);
    await importFile(first.id, file);
    const [unconfirmed] = await readResultVersions(race);
    expect(unconfirmed).toMatchObject({
      version: 1,
      status: "official",
      offAt: instantAt(raceDate, "14:02"),
      starters: 8,
      placesPaid: 3,
      source: "NHA",
      sourceUrl: LINK,
      via: "file",
      enteredBy: first.id,
      confirmedAt: null,
    });
    expect(unconfirmed?.runners.slice(0, 4)).toEqual([
      {
        number: 4,
        horseName: "Harbour Light",
        outcome: "finished",
        position: 1,
        startingPrice: { numerator: 5, denominator: 1 },
        winDividendCents: 640,
        placeDividendCents: 190,
      },
      expect.objectContaining({
        number: 1,
        position: 2,
        startingPrice: { numerator: 18, denominator: 10 },
        winDividendCents: null,
        placeDividendCents: 140,
      }),
      expect.objectContaining({ number: 7, startingPrice: { numerator: 1, denominator: 1 } }),
      expect.objectContaining({ number: 2, outcome: "finished", position: null }),
    ]);
    expect(await confirm(first.id)).toMatchObject({ ok: false, refusal: "same-admin" });
    expect(await confirm(second.id)).toMatchObject({ ok: true, isNew: true });
    expect(await readOfficialResults(race)).toMatchObject([{ source: "NHA", via: "file" }]);
  });

  it("does not change the race day when the file adds only results", async () => {
    await importFile(null, createFile(...declareRaces()));
    const read = async () =>
      (await pool().query("select source, version from race_days where race_date = $1", [raceDate]))
        .rows;
    const before = await read();
    await importFile((await makeAdmin()).id, createFile(...RESULT));
    expect(await read()).toEqual(before);
  });

  it("reads declarations and results from one file", async () => {
    const admin = await makeAdmin();
    const lines = [...HORSES, "Tin Roof"].map(
      (horse, index) =>
        `kenilworth,3,14:02,${index + 1},${horse},${index === 5 ? "scratched" : "ran"},${["2", "", "3", "1"][index] ?? ""},,,,official,,NHA,`,
    );
    const file = createFile(...lines);
    expect(await listChanges(admin.id, file)).toEqual([
      "race 3 new, off 14:02, 7 runners",
      "source not reported → NHA",
      "race 3 result new, official, 4 1 3",
    ]);
    await importFile(admin.id, file);
    const [result] = await readResultVersions(await findRace());
    // Six starters pay two places.
    expect(result).toMatchObject({ starters: 6, placesPaid: 2, sourceUrl: null });
    expect(result?.runners.find(({ number }) => number === 6)?.outcome).toBe("non-runner");
  });

  it("reads dead heats, scratched and disqualified horses, and those that did not finish", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(
      "kenilworth,3,,4,,ran,1,5/1,3.20,1.90,official,,NHA,",
      "kenilworth,3,,1,,,1,,,,,,,",
      "kenilworth,3,,7,,ran,3,,,,,,,",
      "kenilworth,3,,2,,unplaced,,20/1,,,,,,",
      "kenilworth,3,,3,,,PU,,,,,,,",
      "kenilworth,3,,5,,disqualified,,,,,,,,",
      "kenilworth,3,,6,,scratched,,,,,,,,",
    );
    expect(await listChanges(admin.id, file)).toEqual([
      "race 3 #6 Old Song scratched",
      "race 3 result new, official, 1=4 7",
    ]);
    await importFile(admin.id, file);
    const [result] = await readResultVersions(await findRace());
    expect(result?.starters).toBe(7);
    expect(
      result?.runners.map(({ number, outcome, position }) => [number, outcome, position]),
    ).toEqual([
      [1, "finished", 1],
      [4, "finished", 1],
      [7, "finished", 3],
      [2, "finished", null],
      [3, "did-not-finish", null],
      [5, "disqualified", null],
      [6, "non-runner", null],
      [8, "finished", null],
    ]);
  });

  it("accepts an abandoned race before its off, and refuses a race that was run", async () => {
    const admin = await makeAdmin();
    freezeClock(instantAt(raceDate, "09:00"));
    await importFile(null, createFile(...declareRaces()));
    expect(await listProblems(admin.id, createFile(...RESULT))).toEqual([
      problemOf(3, "it is not off yet. Only an abandoned race has a result before its off"),
    ]);
    const file = createFile("kenilworth,3,,,,,,,,,abandoned,,NHA,");
    expect(await listChanges(admin.id, file)).toEqual(["race 3 result new, abandoned"]);
    await importFile(admin.id, file);
    expect(await readResultVersions(await findRace())).toMatchObject([
      { status: "abandoned", placesPaid: 0, starters: null, runners: [] },
    ]);
  });

  it("replaces an unofficial result, even one that another admin entered", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, createFile(...declareRaces()));
    const unofficial = createFile(...RESULT).replace(",official,", ",unofficial,");
    await importFile(first.id, unofficial);
    const official = createFile(...RESULT);
    expect(await listChanges(second.id, official)).toEqual([
      "race 3 result replaced, official, 4 1 7",
    ]);
    await importFile(second.id, official);
    expect(await readResultVersions(await findRace())).toMatchObject([
      { version: 1, status: "official", enteredBy: second.id },
    ]);
  });

  it("does nothing when the same admin imports the same file again", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...RESULT);
    const { digest } = await preview(admin.id, file);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await importRaceDays(admin.id, file, digest)).toMatchObject({ ok: true });
    expect(await listChanges(admin.id, file)).toEqual([]);
    const { rowCount } = await pool().query(
      "select from audit_entries where action = 'enter-race-result' and actor_id = $1",
      [admin.id],
    );
    expect(rowCount).toBe(1);
  });

  it("replaces the admin's own unconfirmed import when the file differs", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    await importFile(admin.id, createFile(...RESULT));
    const corrected = createFile(...RESULT).replace("6.40", "6.50");
    expect(await listChanges(admin.id, corrected)).toEqual([
      "race 3 result replaced, official, 4 1 7",
    ]);
    await importFile(admin.id, corrected);
    const [result] = await readResultVersions(await findRace());
    expect(result?.runners[0]?.winDividendCents).toBe(650);
  });

  it("does not reveal an unconfirmed result to the second admin", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, createFile(...declareRaces()));
    await importFile(first.id, createFile(...RESULT));
    const problem = problemOf(
      3,
      "another result waits for its confirmation. Confirm or discard it first",
    );
    for (const file of [createFile(...RESULT), createFile(...RESULT).replace("5/1", "9/1")])
      expect(await listProblems(second.id, file)).toEqual([problem]);
    const race = await findRace();
    const [unconfirmed] = await readResultVersions(race);
    await discardRaceResult(second.id, race, unconfirmed?.id ?? "");
    expect(await listProblems(second.id, createFile(...RESULT))).toEqual([]);
  });

  it("skips results identical to the official ones and refuses different ones", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, createFile(...declareRaces(3, 4)));
    await importFile(first.id, createFile(...RESULT));
    expect(await confirm(second.id)).toMatchObject({ ok: true });
    // The file has no prices, and empty cells do not count as differences.
    const same = createFile(
      "kenilworth,3,,4,,,1,,,,official,,TAB,",
      "kenilworth,3,,1,,,2,,,,,,,",
      "kenilworth,3,,7,,,3,,,,,,,",
    );
    expect(await listChanges(second.id, same)).toEqual([]);
    const other = createFile(
      ...RESULT.map((line) => line.replace("6.40", "6.50")),
      "kenilworth,4,,4,,,1,,,,official,,,",
      "kenilworth,4,,1,,,2,,,,,,,",
      "kenilworth,4,,7,,,3,,,,,,,",
    );
    expect(await listProblems(second.id, other)).toEqual([
      problemOf(3, "the official result says something else. Correct it on its page"),
    ]);
    // An import writes all results or none, so race 4 was not entered.
    const { venueId } = await findRace();
    expect(await readUnconfirmedResults({ venueId, raceDate })).toEqual([]);
  });

  it("is refused when a result was entered by form after the preview", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...RESULT);
    const { digest } = await preview(first.id, file);
    const race = await findRace();
    const abandoned = {
      status: "abandoned" as const,
      time: null,
      starters: null,
      placesPaid: null,
      source: "NHA",
      sourceUrl: null,
      runners: [],
      reason: "",
    };
    expect(await enterRaceResult(second.id, race, abandoned, { via: "form" })).toMatchObject({
      ok: true,
    });
    expect(await importRaceDays(first.id, file, digest)).toMatchObject({
      ok: false,
      refusal: "invalid-file",
    });
  });

  /** Publishes a tip for race 3, in the morning. */
  async function publishTip(creatorId: string): Promise<void> {
    freezeClock(instantAt(raceDate, "08:00"));
    const races = [{ raceNumber: 3, horseNumber: 4, horseName: "Harbour Light" }];
    await publishRaceCard({ creatorId, raceDate, races });
    freezeClock(instantAt(raceDate, "20:00"));
  }
  const listTipProblems = () => [
    `Kenilworth, ${formatDate(raceDate, "short")}, race 3: ${HAS_TIPS_MESSAGE}`,
  ];

  it("is refused when the first admin without tips is added while it waits", async () => {
    const tipster = await makeTipster();
    await transaction((tx) => grantRole(tx, { userId: tipster.id, role: "admin", actorId: null }));
    await pool().query("delete from user_roles where role = 'admin' and user_id <> $1", [
      tipster.id,
    ]);
    await importFile(null, createFile(...declareRaces()));
    await publishTip(tipster.id);
    const file = createFile(...RESULT);
    const { digest } = await preview(tipster.id, file);
    const { imported } = await transaction(async (tx) => {
      await tx.execute("select from races for update");
      const imported = importRaceDays(tipster.id, file, digest);
      await waitForLockWaiters(1);
      await makeAdmin();
      return { imported };
    });
    const problems = listTipProblems();
    expect(await imported).toEqual({ ok: false, refusal: "invalid-file", problems });
    expect(await readResultVersions(await findRace())).toEqual([]);
  });

  it("is refused for a race in which the admin has tips, before and after the preview", async () => {
    const [other, tipster] = [await makeAdmin(), await makeTipster()];
    await makeAdmin();
    await transaction((tx) =>
      grantRole(tx, { userId: tipster.id, role: "admin", actorId: other.id }),
    );
    await importFile(null, createFile(...declareRaces(3, 4)));
    const file = createFile(...RESULT);
    const { digest } = await preview(tipster.id, file);
    await publishTip(tipster.id);
    const problems = listTipProblems();
    expect(await listProblems(tipster.id, file)).toEqual(problems);
    const form = new FormData();
    form.set("digest", digest);
    form.set("contents", file);
    const { data: refused, init } = await importRaceDaysForm(tipster.id, form);
    expect(init?.status).toBe(422);
    expect(refused).toEqual({ ok: false, problems, contents: file });
    expect(await readResultVersions(await findRace())).toEqual([]);
    expect(await listProblems(tipster.id, file.replaceAll("kenilworth,3", "kenilworth,4"))).toEqual(
      [],
    );
    expect(await listProblems(other.id, file)).toEqual([]);
  });

  it("enters each result once when two admins import the same file at the same time", async () => {
    const admins = [await makeAdmin(), await makeAdmin()];
    const file = createFile(
      ...declareRaces().map((line) => line.replace("Track office", "NHA")),
    ).concat(
      `\n${raceDate},kenilworth,4,15:10,1,Sea Mist,ran,1,,,,official,,NHA,`,
      `\n${raceDate},kenilworth,4,,2,Late Entry,ran,2,,,,,,,`,
      `\n${raceDate},kenilworth,4,,3,Cold Front,ran,3,,,,,,,`,
      `\n${raceDate},kenilworth,4,,4,Harbour Light,unplaced,,,,,,,,`,
    );
    const previews = await Promise.all(admins.map(({ id }) => preview(id, file)));
    const results = await Promise.all(
      admins.map(({ id }, index) => importRaceDays(id, file, previews[index]?.digest ?? "")),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusal: "invalid-file" });
    expect(await readResultVersions(await findRace(4))).toHaveLength(1);
  });

  it("enters each result once when an admin submits the form twice at the same time", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...RESULT);
    const { digest } = await preview(admin.id, file);
    const results = await Promise.all([1, 2].map(() => importRaceDays(admin.id, file, digest)));
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await readResultVersions(await findRace())).toHaveLength(1);
  });

  it("are refused for a race without runners if the file lists only some of them", async () => {
    const admin = await makeAdmin();
    const problem = `Kenilworth, ${formatDate(raceDate, "short")}: race 3 has no runners yet, and the file lists only horses that were scratched, were placed or did not finish. Import its runners first.`;
    const withOff = (...lines: string[]) => [
      "kenilworth,3,14:02,,,,,,,,,,NHA,",
      ...lines.map((line) => `kenilworth,3,,${line}`),
    ];
    const placed = [
      "4,Harbour Light,ran,1,,,,official,3,NHA,",
      "1,Sea Mist,ran,2,,,,,,,",
      "7,Tin Roof,ran,3,,,,,,,",
    ];
    const sixPlaced = [
      ...placed,
      "2,Late Entry,ran,4,,,,,,,",
      "3,Cold Front,ran,5,,,,,,,",
      "8,Blue Gum,ran,6,,,,,,,",
    ];
    const partial = [
      placed,
      sixPlaced,
      placed.map((line) => line.replace("official", "unofficial")),
      [...placed, "5,Red Kite,dnf,,,,,,,,"],
      [...placed, "5,Red Kite,disqualified,,,,,,,,"],
      [...placed, "5,Red Kite,scratched,,,,,,,,"],
      ["5,Red Kite,scratched,,,,,,,,"],
    ];
    for (const lines of partial)
      expect(await listProblems(admin.id, createFile(...withOff(...lines)))).toContain(problem);
    await importFile(null, createFile(...withOff()));
    for (const lines of partial)
      expect(await listProblems(admin.id, createFile(...withOff(...lines)))).toContain(problem);
    // An abandoned race has no starters, and a horse behind the others shows that all are listed.
    const whole = [...placed, "5,Red Kite,unplaced,,,,,,,,", "6,Old Song,scratched,,,,,,,,"];
    const sevenPlaced = [...sixPlaced, "5,Red Kite,ran,7,,,,,,,"];
    for (const lines of [whole, sevenPlaced])
      expect(await listProblems(admin.id, createFile(...withOff(...lines)))).toEqual([]);
    const abandoned = createFile(...withOff(",,,,,,,abandoned,,NHA,"));
    expect(await listProblems(admin.id, abandoned)).toEqual([]);
    await importFile(null, createFile(...declareRaces()));
    for (const lines of partial)
      expect(await listProblems(admin.id, createFile(...withOff(...lines)))).toEqual([]);
  });

  it("are marked as one person's work when they were imported on the command line", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    await importFile(null, createFile(...RESULT));
    expect(await readResultVersions(await findRace())).toMatchObject([
      { via: "file", enteredBy: null },
    ]);
    expect(await confirm(admin.id)).toMatchObject({
      ok: true,
      result: { isEnteredByOnePerson: true },
    });
  });

  it("reads 2,000 lines with a result of each race", async () => {
    const admin = await makeAdmin();
    const days = Array.from({ length: 11 }, (_, day) => addDays(raceDate, -100 - day));
    const lines = days.flatMap((day) =>
      Array.from({ length: 12 }, (_, race) =>
        Array.from(
          { length: 15 },
          (__, horse) =>
            `${day},vaal,${race + 1},${10 + Math.floor(race / 2)}:${race % 2 ? "35" : "05"},${horse + 1},Horse ${horse + 1},ran,${horse < 4 ? horse + 1 : ""},,,,official,,NHA,`,
        ),
      ).flat(),
    );
    expect(lines).toHaveLength(1_980);
    const file = [HEADER, ...lines].join("\n");
    await importFile(admin.id, file);
    const { rowCount } = await pool().query("select from race_results where entered_by = $1", [
      admin.id,
    ]);
    expect(rowCount).toBe(132);
  });

  it.each([
    [["4,,ran,1,,,,official,,NHA,", "1,,,1,,,,,,,", "7,,,2,,,,,,,"], /^Positions must follow/],
    [["4,,ran,1,,,,official,,NHA,", "1,,,2,,,,,,,"], /^Enter at least the first 3$/],
    [["4,,ran,,,,,official,,NHA,"], /^Enter the winner$/],
    [
      ["4,,ran,1,,6.40,,official,,NHA,", "1,,,2,,3.20,,,,,", "7,,,3,,,,,,,"],
      /^Horse 1 did not win, so it has no win dividend$/,
    ],
    [["4,Sea Breeze,ran,1,,,,official,,NHA,"], /^horse 4 is Sea Breeze in the file, but Harbour/],
    [["9,Odd One,scratched,,,,,official,,NHA,"], /^Enter the winner$/],
  ])("is refused for a result as %j", async (lines, message) => {
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...lines.map((line) => `kenilworth,3,,${line}`));
    const problems = await listProblems((await makeAdmin()).id, file);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.replace(/^.*?race 3: (.*)\.$/, "$1")).toMatch(message);
  });

  it("is refused for a horse that is not declared and has no name", async () => {
    await importFile(null, createFile(...declareRaces()));
    const file = createFile(...RESULT, "kenilworth,3,,9,,unplaced,,,,,,,,");
    expect(await listProblems((await makeAdmin()).id, file)).toEqual([
      `Kenilworth, ${formatDate(raceDate, "short")}: race 3, horse 9 is not declared.`,
    ]);
  });

  it("is refused for a scratched horse that ran", async () => {
    await importFile(null, createFile(...declareRaces()));
    await importFile(null, createFile("kenilworth,3,,4,,scratched,,,,,,,NHA,"));
    expect(await listProblems((await makeAdmin()).id, createFile(...RESULT))).toEqual([
      problemOf(3, "Horse 4, Harbour Light, is scratched. Reinstate it on the race day first"),
    ]);
  });
});

describe("the results of a race day file", () => {
  const parse = (header: string, ...lines: string[]) => {
    const rows = lines.map((line) => `2026-11-21,vaal,1,${line}`);
    const parsed = parseRaceDayFile([`date,venue,race,${header}`, ...rows].join("\n"));
    return parsed.ok ? [] : parsed.problems;
  };

  it.each([
    ["number,position", "4,1", "Line 2: race 1 has position, but no result_status."],
    ["number,status", "4,ran", "Line 2: race 1 has status, but no result_status."],
    ["places_paid", "3", "Line 2: race 1 has places_paid, but no result_status."],
    ["result_status", "final", "Line 2: result_status must be one of unofficial, official,"],
    ["number,status", "4,won", "Line 2: status must be one of declared, scratched, ran, unplaced"],
    ["number,position", "4,0", "Line 2: position must be a number from 1 to 30."],
    ["number,position", "4,1=", "Line 2: position must be a number from 1 to 30."],
    ["number,sp", "4,05-Jan", "Line 2: sp is 05-Jan. Starting price must be a fraction such as"],
    ["number,win", "4,6.404", "Line 2: win is 6.404. Dividend must be an amount for R1 such as"],
    ["number,place", "4,0", "Line 2: place is 0. Dividend must be an amount for R1 such as"],
    ["places_paid", "7", "Line 2: places_paid must be a number from 0 to 6."],
    ["source_url", "nha.example", "Line 2: source_url must be an address that starts with"],
    ["source_url", LINK, "vaal, 2026-11-21: source_url is filled in, but no race has a result."],
    ["position", "1", "Line 2: number is missing, but position is not."],
    ["number,status,position", "4,dnf,1", "Line 2: horse 4 is dnf, but has position 1."],
    ["number,status,position", "4,unplaced,9", "Line 2: horse 4 is unplaced, but has position 9."],
    ["number,status,sp", "4,scratched,5/1", "Line 2: horse 4 is scratched, but has sp."],
    [
      "number,position,result_status",
      "4,1,abandoned",
      "Line 2: race 1 is abandoned, but has positions, prices, places or horses that ran.",
    ],
    ["number,dividend", "4,1", "Unknown column: dividend"],
  ])("are refused with the columns %s as %s", (header, line, message) => {
    expect(parse(header, line)).toEqual([expect.stringContaining(message)]);
  });

  it("are refused when a race has two statuses, links or numbers of places", () => {
    expect(
      parse("result_status,places_paid,source_url", `official,3,${LINK}`, `void,4,${LINK}/2`),
    ).toEqual([
      "Line 3: result_status is void, but official in a line above.",
      "Line 3: places_paid is 4, but 3 in a line above.",
      `Line 3: source_url is ${LINK}/2, but ${LINK} in a line above.`,
    ]);
  });

  it.each([
    ["position", "PU"],
    ["position", "f"],
    ["position", "UR"],
    ["status", "BD"],
    ["status", "ro"],
  ])("have a horse that did not finish for the %s %s", (column, code) => {
    const rows = [`4,1,,official`, column === "position" ? `5,${code},,` : `5,,${code},`];
    const parsed = parseRaceDayFile(
      ["number,position,status,result_status", ...rows]
        .map((row, index) => (index === 0 ? `date,venue,race,${row}` : `2026-11-21,vaal,1,${row}`))
        .join("\n"),
    );
    expect(parsed).toMatchObject({
      meetings: [
        { races: [{ result: { runners: [{}, { outcome: "did-not-finish", position: null }] } }] },
      ],
    });
    expect(parse("number,position,status", `5,${code},ran`)).toEqual([
      "Line 2: position must be a number from 1 to 30.",
    ]);
  });

  it.each(["=5/1", "+5/1", "-5/1", "@x"])("are refused with the formula %j", (sp) => {
    expect(parse("number,sp", `4,${sp}`)).toContain(
      `Line 2: sp starts with ${sp[0]}. Formulas are not imported.`,
    );
  });

  it.each([
    ["UTF-16", Buffer.from("\ufeffdate,venue,race,position", "utf16le")],
    ["Windows-1252", Buffer.from([0x64, 0x61, 0x74, 0x65, 0x2c, 0xc9])],
  ])("are refused in %s", (_, bytes) => {
    expect(decodeRaceDayFile(bytes)).toEqual({
      ok: false,
      problems: ["The file is not encoded in UTF-8. Save it as “CSV UTF-8” and import it again."],
    });
  });

  it("are read with a byte order mark, semicolons and decimal commas", () => {
    const text =
      "\ufeffdate;venue;race;number;position;win;result_status\n2026-11-21;vaal;1;4;1;6,40;Official";
    const decoded = decodeRaceDayFile(Buffer.from(text));
    const parsed = parseRaceDayFile(decoded.ok ? decoded.text : "");
    expect(parsed).toMatchObject({
      ok: true,
      meetings: [
        { races: [{ result: { status: "official", runners: [{ winDividendCents: 640 }] } }] },
      ],
    });
  });

  it("are the same in JSON, with the link on the meeting or on the race", () => {
    const fromCsv = parseRaceDayFile(createFile(...RESULT));
    const race = {
      race: 3,
      result_status: "official",
      places_paid: 3,
      runners: [
        {
          number: 4,
          horse: "Harbour Light",
          status: "ran",
          position: 1,
          sp: "5/1",
          win: 6.4,
          place: 1.9,
        },
        { number: 1, status: "ran", position: 2, sp: "18/10", place: 1.4 },
        { number: 7, status: "ran", position: 3, sp: "evens", win: null, place: "1.10" },
      ],
    };
    const meeting = { date: raceDate, venue: "kenilworth", source: "NHA" };
    for (const value of [
      { ...meeting, source_url: LINK, races: [race] },
      { ...meeting, races: [{ ...race, source_url: LINK }] },
    ])
      expect(parseRaceDayFile(JSON.stringify(value))).toEqual(fromCsv);
  });

  it("are null for a race without a result status, even if the meeting has a link", () => {
    const meeting = {
      date: "2026-11-21",
      venue: "vaal",
      source_url: LINK,
      races: [
        { race: 1, result_status: "void" },
        { race: 2, off: "13:00" },
      ],
    };
    expect(parseRaceDayFile(JSON.stringify(meeting))).toMatchObject({
      meetings: [
        {
          races: [
            { result: { status: "void", placesPaid: null, sourceUrl: LINK, runners: [] } },
            { result: null },
          ],
        },
      ],
    });
  });
});

describe("the examples of docs/race-day-files.md", () => {
  it("are accepted", () => {
    const text = readFileSync("docs/race-day-files.md", "utf8");
    const examples = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, example = ""]) => example);
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(parseRaceDayFile(example)).toMatchObject({ ok: true });
  });
});

describe("the import form with results", () => {
  it("shows the number of results that another admin must confirm", async () => {
    const admin = await makeAdmin();
    await importFile(null, createFile(...declareRaces()));
    const form = new FormData();
    form.set("text", createFile(...RESULT));
    const previewed = await importRaceDaysForm(admin.id, form);
    form.set("contents", previewed.data.contents ?? "");
    form.set("digest", previewed.data.preview?.digest ?? "");
    expect((await importRaceDaysForm(admin.id, form)).data.message).toBe(
      "1 result imported. Another admin must confirm it.",
    );
  });
});

describe("importing after a result whose names two admins entered", () => {
  const race = (...lines: string[]) =>
    createFile(...lines.map((line) => `kenilworth,3,14:02,${line}`));

  /** Reports race 3 without runners, and makes Harbour Light, Sea Mist and Tin Roof its official first three. */
  async function enterNames(): Promise<void> {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    await importFile(null, race(",,,,,,,,,Track office,"));
    const names = { 4: "Harbour Light", 1: "Sea Mist", 7: "Tin Roof" };
    const entered = await enterRaceResult(
      first.id,
      await findRace(),
      {
        ...{ status: "official", time: null, starters: 8, placesPaid: null, source: "NHA" },
        ...{ sourceUrl: null, reason: "" },
        runners: ([4, 1, 7] as const).map((number, index) => ({
          ...{ number, horseName: names[number], outcome: "finished", position: index + 1 },
          ...{ startingPrice: null, winDividendCents: null, placeDividendCents: null },
        })),
      },
      { via: "form" },
    );
    expect(entered).toMatchObject({ ok: true });
    expect(await confirm(second.id)).toMatchObject({ ok: true });
  }

  it("declares runners with the same names, spelt differently, and keeps the result", async () => {
    await enterNames();
    await importFile(null, createFile(...declareRaces()));
    expect(await readOfficialResults(await findRace())).toMatchObject([
      { version: 1, hasEnteredNames: true, runners: [{ horseName: "Harbour Light" }, {}, {}] },
    ]);
    const same = race("4,Harbour Light,ran,1,,,,official,3,NHA,");
    expect(await listChanges(null, same)).toEqual([]);
  });

  it("refuses another name for the number of a placed horse, declared or in a result", async () => {
    await enterNames();
    const problem = problemOf(
      3,
      "horse 4 is Red Kite in the file, but Harbour Light in the official result",
    );
    const declared = race("4,Red Kite,,,,,,,,Track office,");
    expect(await listProblems(null, declared)).toEqual([problem]);
    const result = race("4,Red Kite,ran,1,,,,official,3,NHA,");
    expect(await listProblems(null, result)).toContain(problem);
    const misspelt = race("4,HARBOR LIGHT (SAF),,,,,,,,Track office,");
    expect(await listProblems(null, misspelt)).toEqual([]);
  });
});
