import { describe, expect, test } from "vitest";
import {
  type BatchDraft,
  blankRace,
  fieldName,
  isBlankRace,
  moveBlankRaces,
  nextRace,
  RACE_FIELDS,
  type RaceDraft,
  racesWithHorses,
  readBatchForm,
  validateBatch,
  withRaceField,
  withTypedValues,
} from "./batch-form.ts";

const VENUE = "01890000-0000-7000-8000-000000000001";

function race(raceNumber: number, more: Partial<RaceDraft> = {}): RaceDraft {
  return {
    raceNumber: String(raceNumber),
    raceTime: "",
    horseNumber: "7",
    horseName: "Dune Runner",
    tipType: "win",
    confidence: "high",
    analysis: "Drawn well and fresh.",
    ...more,
  };
}

function draft(more: Partial<BatchDraft> = {}): BatchDraft {
  return {
    idempotencyKey: "an-idempotency-key",
    venueId: VENUE,
    raceDate: "2026-11-21",
    races: [race(1), race(2)],
    ...more,
  };
}

function messagesOf(given: BatchDraft, taken: number[] = []): string[] {
  const answer = validateBatch(given, taken);
  return answer.ok ? [] : answer.problems.messages;
}

describe("nextRace", () => {
  test("returns the lowest unused number", () => {
    expect(nextRace([race(1), race(2), race(4)], []).raceNumber).toBe("3");
    expect(nextRace([race(2)], [1, 3]).raceNumber).toBe("4");
    expect(nextRace([], []).raceNumber).toBe("1");
  });

  test("returns an empty number when all twelve are used", () => {
    const all = Array.from({ length: 12 }, (_, index) => race(index + 1));
    expect(nextRace(all, []).raceNumber).toBe("");
  });
});

describe("moveBlankRaces", () => {
  test("renumbers blank races whose number is already on the card", () => {
    const races = [blankRace(1), race(2), blankRace(3), blankRace(4)];
    const moved = moveBlankRaces(races, [1, 2, 3]).map((each) => each.raceNumber);
    expect(moved).toEqual(["5", "2", "6", "4"]);
  });

  test("changes nothing when no number is taken", () => {
    const races = [blankRace(1), race(2)];
    expect(moveBlankRaces(races, [3])).toBe(races);
  });
});

describe("a batch form", () => {
  test("is parsed in order, without gaps in the indices", () => {
    const form = new FormData();
    form.set("idempotencyKey", "an-idempotency-key");
    form.set("venueId", VENUE);
    form.set("raceDate", "2026-11-21");
    for (const [index, each] of [
      [10, race(9)],
      [2, race(3)],
    ] as const)
      for (const [field, value] of Object.entries(each))
        form.set(fieldName(index, field as keyof RaceDraft), value);
    form.set("races.0.isLate", "false");
    form.set("races.nonsense.horseName", "Nobody");
    expect(readBatchForm(form)).toEqual(draft({ races: [race(3), race(9)] }));
  });

  test("ignores unknown fields", () => {
    const form = new FormData();
    form.set("races.0.horseName", "Dune Runner");
    form.set("races.0.cost", "0");
    form.set("races.0.createdBy", "somebody else");
    form.set("created_by", "somebody else");
    expect(Object.keys(readBatchForm(form).races[0] ?? {})).not.toContain("cost");
    expect(readBatchForm(form).races).toEqual([{ ...blankRace(null), horseName: "Dune Runner" }]);
  });

  test("returns the batch when it is valid", () => {
    expect(validateBatch(draft())).toMatchObject({
      ok: true,
      batch: { venueId: VENUE, races: [{ raceNumber: 1, horseNumber: 7, raceTime: null }, {}] },
    });
  });

  test.each(["1405", "14:05", "14h05", " 14.05 "])("accepts %j as an off time", (raceTime) => {
    expect(validateBatch(draft({ races: [race(1, { raceTime })] }))).toMatchObject({
      ok: true,
      batch: { races: [{ raceTime: "14:05" }] },
    });
  });

  test.each<[string, Partial<BatchDraft>]>([
    ["no venue", { venueId: "" }],
    ["no race date", { raceDate: "" }],
    ["a race date that is none", { raceDate: "2026-02-30" }],
  ])("asks for venue and race date when it has %s", (_what, wrong) => {
    expect(messagesOf(draft(wrong))).toEqual(["Please select a venue and race date."]);
  });

  test.each([
    ["horseNumber", "horse number"],
    ["horseName", "horse name"],
    ["tipType", "tip type"],
    ["confidence", "confidence"],
    ["analysis", "analysis"],
  ] as const)("asks to fill in all fields and marks the empty field %s", (field, name) => {
    const answer = validateBatch(draft({ races: [race(1), race(2, { [field]: "" })] }));
    expect(answer.ok || answer.problems).toMatchObject({
      messages: ["Please fill in all fields for each race."],
      races: [{}, { [field]: `Please enter the ${name}` }],
    });
  });

  test("refuses a date outside the publishing range", () => {
    const raceDate = "2026-11-21";
    const messages = (today: string, lastDay: string) => {
      const answer = validateBatch(draft({ raceDate }), [], { today, lastDay });
      return answer.ok ? [] : [answer.problems.raceDate, ...answer.problems.messages];
    };
    const over = "That date has passed. You can publish tips for today and up to 14 days ahead.";
    const far =
      "That date is too far ahead. You can publish tips for today and up to 14 days ahead.";
    expect(messages("2026-11-22", "2026-12-06")).toEqual([over, over]);
    expect(messages("2026-11-06", "2026-11-20")).toEqual([far, far]);
    expect(messages("2026-11-21", "2026-12-05")).toEqual([]);
    expect(messages("2026-11-07", "2026-11-21")).toEqual([]);
  });

  test("reports a duplicate race number", () => {
    const answer = validateBatch(draft({ races: [race(4), race(4)] }));
    const message = "Race 4 is already selected. Please choose a different race number.";
    expect(answer.ok || answer.problems).toMatchObject({
      messages: [message],
      races: [{}, { raceNumber: message }],
    });
  });

  test("reports a race number that is already on the card", () => {
    expect(messagesOf(draft(), [2])).toEqual([
      "Race 2 is already selected. Please choose a different race number.",
    ]);
  });

  test("requires between one and twelve races", () => {
    expect(messagesOf(draft({ races: [] }))).toEqual(["Please add at least one race."]);
    const thirteen = Array.from({ length: 13 }, (_, index) => race(Math.min(index + 1, 12)));
    expect(messagesOf(draft({ races: thirteen }))).toContain(
      "You can publish at most 12 races at once.",
    );
  });

  test.each([
    [{ horseNumber: "0" }, "Horse number must be from 1 to 30."],
    [{ horseNumber: "31" }, "Horse number must be from 1 to 30."],
    [{ horseNumber: "2.5" }, "Horse number must be from 1 to 30."],
    [{ raceNumber: "13" }, "Race number must be from 1 to 12."],
    [{ raceTime: "25:00" }, "Off time must be in 24 hours, such as 14:05."],
    [{ raceTime: "2:05 pm" }, "Off time must be in 24 hours, such as 14:05."],
  ])("refuses %j", (wrong, message) => {
    expect(messagesOf(draft({ races: [race(1, wrong)] }))).toEqual([message]);
  });
});

test("withTypedValues copies only values typed before hydration into the draft", () => {
  const start = draft({ venueId: "", races: [blankRace(1)] });
  const kept = draft({ venueId: "", races: [race(4), race(5)] });
  const typed = draft({ races: [{ ...blankRace(1), horseName: "Quick Fingers" }] });
  expect(withTypedValues(start, start)(kept)).toBe(kept);
  expect(withTypedValues(start, typed)(kept)).toEqual(
    draft({ races: [race(4, { horseName: "Quick Fingers" }), race(5)] }),
  );
});

test("withRaceField changes one field and keeps the others", () => {
  const before = draft({ races: [race(1), race(2)] });
  const after = withRaceField(
    withRaceField(before, 1, "horseName", "Second"),
    1,
    "analysis",
    "Why",
  );
  expect(after).toEqual(
    draft({ races: [race(1), race(2, { horseName: "Second", analysis: "Why" })] }),
  );
});

test("isBlankRace is true only for a race with nothing but its number", () => {
  expect(isBlankRace(blankRace(3))).toBe(true);
  for (const field of RACE_FIELDS)
    expect(isBlankRace({ ...blankRace(3), [field]: "x" }), field).toBe(field === "raceNumber");
});

test("racesWithHorses lists each race with its horse", () => {
  expect(
    racesWithHorses([race(2, { horseName: " Dune Runner " }), race(1, { horseNumber: "12" })]),
  ).toBe("race 1, no. 12 Dune Runner; race 2, no. 7 Dune Runner");
});
