import { describe, expect, test } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import {
  type BatchDraft,
  changeRaceField,
  clearUndeclaredHorses,
  createBlankRace,
  createNextRace,
  createTypedValuesUpdate,
  describeRacesWithHorses,
  findOffTimeWarning,
  isBlankRace,
  parseBatchForm,
  RACE_FIELDS,
  type RaceDraft,
  renumberBlankRaces,
  toInputName,
  validateBatch,
} from "./batch-form.ts";

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

describe("renumberBlankRaces", () => {
  test("renumbers blank races whose number is already published", () => {
    const races = [createBlankRace(1), createRace(2), createBlankRace(3), createBlankRace(4)];
    const raceNumbers = renumberBlankRaces(races, [1, 2, 3]).map((race) => race.raceNumber);
    expect(raceNumbers).toEqual(["5", "2", "6", "4"]);
  });

  test("returns the same races when no number is published", () => {
    const races = [createBlankRace(1), createRace(2)];
    expect(renumberBlankRaces(races, [3])).toBe(races);
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

  test("refuses a date outside the publishing range", () => {
    const raceDate = "2026-11-21";
    const messages = (today: string, lastDay: string) => {
      const result = validateBatch(createDraft({ raceDate }), [], { today, lastDay });
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

test("isBlankRace returns true for a race with a number only", () => {
  expect(isBlankRace(createBlankRace(3))).toBe(true);
  for (const field of RACE_FIELDS)
    expect(isBlankRace({ ...createBlankRace(3), [field]: "x" }), field).toBe(
      field === "raceNumber",
    );
});

test("describeRacesWithHorses lists each race with its horse", () => {
  expect(
    describeRacesWithHorses([
      createRace(2, { horseName: " Dune Runner " }),
      createRace(1, { horseNumber: "12" }),
    ]),
  ).toBe("race 1, no. 12 Dune Runner; race 2, no. 7 Dune Runner");
});

describe("clearUndeclaredHorses", () => {
  const runners = [
    { raceNumber: 1, number: 4, horseName: "Harbour Light", isScratched: false },
    { raceNumber: 1, number: 9, horseName: "Sea Mist", isScratched: true },
  ];
  const clear = (raceNumber: string, horseNumber: string, horseName: string) => {
    const race = { ...createBlankRace(null), raceNumber, horseNumber, horseName };
    const draft = { idempotencyKey: "", venueId: "", raceDate: "", races: [race] };
    return clearUndeclaredHorses(draft, runners).races[0]?.horseName;
  };

  test("keeps a runner, and every horse of a race without declared runners", () => {
    expect(clear("1", "4", "HARBOUR LIGHT")).toBe("HARBOUR LIGHT");
    expect(clear("2", "4", "Anything")).toBe("Anything");
  });

  test("removes a scratched runner and a horse with another number", () => {
    expect(clear("1", "9", "Sea Mist")).toBe("");
    expect(clear("1", "4", "Sea Mist")).toBe("");
  });
});
