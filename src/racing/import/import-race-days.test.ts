import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDays, formatDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin } from "#test/factories.ts";
import { importRaceDaysForm } from "../admin/import-race-days-form.server.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { importRaceDays, previewRaceDayImport } from "./import-race-days.server.ts";
import { parseRaceDayFile } from "./parse-race-day-file.server.ts";
import { decodeRaceDayFile, MAX_FILE_BYTES } from "./read-race-day-rows.server.ts";

// Runners and changes are not deleted, so each test imports a separate day.
let raceDate = "2027-06-01";
beforeEach(() => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
});
afterEach(() => freezeClock(null));

const HEADER =
  "date,venue,race,off,name,distance_m,surface,going,number,horse,jockey,trainer,draw,status,source";

/** Returns a file with the race date added to each line. */
const createFile = (...lines: string[]) =>
  [HEADER, ...lines.map((line) => `${raceDate},${line}`)].join("\n");

const RACE_3 = [
  "kenilworth,3,13:02,Maiden Plate,1200,turf,Good,4,Harbour Light,A. Rider,T. One,7,,NHA",
  "Kenilworth,3,,,,,,9,Sea Mist,,,2,,",
];

async function preview(text: string, actorId: string | null = null) {
  const result = await previewRaceDayImport(actorId, text);
  if (!result.ok) throw new Error(result.problems.join("; "));
  return result.preview;
}

/** Previews a file and imports it. */
async function importFile(actorId: string | null, text: string) {
  return await importRaceDays(actorId, text, (await preview(text, actorId)).digest);
}

const listChanges = async (text: string) =>
  (await preview(text)).meetings.map((meeting) => meeting.changes);

const LONG_NAME = "The Sponsor and Sons Transport Maiden Plate ".padEnd(120, "x");

describe("importing race days", () => {
  it("writes the previewed changes and an audit entry", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue("kenilworth");
    const file = createFile(...RACE_3).replace("Maiden Plate", LONG_NAME);
    expect(await listChanges(file)).toEqual([
      [
        "race 3 new, off 13:02, 2 runners",
        "going not reported → Good",
        "source not reported → NHA",
      ],
    ]);
    expect(await readDeclaredRaces(venue.id, raceDate)).toEqual([]);
    expect(await importFile(admin.id, file)).toMatchObject({ ok: true });
    expect(await readDeclaredRaces(venue.id, raceDate)).toEqual([
      {
        raceNumber: 3,
        offAt: instantAt(raceDate, "13:02"),
        name: LONG_NAME,
        distanceMetres: 1200,
        surface: "turf",
        runners: [
          {
            number: 4,
            horseName: "Harbour Light",
            jockey: "A. Rider",
            trainer: "T. One",
            draw: 7,
            isScratched: false,
          },
          {
            number: 9,
            horseName: "Sea Mist",
            jockey: null,
            trainer: null,
            draw: 2,
            isScratched: false,
          },
        ],
      },
    ]);
    const { rowCount } = await pool().query(
      "select from audit_entries where action = 'save-race-day' and actor_id = $1",
      [admin.id],
    );
    expect(rowCount).toBe(1);
  });

  it("refuses a day whose year is more than two away", async () => {
    const file = (date: string) => createFile(...RACE_3).replaceAll(raceDate, date);
    for (const date of ["2024-12-31", "2030-01-01"])
      expect(await previewRaceDayImport(null, file(date))).toMatchObject({
        ok: false,
        problems: [expect.stringContaining("Check the year")],
      });
    expect(await previewRaceDayImport(null, file("2029-12-31"))).toMatchObject({ ok: true });
  });

  it("lists a changed off time and a scratching, and does not change what the file omits", async () => {
    const venue = await findTestVenue("kenilworth");
    await importFile(null, createFile(...RACE_3, "kenilworth,5,14:20,,,,,,,,,,,NHA"));
    const file = createFile(
      "kenilworth,5,14:25,,,,,,,,,,,NHA",
      "kenilworth,3,,,,,,9,,,,,scratched,",
    );
    expect(await listChanges(file)).toEqual([
      ["race 3 #9 Sea Mist scratched", "race 5 off 14:20 → 14:25"],
    ]);
    await importFile(null, file);
    expect(await readDeclaredRaces(venue.id, raceDate)).toMatchObject([
      {
        raceNumber: 3,
        name: "Maiden Plate",
        runners: [
          { number: 4, jockey: "A. Rider", isScratched: false },
          { number: 9, isScratched: true },
        ],
      },
      { raceNumber: 5, offAt: instantAt(raceDate, "14:25") },
    ]);
    // An empty status does not reinstate the horse.
    expect(await listChanges(createFile("kenilworth,3,,,,,,9,Sea Mist,,,,,NHA"))).toEqual([[]]);
    const reinstatement = createFile("kenilworth,3,,,,,,9,Sea Mist,,,,declared,NHA");
    expect(await listChanges(reinstatement)).toEqual([["race 3 #9 Sea Mist reinstated"]]);
  });

  it("keeps the source of the day, and gives its own source to the runners that it changes", async () => {
    const venue = await findTestVenue("kenilworth");
    await importFile(null, createFile(...RACE_3));
    const scratching = createFile("kenilworth,3,,,,,,9,,,,,scratched,Track office");
    expect(await listChanges(scratching)).toEqual([["race 3 #9 Sea Mist scratched"]]);
    await importFile((await makeAdmin()).id, scratching);
    const read = async (table: string) =>
      (
        await pool().query(
          `select e.* from ${table} e join race_days d on d.id = ${table === "race_days" ? "e.id" : "e.race_day_id"}
           where d.venue_id = $1 and d.race_date = $2 order by 1, 2, 3`,
          [venue.id, raceDate],
        )
      ).rows;
    expect(await read("race_days")).toMatchObject([{ source: "NHA" }]);
    expect(await read("runners")).toMatchObject([
      { number: 4, source: "NHA" },
      { number: 9, source: "Track office" },
    ]);
    expect(await read("race_changes")).toMatchObject([
      { kind: "scratched", source: "Track office" },
    ]);
  });

  it("reads the same declarations from JSON", async () => {
    const meeting = {
      date: raceDate,
      venue: "kenilworth",
      going: "Good",
      source: "NHA",
      races: [
        {
          race: 3,
          off: "13:02",
          name: "Maiden Plate",
          distance_m: 1200,
          surface: "turf",
          runners: [
            { number: 4, horse: "Harbour Light", jockey: "A. Rider", trainer: "T. One", draw: 7 },
            { number: 9, horse: "Sea Mist", jockey: null, draw: 2 },
          ],
        },
      ],
    };
    const fromCsv = parseRaceDayFile(createFile(...RACE_3));
    expect(parseRaceDayFile(JSON.stringify(meeting))).toEqual(fromCsv);
    expect(parseRaceDayFile(JSON.stringify([meeting]))).toEqual(fromCsv);
    const withUnknownKey = { ...meeting, races: [{ race: 3, odds: "5/1" }] };
    expect(parseRaceDayFile(JSON.stringify(withUnknownKey))).toEqual({
      ok: false,
      problems: ["Unknown column: odds (meeting 1, race 1)"],
    });
  });

  it.each([["\t"], [";"]])("reads the separator %j", (separator) => {
    const file = createFile(...RACE_3);
    expect(parseRaceDayFile(file.replaceAll(",", separator))).toEqual(parseRaceDayFile(file));
  });

  it("is refused when the race day was saved after the preview, and accepted with a new preview", async () => {
    const admin = await makeAdmin();
    const venue = await findTestVenue("kenilworth");
    const file = createFile(...RACE_3);
    const { digest } = await preview(file);
    await importFile(null, createFile("kenilworth,3,13:30,,,,,,,,,,,Track office"));
    const refused = await importRaceDays(admin.id, file, digest);
    expect(refused).toMatchObject({
      ok: false,
      refusal: "preview-outdated",
      preview: { meetings: [{ changes: expect.arrayContaining(["race 3 off 13:30 → 13:02"]) }] },
    });
    expect(await readDeclaredRaces(venue.id, raceDate)).toMatchObject([{ runners: [] }]);
    if (refused.ok || refused.refusal !== "preview-outdated") throw new Error("not refused");
    expect(await importRaceDays(admin.id, file, refused.preview.digest)).toMatchObject({
      ok: true,
    });
  });

  it("writes nothing when it is accepted twice", async () => {
    const admin = await makeAdmin();
    const file = createFile(...RACE_3);
    const { digest } = await preview(file);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await importRaceDays(admin.id, file, digest)).toMatchObject({ ok: true });
    const { rowCount } = await pool().query(
      "select from audit_entries where action = 'save-race-day' and actor_id = $1",
      [admin.id],
    );
    expect(rowCount).toBe(1);
  });

  it("imports one of two different files when two admins accept them at the same time", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const venue = await findTestVenue("kenilworth");
    const files = ["13:02", "13:10"].map((off) =>
      createFile(`kenilworth,3,${off},,,,,,,,,,,NHA`),
    ) as [string, string];
    const digests = [(await preview(files[0])).digest, (await preview(files[1])).digest] as const;
    const results = await Promise.all([
      importRaceDays(first.id, files[0], digests[0]),
      importRaceDays(second.id, files[1], digests[1]),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await readDeclaredRaces(venue.id, raceDate)).toMatchObject([
      { offAt: instantAt(raceDate, results[0]?.ok ? "13:02" : "13:10") },
    ]);
  });

  it("writes all meetings of a file or none", async () => {
    const [kenilworth, vaal] = [await findTestVenue("kenilworth"), await findTestVenue("vaal")];
    const file = createFile(
      "kenilworth,1,12:00,,,,,,,,,,,NHA",
      "vaal,1,12:00,,,,,,,,,,,NHA",
      "vaal,2,12:00,,,,,,,,,,,NHA",
    );
    expect(await previewRaceDayImport(null, file)).toEqual({
      ok: false,
      refusal: "invalid-file",
      problems: [
        `${vaal.name}, ${formatDate(raceDate, "short")}: Race 2 (12:00) must go off after race 1 (12:00).`,
      ],
    });
    expect(await readDeclaredRaces(kenilworth.id, raceDate)).toEqual([]);
    await importFile(null, file.replace("vaal,2,12:00", "vaal,2,12:35"));
    expect(await readDeclaredRaces(kenilworth.id, raceDate)).toHaveLength(1);
    expect(await readDeclaredRaces(vaal.id, raceDate)).toHaveLength(2);
  });

  it("is refused for an unknown venue, a missing source, off time or horse", async () => {
    const readProblems = async (...lines: string[]) => {
      const result = await previewRaceDayImport(null, createFile(...lines));
      return result.ok ? [] : result.problems;
    };
    const where = `Kenilworth, ${formatDate(raceDate, "short")}`;
    expect(await readProblems("ascot,1,12:00,,,,,,,,,,,NHA")).toEqual(["Unknown venue: ascot"]);
    expect(await readProblems("kenilworth,1,12:00,,,,,,,,,,,")).toEqual([
      `${where}: source is missing.`,
    ]);
    expect(await readProblems("kenilworth,1,,,,,,4,,,,,,NHA")).toEqual([
      `${where}: race 1 needs an off time.`,
      `${where}: race 1, horse 4 needs a name.`,
    ]);
  });
});

describe("a race day file", () => {
  it.each([
    ["", "The file is empty."],
    [HEADER, "The file has no lines below its header."],
    ["date,venue,race,odds,jokey\n2026-11-21,vaal,1,5,x", "Unknown column: odds"],
    ["date,venue,race,race\n2026-11-21,vaal,1,1", "Column twice: race"],
    ["date,venue\n2026-11-21,vaal", "Missing column: race"],
    ["date,venue,race\n2026-02-30,vaal,1", "Line 2: date must be a date such as 2026-11-21."],
    ["date,venue,race\n2026-11-21,,1", "Line 2: venue is missing."],
    ["date,venue,race\n2026-11-21,vaal,13", "Line 2: race must be a number from 1 to 12."],
    [
      "date,venue,race,off\n2026-11-21,vaal,1,2 pm",
      "Line 2: Off time must use the 24-hour clock, such as 14:05.",
    ],
    [
      "date,venue,race,horse\n2026-11-21,vaal,1,Sea Mist",
      "Line 2: number is missing, but horse is not.",
    ],
    [
      "date,venue,race,number,horse\n2026-11-21,vaal,1,4,A\n2026-11-21,vaal,1,4,B",
      "Line 3: race 1 has horse 4 twice.",
    ],
    [
      "date,venue,race,off\n2026-11-21,vaal,1,12:00\n2026-11-21,vaal,1,12:05",
      "Line 3: off is 12:05, but 12:00 in a line above.",
    ],
    ["date,venue,race\n2026-11-21,vaal,1,2", "Line 2 has 4 values, but there are 3 columns."],
    ["{", "The file is not valid JSON"],
    ['date,venue,race\n2026-11-21,"vaal,1', "The file is not valid CSV"],
    ["date,venue,race\0\n", "The file is not a text file. Save it as “CSV UTF-8”."],
  ])("is refused as %j", (text, message) => {
    const result = parseRaceDayFile(text);
    expect(result.ok ? [] : result.problems).toContainEqual(expect.stringContaining(message));
  });

  it("is read as spreadsheets write it", () => {
    const written = parseRaceDayFile(
      [
        "sep=;",
        "date;venue;race;off;distance_m;number;horse;jockey;draw;;",
        "2026/12/05;vaal;1;13:02:00;1200.0;4.0;Sea Mist;-;7.0;;",
        "2026/12/05;vaal;1;;;5;Cold Front;–;;;",
        ";;;;;;;;;;",
      ].join("\r\n"),
    );
    expect(written).toEqual(
      parseRaceDayFile(
        "date,venue,race,off,distance_m,number,horse,draw\n2026-12-05,vaal,1,13:02,1200,4,Sea Mist,7\n" +
          "2026-12-05,vaal,1,,,5,Cold Front,",
      ),
    );
    expect(written).toMatchObject({ ok: true, meetings: [{ raceDate: "2026-12-05" }] });
  });

  it("is read with mixed line ends, and its problems name the right line", () => {
    const header = "date,venue,race,off";
    const file = `${header}\r\n2026-12-05,vaal,1,12:00\n2026-12-05,vaal,2,12:35\r2026-12-05,vaal,3,13:10\r\n`;
    const parsed = parseRaceDayFile(file);
    expect(parsed.ok && parsed.meetings[0]?.races.map(({ time }) => time)).toEqual([
      "12:00",
      "12:35",
      "13:10",
    ]);
    expect(parseRaceDayFile(file.replace("13:10", "1:10"))).toEqual({
      ok: false,
      problems: [
        "Line 4: Off time must use the 24-hour clock, such as 14:05. No race is run from 01:00 to 06:59.",
      ],
    });
    expect(parseRaceDayFile(`sep=,\n${header}\n2026-12-05,vaal,13,12:00`)).toEqual({
      ok: false,
      problems: ["Line 3: race must be a number from 1 to 12."],
    });
  });

  it("names a race with up to 120 characters", () => {
    const parse = (length: number) =>
      parseRaceDayFile(`date,venue,race,name\n2026-12-05,vaal,1,${"R".repeat(length)}`);
    expect(parse(120)).toMatchObject({ ok: true });
    expect(parse(121)).toMatchObject({
      problems: ["Line 2: name is longer than 120 characters."],
    });
  });

  it.each(["=1+1", "+1", "-1", "@x"])("is refused with the formula %j", (horse) => {
    const file = `date,venue,race,number,horse\n2026-11-21,vaal,1,4,${horse}`;
    expect(parseRaceDayFile(file)).toEqual({
      ok: false,
      problems: [`Line 2: horse starts with ${horse[0]}. Formulas are not imported.`],
    });
  });

  it("is refused with 5,000 lines, more than 1 MB, or another encoding", () => {
    const lines = Array.from({ length: 5_000 }, () => "2026-11-21,vaal,1");
    expect(parseRaceDayFile(["date,venue,race", ...lines].join("\n"))).toEqual({
      ok: false,
      problems: ["The file has more than 2,000 lines. Split it by meeting."],
    });
    expect(decodeRaceDayFile(new Uint8Array(MAX_FILE_BYTES + 1))).toEqual({
      ok: false,
      problems: ["The file is larger than 1 MB. Split it by meeting."],
    });
    for (const bytes of [Buffer.from("Étoile", "latin1"), Buffer.from("\ufeffdate", "utf16le")])
      expect(decodeRaceDayFile(bytes)).toEqual({
        ok: false,
        problems: ["The file is not encoded in UTF-8. Save it as “CSV UTF-8” and import it again."],
      });
    expect(decodeRaceDayFile(Buffer.from("\ufeffdate"))).toEqual({ ok: true, text: "date" });
  });

  it("lists twenty problems and the number of the others", () => {
    const lines = Array.from({ length: 30 }, () => "2026-11-21,vaal,13");
    const result = parseRaceDayFile(["date,venue,race", ...lines].join("\n"));
    if (result.ok) throw new Error("not refused");
    expect(result.problems).toHaveLength(21);
    expect(result.problems.at(-1)).toBe("10 more problems");
  });
});

describe("the import form", () => {
  it("previews an uploaded file, imports it, and shows the new preview after a change", async () => {
    const admin = await makeAdmin();
    const upload = new FormData();
    upload.set("file", new File([createFile(...RACE_3)], "card.csv", { type: "text/csv" }));
    const previewed = await importRaceDaysForm(admin.id, upload);
    expect(previewed.data).toMatchObject({ ok: true, contents: createFile(...RACE_3) });
    const acceptance = new FormData();
    acceptance.set("contents", previewed.data.contents ?? "");
    acceptance.set("digest", previewed.data.preview?.digest ?? "");
    await importFile(null, createFile("kenilworth,3,13:30,,,,,,,,,,,Track office"));
    const outdated = await importRaceDaysForm(admin.id, acceptance);
    expect(outdated.init?.status).toBe(409);
    acceptance.set("digest", outdated.data.preview?.digest ?? "");
    expect((await importRaceDaysForm(admin.id, acceptance)).data).toEqual({
      ok: true,
      message: "1 race day imported.",
    });
  });

  it("requires a file, and lists the problems of an invalid one", async () => {
    const admin = await makeAdmin();
    const form = new FormData();
    const empty = await importRaceDaysForm(admin.id, form);
    expect(empty.data.problems).toEqual(["Choose a file, or paste its contents."]);
    form.set("text", "date,venue,race,odds\n2026-11-21,vaal,1,5");
    const refused = await importRaceDaysForm(admin.id, form);
    expect(refused.init?.status).toBe(422);
    expect(refused.data).toMatchObject({
      problems: ["Unknown column: odds"],
      contents: form.get("text"),
    });
  });
});
