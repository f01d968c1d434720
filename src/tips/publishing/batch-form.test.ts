import { describe, expect, test } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import {
  type BatchDraft,
  changeRaceField,
  createBlankRace,
  createNextRace,
  createTypedValuesUpdate,
  describeRacesWithHorses,
  fillRaces,
  findOffTimeWarning,
  findRunnerByText,
  isBlankRace,
  layOutRaces,
  listClosings,
  matchRunners,
  parseBatchForm,
  RACE_FIELDS,
  type RaceDraft,
  toInputName,
  validateBatch,
} from "./batch-form.ts";
import type { BatchDay } from "./batch-result.ts";
import { parseTipLines } from "./parse-tip-lines.ts";

const VENUE = "01890000-0000-7000-8000-000000000001";

function createRace(raceNumber: number, overrides: Partial<RaceDraft> = {}): RaceDraft {
  return {
    raceNumber: String(raceNumber),
    raceTime: "",
    horseNumber: "7",
    horseName: "Dune Runner",
    tipType: "win",
    confidence: "high",
    analysis: "Drawn well and fresh.",
    ...overrides,
  };
}

function createDraft(overrides: Partial<BatchDraft> = {}): BatchDraft {
  return {
    idempotencyKey: "an-idempotency-key",
    venueId: VENUE,
    raceDate: "2026-11-21",
    races: [createRace(1), createRace(2)],
    ...overrides,
  };
}

function createDay(): BatchDay {
  const createRunner = (number: number, horseName: string) => ({
    raceNumber: 1,
    number,
    horseName,
    isScratched: false,
  });
  return {
    venueId: VENUE,
    raceDate: "2026-11-21",
    publishedNumbers: [],
    offTimes: ["12:30", "13:00", "14:00"].map((time, index) => ({ raceNumber: index + 1, time })),
    runners: [
      { ...createRunner(1, "Any Horse"), raceNumber: 4 },
      createRunner(4, "Harbour Light"),
      createRunner(7, "Harbour Lights"),
      createRunner(12, "El Niño (SAF)"),
    ],
  };
}

function listMessages(draft: BatchDraft, usedRaceNumbers: number[] = []): string[] {
  const result = validateBatch(draft, usedRaceNumbers);
  return result.ok ? [] : result.problems.messages;
}

test("warns about a race without a reported off, from an hour before 11:00", () => {
  const warn = (reportedTime: string | null, time: string) =>
    findOffTimeWarning("2026-11-21", reportedTime, instantAt("2026-11-21", time));
  expect(warn(null, "09:59")).toBeUndefined();
  expect(warn(null, "10:00")).toMatch(/^Meeting not confirmed. Publish before 11:00/);
  expect(warn(null, "11:00")).toMatch(/it is past 11:00 on race day/);
  expect(warn("15:00", "12:00")).toBeUndefined();
});

describe("createNextRace", () => {
  test("returns the lowest unused number", () => {
    expect(createNextRace([createRace(1), createRace(2), createRace(4)], []).raceNumber).toBe("3");
    expect(createNextRace([createRace(2)], [1, 3]).raceNumber).toBe("4");
    expect(createNextRace([], []).raceNumber).toBe("1");
  });

  test("returns an empty number when all twelve are used", () => {
    const all = Array.from({ length: 12 }, (_, index) => createRace(index + 1));
    expect(createNextRace(all, []).raceNumber).toBe("");
  });
});

describe("layOutRaces", () => {
  const day = createDay();
  const layOut = (races: RaceDraft[], changes: Partial<BatchDay> = {}, at = "09:00") =>
    layOutRaces(
      races,
      { ...day, ...changes },
      listClosings({ ...day, ...changes }, 120, instantAt(day.raceDate, at)),
      2,
    );
  const listNumbers = (races: readonly RaceDraft[]) => races.map(({ raceNumber }) => raceNumber);

  test("lays out one blank race for each declared race that is open and not published", () => {
    expect(listNumbers(layOut([createBlankRace(1)]))).toEqual(["1", "2", "3", "4"]);
    expect(listNumbers(layOut([createBlankRace(1)], { publishedNumbers: [2] }))).toEqual([
      "1",
      "3",
      "4",
    ]);
    expect(listNumbers(layOut([createBlankRace(1)], {}, "11:30"))).toEqual(["3", "4"]);
  });

  test("keeps the tip type and confidence that were chosen", () => {
    const race = { ...createBlankRace(1), tipType: "place", confidence: "low" };
    expect(layOut([race])[3]).toEqual({ ...race, raceNumber: "4" });
    expect(layOut([race], { offTimes: [], runners: [] })[1]).toEqual({ ...race, raceNumber: "2" });
  });

  test("returns the first races when none is declared, closed or left", () => {
    const unknown = { offTimes: [], runners: [], publishedNumbers: [1] };
    expect(listNumbers(layOut([createBlankRace(7)], unknown))).toEqual(["2", "3"]);
    expect(listNumbers(layOut([createBlankRace(7)], { runners: [] }, "18:00"))).toEqual(["1", "2"]);
  });

  test("changes only blank races whose number is published when one is filled in", () => {
    const races = [createBlankRace(1), createRace(2), createBlankRace(3), createBlankRace(4)];
    const published = { publishedNumbers: [1, 2, 3] };
    expect(listNumbers(layOut(races, published))).toEqual(["5", "2", "6", "4"]);
    const filled = [createBlankRace(1), createRace(2)];
    expect(layOut(filled, { publishedNumbers: [3] })).toBe(filled);
  });
});

describe("findRunnerByText", () => {
  const { runners } = createDay();
  test.each([
    ["4", 4],
    ["04", 4],
    ["4 Harbour Light", 4],
    ["harbour light", 4],
    ["El Nino", 12],
    ["el", 12],
    ["12 El", 12],
    ["Harb", undefined],
    ["Harbour Lights", 7],
    ["4 Sea Mist", undefined],
    ["40", undefined],
    ["123", undefined],
    ["", undefined],
    ["Nobody", undefined],
  ])("finds by %j", (text, number) => {
    expect(findRunnerByText(text, runners)?.number).toBe(number);
  });
});

describe("fillRaces", () => {
  const day = createDay();
  const lines = (text: string) => parseTipLines(text);

  test("fills the races from the first one on, with the declared runners' names", () => {
    const draft = createDraft({ races: [1, 2, 3].map(createBlankRace) });
    const { races } = fillRaces(draft, lines("4 W H Fresh\nel nino P L Stays"), 0, day);
    expect(races).toMatchObject([
      { raceNumber: "1", horseNumber: "4", horseName: "Harbour Light", tipType: "win" },
      { raceNumber: "2", horseName: "el nino", tipType: "place", analysis: "Stays" },
      createBlankRace(3),
    ]);
  });

  test("fills the race that a line names, and adds races up to twelve", () => {
    const text = Array.from({ length: 12 }, (_, index) => `R${index + 1} ${index + 1} Horse`);
    const draft = createDraft({ races: [createBlankRace(2)] });
    const filled = fillRaces(draft, lines(text.reverse().join("\n")), 0, {
      publishedNumbers: [],
      runners: [],
    });
    expect(filled.races).toHaveLength(12);
    expect(filled.races[0]).toMatchObject({ raceNumber: "2", horseNumber: "2" });
    expect(fillRaces(filled, lines("1 One\n2 Two"), 11, day).races).toHaveLength(12);
  });

  test("does not take a race without a number for the one that a line leaves out", () => {
    const draft = createDraft({ races: [createBlankRace(1), createBlankRace(null)] });
    const { races } = fillRaces(draft, lines("4 One\n5 Two"), 0, { ...day, runners: [] });
    expect(races.map(({ horseName }) => horseName)).toEqual(["One", "Two"]);
  });

  test("keeps what a line does not have", () => {
    const draft = createDraft({ races: [createRace(1)] });
    const { races } = fillRaces(draft, lines("9 Karoo Star"), 0, { ...day, runners: [] });
    expect(races).toEqual([createRace(1, { horseNumber: "9", horseName: "Karoo Star" })]);
  });
});

describe("a batch form", () => {
  test("is parsed in the order of its indices, which can have gaps", () => {
    const form = new FormData();
    form.set("idempotencyKey", "an-idempotency-key");
    form.set("venueId", VENUE);
    form.set("raceDate", "2026-11-21");
    for (const [index, race] of [
      [10, createRace(9)],
      [2, createRace(3)],
    ] as const)
      for (const [field, value] of Object.entries(race))
        form.set(toInputName(index, field as keyof RaceDraft), value);
    form.set("races.0.isLate", "false");
    form.set("races.nonsense.horseName", "Nobody");
    expect(parseBatchForm(form)).toEqual(createDraft({ races: [createRace(3), createRace(9)] }));
  });

  test("ignores unknown fields", () => {
    const form = new FormData();
    form.set("races.0.horseName", "Dune Runner");
    form.set("races.0.cost", "0");
    form.set("races.0.createdBy", "somebody else");
    form.set("created_by", "somebody else");
    expect(Object.keys(parseBatchForm(form).races[0] ?? {})).not.toContain("cost");
    expect(parseBatchForm(form).races).toEqual([
      { ...createBlankRace(null), horseName: "Dune Runner" },
    ]);
  });

  test("returns the batch when it is valid", () => {
    expect(validateBatch(createDraft())).toMatchObject({
      ok: true,
      batch: { venueId: VENUE, races: [{ raceNumber: 1, horseNumber: 7, raceTime: null }, {}] },
    });
  });

  test.each(["1405", "14:05", "14h05", " 14.05 "])("accepts %j as an off time", (raceTime) => {
    expect(validateBatch(createDraft({ races: [createRace(1, { raceTime })] }))).toMatchObject({
      ok: true,
      batch: { races: [{ raceTime: "14:05" }] },
    });
  });

  test.each<[string, Partial<BatchDraft>]>([
    ["no venue", { venueId: "" }],
    ["no race date", { raceDate: "" }],
    ["an invalid race date", { raceDate: "2026-02-30" }],
  ])("requires a venue and race date when it has %s", (_, changes) => {
    expect(listMessages(createDraft(changes))).toEqual(["Please select a venue and race date."]);
  });

  test.each([
    ["horseNumber", "horse number"],
    ["horseName", "horse name"],
    ["tipType", "tip type"],
    ["confidence", "confidence"],
    ["analysis", "analysis"],
  ] as const)("returns an error for the empty field %s", (field, name) => {
    const result = validateBatch(
      createDraft({ races: [createRace(1), createRace(2, { [field]: "" })] }),
    );
    expect(result.ok || result.problems).toMatchObject({
      messages: ["Please fill in all fields for each race."],
      races: [{}, { [field]: `Please enter the ${name}` }],
    });
  });

  test("leaves blank races out, unless all are blank", () => {
    const races = [createBlankRace(1), createRace(2, { horseName: "" }), createRace(3)];
    const problems = validateBatch(createDraft({ races }));
    expect(problems.ok || problems.problems.races).toEqual([
      {},
      { horseName: "Please enter the horse name" },
      {},
    ]);
    expect(
      validateBatch(createDraft({ races: [createBlankRace(1), createRace(3)] })),
    ).toMatchObject({ ok: true, batch: { races: [{ raceNumber: 3 }] } });
    expect(listMessages(createDraft({ races: [createBlankRace(1)] }))).toEqual([
      "Please fill in all fields for each race.",
    ]);
  });

  test("refuses a race that has closed", () => {
    const day = createDay();
    const closings = listClosings(day, 120, instantAt(day.raceDate, "11:00"));
    const limits = { today: day.raceDate, lastDay: day.raceDate, closings };
    const listProblems = (...races: RaceDraft[]) => {
      const result = validateBatch(createDraft({ races }), [], limits);
      return result.ok ? [] : result.problems.races;
    };
    expect(listProblems(createRace(2), createRace(3))).toEqual([
      {
        raceNumber:
          "Race 2 closed for tips at 11:00, 2 hours before its off at 13:00. Remove it to publish the others.",
      },
      {},
    ]);
    expect(listProblems(createRace(3))).toEqual([]);
  });

  test("refuses a date outside the publishing range", () => {
    const raceDate = "2026-11-21";
    const messages = (today: string, lastDay: string) => {
      const limits = { today, lastDay, closings: new Map() };
      const result = validateBatch(createDraft({ raceDate }), [], limits);
      return result.ok ? [] : [result.problems.raceDate, ...result.problems.messages];
    };
    const datePassed =
      "That date has passed. You can publish tips for today and up to 14 days ahead.";
    const dateTooFarAhead =
      "That date is too far ahead. You can publish tips for today and up to 14 days ahead.";
    expect(messages("2026-11-22", "2026-12-06")).toEqual([datePassed, datePassed]);
    expect(messages("2026-11-06", "2026-11-20")).toEqual([dateTooFarAhead, dateTooFarAhead]);
    expect(messages("2026-11-21", "2026-12-05")).toEqual([]);
    expect(messages("2026-11-07", "2026-11-21")).toEqual([]);
  });

  test("reports a duplicate race number", () => {
    const result = validateBatch(createDraft({ races: [createRace(4), createRace(4)] }));
    const message = "Race 4 is already selected. Please choose a different race number.";
    expect(result.ok || result.problems).toMatchObject({
      messages: [message],
      races: [{}, { raceNumber: message }],
    });
  });

  test("reports a race number that is already published", () => {
    expect(listMessages(createDraft(), [2])).toEqual([
      "Race 2 is already selected. Please choose a different race number.",
    ]);
  });

  test("requires between one and twelve races", () => {
    expect(listMessages(createDraft({ races: [] }))).toEqual(["Please add at least one race."]);
    const thirteen = Array.from({ length: 13 }, (_, index) => createRace(Math.min(index + 1, 12)));
    expect(listMessages(createDraft({ races: thirteen }))).toContain(
      "You can publish at most 12 races at once.",
    );
  });

  test.each([
    [{ horseNumber: "0" }, "Horse number must be from 1 to 30."],
    [{ horseNumber: "31" }, "Horse number must be from 1 to 30."],
    [{ horseNumber: "2.5" }, "Horse number must be from 1 to 30."],
    [{ raceNumber: "13" }, "Race number must be from 1 to 12."],
    [{ raceTime: "25:00" }, "Off time must use the 24-hour clock, such as 14:05."],
    [{ raceTime: "2:05 pm" }, "Off time must use the 24-hour clock, such as 14:05."],
  ])("refuses %j", (changes, message) => {
    expect(listMessages(createDraft({ races: [createRace(1, changes)] }))).toEqual([message]);
  });
});

test("createTypedValuesUpdate copies only values typed before hydration into the draft", () => {
  const start = createDraft({ venueId: "", races: [createBlankRace(1)] });
  const current = createDraft({ venueId: "", races: [createRace(4), createRace(5)] });
  const typed = createDraft({ races: [{ ...createBlankRace(1), horseName: "Quick Fingers" }] });
  expect(createTypedValuesUpdate(start, start)(current)).toBe(current);
  expect(createTypedValuesUpdate(start, typed)(current)).toEqual(
    createDraft({ races: [createRace(4, { horseName: "Quick Fingers" }), createRace(5)] }),
  );
});

test("changeRaceField changes the tip type and confidence of later blank races too", () => {
  const before = createDraft({ races: [createBlankRace(1), createRace(2), createBlankRace(3)] });
  const { races } = changeRaceField(before, 0, "tipType", "place");
  expect(races.map(({ tipType }) => tipType)).toEqual(["place", "win", "place"]);
  expect(changeRaceField(before, 1, "confidence", "low").races).toEqual([
    createBlankRace(1),
    createRace(2, { confidence: "low" }),
    { ...createBlankRace(3), confidence: "low" },
  ]);
});

test("changeRaceField changes one field and keeps the others", () => {
  const before = createDraft({ races: [createRace(1), createRace(2)] });
  const after = changeRaceField(
    changeRaceField(before, 1, "horseName", "Second"),
    1,
    "analysis",
    "Why",
  );
  expect(after).toEqual(
    createDraft({
      races: [createRace(1), createRace(2, { horseName: "Second", analysis: "Why" })],
    }),
  );
});

test("isBlankRace returns true for a race with only a number, tip type and confidence", () => {
  expect(isBlankRace(createBlankRace(3))).toBe(true);
  for (const field of RACE_FIELDS)
    expect(isBlankRace({ ...createBlankRace(3), [field]: "x" }), field).toBe(
      ["raceNumber", "tipType", "confidence"].includes(field),
    );
  expect(isBlankRace({ ...createBlankRace(3), horseName: " " })).toBe(true);
});

test("describeRacesWithHorses lists each race with its horse", () => {
  expect(
    describeRacesWithHorses([
      createRace(2, { horseName: " Dune Runner " }),
      createRace(1, { horseNumber: "12" }),
    ]),
  ).toBe("race 1, no. 12 Dune Runner; race 2, no. 7 Dune Runner");
});

describe("matchRunners", () => {
  const runners = [
    { raceNumber: 1, number: 4, horseName: "Harbour Light", isScratched: false },
    { raceNumber: 1, number: 9, horseName: "Sea Mist", isScratched: true },
  ];
  const match = (raceNumber: string, horseNumber: string, horseName: string) => {
    const race = { ...createBlankRace(null), raceNumber, horseNumber, horseName };
    const [matched] = matchRunners(createDraft({ races: [race] }), runners).races;
    return [matched?.horseNumber, matched?.horseName];
  };

  test("finds a runner by number, name or both, even misspelt", () => {
    for (const [number = "", name = ""] of [["4", "HARBOR LIGHT"], ["4"], ["", "harbour"]])
      expect(match("1", number, name)).toEqual(["4", "Harbour Light"]);
  });

  test("keeps every horse of a race without declared runners, and blank races", () => {
    expect(match("2", "4", "Anything")).toEqual(["4", "Anything"]);
    expect(match("1", "", "")).toEqual(["", ""]);
  });

  test("removes the number of a scratched runner and of a horse with another number", () => {
    expect(match("1", "9", "Sea Mist")).toEqual(["", "9 Sea Mist"]);
    expect(match("1", "4", "Sea Mist")).toEqual(["", "4 Sea Mist"]);
    // Its race is not left out, but refused.
    const races = [createRace(1, { horseNumber: "9", horseName: "" }), createRace(2)];
    expect(listMessages(matchRunners(createDraft({ races }), runners))).toHaveLength(1);
  });
});
