import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import type { Surface } from "#domain/race-day.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeAdmin } from "#test/factories.ts";
import { type RunnerInput, raceDayInput } from "../race-day.input.ts";
import { saveRaceDay } from "../save-race-day.server.ts";
import {
  compareRaceResult,
  confirmRaceResult,
  type SecondEntry,
  toSecondEntry,
} from "./confirm-race-result.server.ts";
import { discardRaceResult } from "./discard-race-result.server.ts";
import { enterRaceResult } from "./enter-race-result.server.ts";
import { raceResultInput } from "./race-result.input.ts";
import { raceResultSteps } from "./race-result-steps.server.ts";
import {
  type RaceReference,
  readOfficialResults,
  readResultVersions,
} from "./read-results.server.ts";

// Results are not deleted, so each test uses a separate day.
let raceDate = "2027-01-01";
beforeEach(() => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "20:00"));
});
afterEach(() => freezeClock(null));

const HORSES = [
  "Harbour Light",
  "Sea Mist",
  "Late Entry",
  "Cold Front",
  "Red Kite",
  "Old Song",
  "Tin Roof",
  "Blue Gum",
];
const EIGHT: RunnerInput[] = HORSES.map((horseName, index) => ({
  number: index + 1,
  horseName,
  jockey: null,
  trainer: null,
  draw: null,
  isScratched: false,
}));

async function declareRace(
  runners: RunnerInput[] = EIGHT,
  { raceNumber = 3, venueSlug = "kenilworth", surface = null as Surface | null } = {},
): Promise<RaceReference> {
  const venue = await findTestVenue(venueSlug);
  const report = v.parse(raceDayInput, {
    venueId: venue.id,
    raceDate,
    source: "Track office",
    races: [{ raceNumber, time: "13:02", surface, runners }],
  });
  expect(await saveRaceDay(null, report)).toMatchObject({ ok: true });
  return { venueId: venue.id, raceDate, raceNumber };
}

const runner = (number: number, changes: Record<string, unknown> = {}) => ({
  number,
  outcome: "finished",
  position: null,
  startingPrice: null,
  winDividendCents: null,
  placeDividendCents: null,
  ...changes,
});
const placed = (...numbers: number[]) =>
  numbers.map((number, index) => runner(number, { position: index + 1 }));

/** The placed horses of a race without declared runners, by number and name. */
const NAMED = [4, 1, 7].map((number, index) =>
  runner(number, { position: index + 1, horseName: HORSES[number - 1] }),
);

const createInput = (changes: Record<string, unknown> = {}) =>
  v.parse(raceResultInput, {
    status: "official",
    time: "13:05",
    starters: null,
    placesPaid: null,
    source: "NHA",
    sourceUrl: "https://nha.example/results",
    runners: placed(4, 1, 7),
    ...changes,
  });

const SECOND = { status: "official", positions: [[4], [1], [7]] } as const;
const FORM = { via: "form" } as const;

async function enter(actorId: string, race: RaceReference, changes = {}, options = {}) {
  const entered = await enterRaceResult(actorId, race, createInput(changes), {
    ...FORM,
    ...options,
  });
  if (!entered.ok) throw new Error(JSON.stringify(entered));
  return entered.result;
}

/** Confirms a result with the values of its newest version, except for the given ones. */
async function confirm(
  actorId: string,
  race: RaceReference,
  resultId: string,
  values: Partial<SecondEntry> = SECOND,
) {
  const [newest] = await readResultVersions(race);
  const second = { ...NOTHING, ...(newest ? toSecondEntry(newest) : {}), ...values };
  return await confirmRaceResult(actorId, race, { resultId, second });
}
const NOTHING: SecondEntry = {
  ...{ status: "official", off: null, starters: null, placesPaid: null, surface: null },
  ...{ nonRunners: [], positions: [], names: [] },
};

async function readAuditActions(race: RaceReference) {
  const { rows } = await pool().query(
    "select action, actor_id from audit_entries where subject = $1 order by id",
    [`${race.venueId} ${race.raceDate} ${race.raceNumber}`],
  );
  return rows.map((row) => [row.action, row.actor_id]);
}

describe("entering a race result", () => {
  it("stores every declared runner with positions, prices and dividends, unconfirmed", async () => {
    const admin = await makeAdmin();
    const race = await declareRace(
      EIGHT.map((each) => ({ ...each, isScratched: each.number === 8 })),
    );
    const result = await enter(admin.id, race, {
      runners: [
        runner(4, {
          position: 1,
          startingPrice: { numerator: 5, denominator: 1 },
          winDividendCents: 640,
          placeDividendCents: 190,
        }),
        ...placed(1, 7, 2).map((each) => ({ ...each, position: Number(each.position) + 1 })),
        runner(3, { outcome: "did-not-finish" }),
        runner(5, { outcome: "disqualified" }),
      ],
    });
    expect(result).toMatchObject({
      version: 1,
      status: "official",
      offAt: instantAt(raceDate, "13:05"),
      starters: 7,
      placesPaid: 2,
      source: "NHA",
      sourceUrl: "https://nha.example/results",
      via: "form",
      enteredBy: admin.id,
      confirmedBy: null,
    });
    const [stored] = await readResultVersions(race);
    expect(stored).toEqual(result);
    expect(
      stored?.runners.map(({ number, horseName, outcome, position }) => [
        number,
        horseName,
        outcome,
        position,
      ]),
    ).toEqual([
      [4, "Cold Front", "finished", 1],
      [1, "Harbour Light", "finished", 2],
      [7, "Tin Roof", "finished", 3],
      [2, "Sea Mist", "finished", 4],
      [3, "Late Entry", "did-not-finish", null],
      [5, "Red Kite", "disqualified", null],
      [6, "Old Song", "finished", null],
      [8, "Blue Gum", "non-runner", null],
    ]);
    expect(stored?.runners[0]).toMatchObject({
      startingPrice: { numerator: 5, denominator: 1 },
      winDividendCents: 640,
      placeDividendCents: 190,
    });
    expect(await readOfficialResults(race)).toEqual([]);
    expect(await readAuditActions(race)).toEqual([["enter-race-result", admin.id]]);
  });

  it("uses the reported off time and the standard number of places when they are omitted", async () => {
    const race = await declareRace();
    const result = await enter((await makeAdmin()).id, race, { time: null });
    expect(result).toMatchObject({
      offAt: instantAt(raceDate, "13:02"),
      starters: 8,
      placesPaid: 3,
    });
  });

  it("changes nothing when the same admin sends it twice", async () => {
    const admin = await makeAdmin();
    const race = await declareRace();
    const results = await Promise.all([enter(admin.id, race), enter(admin.id, race)]);
    expect(results[0]?.id).toBe(results[1]?.id);
    expect(await readResultVersions(race)).toHaveLength(1);
    expect(await readAuditActions(race)).toHaveLength(1);
  });

  it("stores one of two results that arrive at the same time, and returns it to the other admin", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const results = await Promise.all([
      enterRaceResult(first.id, race, createInput(), FORM),
      enterRaceResult(second.id, race, createInput(), FORM),
    ]);
    const stored = results.find((result) => result.ok);
    const refused = results.find((result) => !result.ok);
    expect(refused).toMatchObject({
      refusal: "unconfirmed",
      unconfirmed: { id: stored?.ok ? stored.result.id : "" },
    });
    expect(await readResultVersions(race)).toHaveLength(1);
  });

  it("replaces only the entry with the given id", async () => {
    const admin = await makeAdmin();
    const race = await declareRace();
    const first = await enter(admin.id, race);
    const changes = { runners: placed(4, 1, 2) };
    const second = await enter(admin.id, race, changes, { replaces: first.id });
    expect(second).toMatchObject({ version: 1 });
    expect(second.id).not.toBe(first.id);
    expect(
      await enterRaceResult(admin.id, race, createInput(), { ...FORM, replaces: first.id }),
    ).toMatchObject({ ok: false, refusal: "unconfirmed", unconfirmed: { id: second.id } });
    expect(await readResultVersions(race)).toEqual([second]);
  });

  it("accepts a race without declared runners with its number of starters", async () => {
    const admin = await makeAdmin();
    const race = await declareRace([]);
    const refused = await enterRaceResult(admin.id, race, createInput(), FORM);
    expect(refused).toEqual({
      ok: false,
      refusal: "invalid",
      problems: ["Enter the number of starters"],
    });
    const result = await enter(admin.id, race, { starters: 12, runners: NAMED });
    expect(result).toMatchObject({ starters: 12, placesPaid: 3, hasEnteredNames: true });
    expect(result.runners).toHaveLength(3);
    expect(result.runners[0]).toMatchObject({ number: 4, horseName: HORSES[3] });
  });

  it("needs the names of the placed horses where no runners are declared", async () => {
    const admin = await makeAdmin();
    const race = await declareRace([]);
    const enterNames = async (starters: number, names: Record<number, string>, placesPaid = null) =>
      await enterRaceResult(
        admin.id,
        race,
        createInput({
          ...{ starters, placesPaid },
          runners: placed(4, 1, 7, 2).map((each) => ({ ...each, horseName: names[each.number] })),
        }),
        FORM,
      );
    const missing = (...numbers: number[]) => ({ ok: false, refusal: "names-missing", numbers });
    expect(await enterNames(16, {})).toEqual(missing(4, 1, 7, 2));
    expect(await enterNames(8, { 4: "Cold Front", 2: "Sea Mist" })).toEqual(missing(1, 7));
    expect(await enterNames(5, { 1: "Harbour Light" })).toEqual(missing(4));
    expect(await enterNames(6, { 4: "Sea Mist", 1: "SEA-MIST" })).toEqual({
      ok: false,
      refusal: "invalid",
      problems: ["Horses 4 and 1 have the same name"],
    });
    expect(await readResultVersions(race)).toEqual([]);
    const twins = { 4: "Sea Mist (SAF)", 1: "Sea Mist (IRE)" };
    expect(await enterNames(6, twins)).toMatchObject({ ok: true });
  });

  it.each([
    ["x".repeat(61), "Horse must be at most 60 characters long"],
    ["x".repeat(100), "Horse must be at most 60 characters long"],
    ["???", "Horse must contain letters or digits"],
    ["(SAF)", "Horse must contain letters or digits"],
    ["=Sea Mist", "Horse must not start with =, +, - or @"],
  ])("refuses the name %s", (horseName, message) => {
    const parsed = v.safeParse(raceResultInput, {
      ...createInput(),
      runners: [runner(4, { position: 1, horseName })],
    });
    expect(parsed.issues?.map((issue) => issue.message)).toEqual([message]);
  });

  it("accepts a name of 60 characters, with an accent and an apostrophe", () => {
    for (const horseName of ["x".repeat(60), "L’Étoile d'Or (SAF)"])
      expect(createInput({ runners: [runner(4, { position: 1, horseName })] })).toMatchObject({
        runners: [{ horseName }],
      });
  });

  it("is refused when a name is not that of the declared runner with the number", async () => {
    const admin = await makeAdmin();
    const race = await declareRace();
    const [winner, ...others] = NAMED;
    const input = createInput({ runners: [{ ...winner, horseName: "Red Kite" }, ...others] });
    expect(await enterRaceResult(admin.id, race, input, FORM)).toEqual({
      ok: false,
      refusal: "invalid",
      problems: ["Horse 4 is declared as Cold Front, not Red Kite"],
    });
    const misspelt = { runners: [{ ...winner, horseName: "cold frnt (SAF)" }, ...others] };
    expect(await enter(admin.id, race, misspelt)).toMatchObject({
      hasEnteredNames: false,
      runners: [{ horseName: "Cold Front" }, {}, {}, {}, {}, {}, {}, {}],
    });
  });

  it("accepts a win dividend for each horse of a dead heat for first", () => {
    const runners = [4, 1].map((number) => runner(number, { position: 1, winDividendCents: 320 }));
    expect(createInput({ runners }).runners).toMatchObject(runners);
  });

  it("accepts a dead heat in a field of three", async () => {
    const admin = await makeAdmin();
    const race = await declareRace(EIGHT.slice(0, 3));
    const result = await enter(admin.id, race, {
      runners: [
        runner(1, { position: 1 }),
        runner(2, { position: 1 }),
        runner(3, { outcome: "did-not-finish" }),
      ],
    });
    expect(result).toMatchObject({ starters: 3, placesPaid: 0 });
  });

  it.each([
    [{ runners: [] }, "Enter the winner"],
    [{ runners: placed(4, 1) }, "Enter at least the first 3"],
    [{ runners: placed(4, 1, 7), placesPaid: 4 }, "Enter at least the first 4"],
    [{ runners: placed(4, 1, 9) }, "Horse 9 is not declared"],
    [{ starters: 7 }, "7 starters were entered, but 8 declared horses ran"],
    [{ time: "20:30" }, "The off time is in the future"],
    [
      { runners: EIGHT.map(({ number }) => runner(number, { outcome: "non-runner" })) },
      "No horse started. Enter the race as abandoned or void",
    ],
  ])("is refused for %j", async (changes, problem) => {
    const race = await declareRace();
    const input = createInput(changes);
    expect(await enterRaceResult((await makeAdmin()).id, race, input, FORM)).toEqual({
      ok: false,
      refusal: "invalid",
      problems: [problem],
    });
    expect(await readResultVersions(race)).toEqual([]);
  });

  it("is refused for a scratched horse, an unknown race, and before the off", async () => {
    const admin = await makeAdmin();
    const race = await declareRace(
      EIGHT.map((each) => ({ ...each, isScratched: each.number === 4 })),
    );
    expect(await enterRaceResult(admin.id, race, createInput(), FORM)).toEqual({
      ok: false,
      refusal: "invalid",
      problems: ["Horse 4, Cold Front, is scratched. Reinstate it on the race day first"],
    });
    expect(
      await enterRaceResult(admin.id, { ...race, raceNumber: 4 }, createInput(), FORM),
    ).toEqual({ ok: false, refusal: "unknown-race" });
    freezeClock(instantAt(raceDate, "13:01"));
    expect(await enterRaceResult(admin.id, race, createInput(), FORM)).toEqual({
      ok: false,
      refusal: "too-early",
    });
    const abandoned = { status: "abandoned", time: null, runners: [] };
    expect(await enter(admin.id, race, abandoned)).toMatchObject({
      status: "abandoned",
      offAt: null,
      starters: null,
      placesPaid: 0,
      runners: [],
    });
  });

  it.each([
    [{ runners: [...placed(4), ...placed(4)] }, "Enter each horse only once"],
    [
      { runners: [runner(4, { position: 2 })] },
      "Positions must follow each other: after a dead heat of two for first comes third",
    ],
    [
      { runners: [runner(4, { position: 1, outcome: "disqualified" })] },
      "Only a horse that finished has a position",
    ],
    [
      { runners: [runner(4, { outcome: "non-runner", winDividendCents: 100 })] },
      "A non-runner has neither starting price nor dividends",
    ],
    [
      { runners: [runner(4, { position: 1 }), runner(1, { position: 2, winDividendCents: 640 })] },
      "Horse 1 did not win, so it has no win dividend",
    ],
    [
      { runners: [runner(7, { outcome: "disqualified", winDividendCents: 640 })] },
      "Horse 7 did not win, so it has no win dividend",
    ],
    [{ status: "abandoned" }, "An abandoned or void race has neither order nor places"],
    [{ sourceUrl: "javascript:alert(1)" }, "Link must be an address that starts with https://"],
    [{ source: " " }, "Enter the source"],
    [{ time: "25:00" }, "Off time must use the 24-hour clock, such as 14:05"],
    [{ placesPaid: 7 }, "Places paid must be from 0 to 6"],
  ])("is refused by the schema for %j", (changes, message) => {
    const valid = createInput();
    expect(v.safeParse(raceResultInput, { ...valid, ...changes }).issues?.[0]?.message).toBe(
      message,
    );
  });
});

describe("confirming a race result", () => {
  it("makes it official when another admin enters it again", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    const entry = { resultId: entered.id, second: toSecondEntry(entered) };
    expect(await compareRaceResult(second.id, race, entry)).toEqual({
      ok: true,
      result: entered,
      isOnePerson: false,
      effect: { tips: [], unchangedTips: 0, coins: 0, sales: 0, earningsCents: 0 },
    });
    const confirmed = await confirm(second.id, race, entered.id);
    expect(confirmed).toMatchObject({
      ok: true,
      isNew: true,
      result: { version: 1, confirmedBy: second.id, isEnteredByOnePerson: false },
    });
    expect(await readOfficialResults(race)).toEqual([confirmed.ok ? confirmed.result : null]);
    expect(await confirm(second.id, race, entered.id)).toMatchObject({ ok: true, isNew: false });
    expect(await readAuditActions(race)).toEqual([
      ["enter-race-result", first.id],
      ["confirm-race-result", second.id],
    ]);
  });

  it("stays unconfirmed if its settlement fails", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    vi.spyOn(raceResultSteps(), "settle").mockRejectedValueOnce(new Error("settlement failed"));
    await expect(confirm(second.id, race, entered.id)).rejects.toThrow("settlement failed");
    expect(await readOfficialResults(race)).toEqual([]);
    expect(await readAuditActions(race)).toEqual([["enter-race-result", first.id]]);
    expect(await confirm(second.id, race, entered.id)).toMatchObject({ ok: true, isNew: true });
  });

  it("is refused to the admin who entered it", async () => {
    const admin = await makeAdmin();
    await makeAdmin();
    const race = await declareRace();
    const entered = await enter(admin.id, race);
    expect(await confirm(admin.id, race, entered.id)).toEqual({ ok: false, refusal: "same-admin" });
  });

  it("names each difference, stores nothing, and audits the attempt", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    expect(
      await confirm(second.id, race, entered.id, {
        status: "official",
        positions: [[4], [1, 7], []],
      }),
    ).toEqual({
      ok: false,
      refusal: "different",
      differences: [
        { what: "Position 2", first: "1", second: "1=7" },
        { what: "Position 3", first: "7", second: "" },
      ],
    });
    expect(
      await confirm(second.id, race, entered.id, { status: "abandoned", positions: [] }),
    ).toEqual({
      ok: false,
      refusal: "different",
      differences: [{ what: "Status", first: "official", second: "abandoned" }],
    });
    expect(await readOfficialResults(race)).toEqual([]);
    expect((await readAuditActions(race)).slice(1)).toEqual([
      ["differ-on-race-result", second.id],
      ["differ-on-race-result", second.id],
    ]);
  });

  it.each<[string, Partial<SecondEntry>, { what: string; first: string; second: string }]>([
    ["the off", { off: "13:06" }, { what: "Off", first: "13:05", second: "13:06" }],
    ["the starters", { starters: 14 }, { what: "Starters", first: "15", second: "14" }],
    ["a non-runner", { nonRunners: [2, 3] }, { what: "Non-runners", first: "3", second: "2 3" }],
    ["no non-runner", { nonRunners: [] }, { what: "Non-runners", first: "3", second: "" }],
    ["the surface", { surface: "sand" }, { what: "Surface", first: "turf", second: "sand" }],
    ["the places paid", { placesPaid: 3 }, { what: "Places paid", first: "4", second: "3" }],
    [
      "the fourth place, which is paid",
      { positions: [[4], [1], [7], [6]] },
      { what: "Position 4", first: "5", second: "6" },
    ],
    [
      "a dead heat for the fourth place",
      { positions: [[4], [1], [7], [5, 6]] },
      { what: "Position 4", first: "5", second: "5=6" },
    ],
  ])("is refused if the second admin enters %s differently", async (_, values, difference) => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace([], { surface: "turf" });
    const entered = await enter(first.id, race, {
      ...{ starters: 15, placesPaid: 4 },
      runners: [
        ...NAMED,
        runner(5, { position: 4, horseName: HORSES[4] }),
        runner(3, { outcome: "non-runner" }),
      ],
    });
    expect(await confirm(second.id, race, entered.id, values)).toEqual({
      ok: false,
      refusal: "different",
      differences: [difference],
    });
    expect(await readOfficialResults(race)).toEqual([]);
    expect(await confirm(second.id, race, entered.id, {})).toMatchObject({ ok: true });
  });

  it("compares the names of the placed horses where no runners are declared", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace([]);
    const entered = await enter(first.id, race, { starters: 12, runners: NAMED });
    const names = (changes: Record<number, string>) => ({
      names: [4, 1, 7].map((number) => ({
        number,
        horseName: changes[number] ?? HORSES[number - 1] ?? "",
      })),
    });
    const differs = (number: number, horse: string, other: string) => ({
      ok: false,
      refusal: "different",
      differences: [{ what: `Name of horse ${number}`, first: horse, second: other }],
    });
    for (const other of ["Red Kite", "", "???"])
      expect(await confirm(second.id, race, entered.id, names({ 4: other }))).toEqual(
        differs(4, "Cold Front", other),
      );
    expect(await confirm(second.id, race, entered.id, { names: [] })).toMatchObject({
      differences: [{ what: "Name of horse 4" }, {}, {}],
    });
    // Nearer to the name of another placed horse.
    expect(await confirm(second.id, race, entered.id, names({ 7: "Cold Front" }))).toEqual(
      differs(7, "Tin Roof", "Cold Front"),
    );
    expect(await readOfficialResults(race)).toEqual([]);
    const misspelt = names({ 4: "COLD FRNT", 1: "Hàrbour Light (SAF)", 7: "Tin-Roof'" });
    expect(await confirm(second.id, race, entered.id, misspelt)).toMatchObject({ ok: true });
    expect(await readOfficialResults(race)).toMatchObject([
      { runners: NAMED.map(({ number }) => ({ number, horseName: HORSES[number - 1] })) },
    ]);
  });

  it("is refused once runners were declared after names were entered, even if they are equal", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace([]);
    const runners = [4, 1, 7].map((number) => EIGHT[number - 1]) as RunnerInput[];
    const entered = await enter(first.id, race, { starters: 3, runners: NAMED });
    await declareRace(runners);
    expect(await confirm(second.id, race, entered.id, {})).toEqual({
      ok: false,
      refusal: "runners-changed",
    });
  });

  it("is refused for an entry without names, from before they were entered", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace([]);
    const { id, raceDayId } = await enter(first.id, race, { starters: 8, runners: NAMED });
    // One implicit transaction, so that the triggers are enabled again if an update fails.
    await pool().query(
      `alter table race_results disable trigger user;
       alter table result_runners disable trigger user;
       update race_results set has_entered_names = false where id = '${id}';
       update result_runners set horse_name = null where race_day_id = '${raceDayId}';
       alter table result_runners enable trigger user;
       alter table race_results enable trigger user`,
    );
    expect(await confirm(second.id, race, id, {})).toEqual({
      ok: false,
      refusal: "runners-changed",
    });
  });

  it("compares the winner alone where no places are paid, and nothing behind the paid places", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race, { placesPaid: 0 });
    const winner = { placesPaid: 0, positions: [[4]] };
    expect(
      await confirm(second.id, race, entered.id, { ...winner, positions: [[1]] }),
    ).toMatchObject({ differences: [{ what: "Position 1" }] });
    expect(await confirm(second.id, race, entered.id, winner)).toMatchObject({ ok: true });
    const other = await declareRace(EIGHT, { venueSlug: "turffontein" });
    const { id } = await enter(first.id, other, { runners: placed(4, 1, 7, 2) });
    const four = { positions: [[4], [1], [7], [3]] };
    expect(await confirm(second.id, other, id, four)).toMatchObject({ ok: true });
  });

  it("is refused once the reported surface changed after the entry", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace(EIGHT, { surface: "turf" });
    const refused = await enterRaceResult(first.id, race, createInput({ surface: "sand" }), FORM);
    expect(refused).toEqual({ ok: false, refusal: "other-surface" });
    const entered = await enter(first.id, race, { surface: "turf" });
    await declareRace(EIGHT, { surface: "polytrack" });
    expect(await confirm(second.id, race, entered.id)).toEqual({
      ok: false,
      refusal: "surface-changed",
    });
  });

  it("accepts the horses of a dead heat in any order", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race, {
      runners: [runner(4, { position: 1 }), runner(1, { position: 1 }), runner(7, { position: 3 })],
    });
    const entry: Partial<SecondEntry> = { status: "official", positions: [[4, 1], [], [7]] };
    expect(await confirm(second.id, race, entered.id, entry)).toMatchObject({ ok: true });
  });

  it("is refused for an unofficial result, until it is entered as official", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race, { status: "unofficial" });
    const entry: Partial<SecondEntry> = { ...SECOND, status: "unofficial" };
    expect(await confirm(second.id, race, entered.id, entry)).toEqual({
      ok: false,
      refusal: "unofficial",
    });
    const official = await enter(first.id, race, {}, { replaces: entered.id });
    expect(await confirm(second.id, race, official.id)).toMatchObject({ ok: true });
  });

  it("is refused once a runner was scratched after the entry", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    await declareRace(EIGHT.map((each) => ({ ...each, isScratched: each.number === 2 })));
    expect(await confirm(second.id, race, entered.id)).toEqual({
      ok: false,
      refusal: "runners-changed",
    });
  });

  it.each([
    ["reinstated", [EIGHT]],
    ["left out and declared again", [EIGHT.filter(({ number }) => number !== 2), EIGHT]],
  ])("is refused once a scratched runner was %s after the entry", async (_, reports) => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const scratched = EIGHT.map((each) => ({ ...each, isScratched: each.number === 2 }));
    const race = await declareRace(scratched);
    const entered = await enter(first.id, race);
    freezeClock(instantAt(raceDate, "20:05"));
    for (const runners of reports) await declareRace(runners);
    expect(await confirm(second.id, race, entered.id)).toEqual({
      ok: false,
      refusal: "runners-changed",
    });
    const again = await enter(first.id, race, {}, { replaces: entered.id });
    expect(await confirm(second.id, race, again.id)).toMatchObject({
      ok: true,
      result: { starters: 8 },
    });
  });

  it("accepts a declared runner that was entered as a non-runner", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const runners = [...placed(4, 1, 7), runner(2, { outcome: "non-runner" })];
    const entered = await enter(first.id, race, { runners });
    freezeClock(instantAt(raceDate, "20:05"));
    await declareRace();
    expect(await confirm(second.id, race, entered.id)).toMatchObject({
      ok: true,
      result: { starters: 7 },
    });
  });

  it("is refused for an entry that was replaced, of another race, or unknown", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    const replaced = await enter(first.id, race, { source: "TAB" }, { replaces: entered.id });
    const otherRace = await declareRace(EIGHT, { venueSlug: "turffontein" });
    for (const [reference, id] of [
      [race, entered.id],
      [otherRace, replaced.id],
      [{ ...race, raceNumber: 9 }, replaced.id],
      [race, "unknown"],
    ] as const)
      expect(await confirm(second.id, reference, id)).toEqual({
        ok: false,
        refusal: "no-such-result",
      });
  });

  it("succeeds once when two admins confirm at the same time", async () => {
    const [first, second, third] = [await makeAdmin(), await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    const results = await Promise.all(
      [second, third].map(({ id }) => confirm(id, race, entered.id)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results.find((result) => !result.ok)).toEqual({ ok: false, refusal: "confirmed" });
    expect((await readAuditActions(race)).slice(1)).toHaveLength(1);
  });

  it("succeeds for two races at the same time", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const races = [await declareRace(), await declareRace(EIGHT, { venueSlug: "turffontein" })];
    const entered = await Promise.all(races.map((race) => enter(first.id, race)));
    const results = await Promise.all(
      races.map((race, index) => confirm(second.id, race, entered[index]?.id ?? "")),
    );
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it("records an abandoned race among the changes of its day", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const abandoned = { status: "abandoned", time: null, runners: [] };
    const entered = await enter(first.id, race, abandoned);
    const entry: Partial<SecondEntry> = { status: "abandoned", positions: [] };
    expect(await confirm(second.id, race, entered.id, entry)).toMatchObject({ ok: true });
    const { rows } = await pool().query(
      "select kind, actor_id from race_changes where race_day_id = $1 and race_number = $2",
      [entered.raceDayId, race.raceNumber],
    );
    expect(rows).toEqual([{ kind: "abandoned", actor_id: second.id }]);
  });
});

describe("correcting a confirmed race result", () => {
  it("adds a version with a reason that is official once another admin confirms it", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    await confirm(second.id, race, (await enter(first.id, race)).id);
    const correction = { runners: placed(1, 4, 7), reason: "The judge corrected the order." };
    const corrected = await enter(second.id, race, correction);
    expect(corrected).toMatchObject({ version: 2, reason: "The judge corrected the order." });
    expect(await readOfficialResults(race)).toMatchObject([{ version: 1 }]);
    const entry: Partial<SecondEntry> = { status: "official", positions: [[1], [4], [7]] };
    expect(await confirm(second.id, race, corrected.id, entry)).toMatchObject({
      refusal: "same-admin",
    });
    expect(await confirm(first.id, race, corrected.id, entry)).toMatchObject({ ok: true });
    expect(await readOfficialResults(race)).toMatchObject([{ version: 2 }]);
    expect(await readResultVersions(race)).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it("is refused without a reason, and when it changes nothing", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    await confirm(second.id, race, (await enter(first.id, race)).id);
    const correction = createInput({ runners: placed(1, 4, 7) });
    expect(await enterRaceResult(first.id, race, correction, FORM)).toEqual({
      ok: false,
      refusal: "reason-missing",
    });
    const same = createInput({ reason: "Checked again." });
    expect(await enterRaceResult(first.id, race, same, FORM)).toEqual({
      ok: false,
      refusal: "unchanged",
    });
    expect(await readResultVersions(race)).toHaveLength(1);
  });
});

describe("correcting a race result after its horses were renamed", () => {
  it("succeeds after the names of two numbers were swapped on the race day", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    await confirm(second.id, race, (await enter(first.id, race)).id);
    await declareRace(
      EIGHT.map((each) => {
        const other = { 1: HORSES[3], 4: HORSES[0] }[each.number];
        return other ? { ...each, horseName: other } : each;
      }),
    );
    const corrected = await enter(first.id, race, { reason: "Two names were swapped." });
    expect(corrected.version).toBe(2);
    expect(corrected.runners[0]).toMatchObject({ number: 4, horseName: HORSES[0], position: 1 });
  });

  it("changes the names of horses where no runners are declared", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace([]);
    const { id } = await enter(first.id, race, { status: "abandoned", time: null, runners: [] });
    await confirm(second.id, race, id, { status: "abandoned", positions: [] });
    const run = { starters: 8, runners: NAMED, reason: "It was run." };
    const entered = await enter(first.id, race, run);
    expect(await confirm(second.id, race, entered.id, {})).toMatchObject({ ok: true });
    const [winner, ...others] = NAMED;
    const renamed = { ...winner, horseName: "Cold Frond" };
    const corrected = await enter(first.id, race, {
      ...{ starters: 8, runners: [renamed, ...others], reason: "Misspelt." },
    });
    expect(corrected).toMatchObject({ version: 3, runners: [{ horseName: "Cold Frond" }, {}, {}] });
    expect(await confirm(second.id, race, corrected.id, {})).toMatchObject({ ok: true });
    await declareRace();
    const declared = await enter(second.id, race, { reason: "Declared since." });
    expect(declared).toMatchObject({ version: 4, hasEnteredNames: false });
  });
});

describe("discarding an unconfirmed race result", () => {
  it("deletes it once, so that it can be entered again under the same version number", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    const results = await Promise.all([
      discardRaceResult(second.id, race, entered.id),
      discardRaceResult(second.id, race, entered.id),
    ]);
    expect(results).toContainEqual({ ok: true });
    expect(results).toContainEqual({ ok: false, refusal: "no-such-result" });
    expect(await readResultVersions(race)).toEqual([]);
    expect(await enter(second.id, race)).toMatchObject({ version: 1 });
    expect(await readAuditActions(race)).toEqual([
      ["enter-race-result", first.id],
      ["discard-race-result", second.id],
      ["enter-race-result", second.id],
    ]);
  });

  it("is refused for a confirmed one, and for one of another race", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    const otherRace = await declareRace(EIGHT, { venueSlug: "turffontein" });
    expect(await discardRaceResult(second.id, otherRace, entered.id)).toMatchObject({
      refusal: "no-such-result",
    });
    await confirm(second.id, race, entered.id);
    expect(await discardRaceResult(second.id, race, entered.id)).toEqual({
      ok: false,
      refusal: "confirmed",
    });
  });
});

describe("a race with a result", () => {
  it("cannot be removed from its race day", async () => {
    const admin = await makeAdmin();
    const race = await declareRace([]);
    await enter(admin.id, race, { status: "abandoned", time: null, runners: [] });
    const report = v.parse(raceDayInput, {
      venueId: race.venueId,
      raceDate,
      source: "Track office",
      races: [],
    });
    expect(await saveRaceDay(admin.id, report)).toEqual({
      ok: false,
      refusal: "race-has-result",
      raceNumber: 3,
    });
  });
});

describe("the tables of race results", () => {
  it("refuse every change of a confirmed result and its runners", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const entered = await enter(first.id, race);
    await confirm(second.id, race, entered.id);
    const where = `where race_day_id = '${entered.raceDayId}'`;
    for (const [statement, message] of [
      [`update race_results set source = 'x' ${where}`, "a confirmed result cannot change"],
      [
        `update race_results set confirmed_at = null, confirmed_by = null ${where}`,
        "a confirmed result cannot change",
      ],
      [`delete from race_results ${where}`, "a confirmed result cannot change"],
      [`update result_runners set position = 1 ${where}`, "result_runners is append-only"],
      [`delete from result_runners ${where}`, "the runners of a confirmed result cannot change"],
      [
        `insert into result_runners (race_day_id, race_number, version, number, outcome)
         values ('${entered.raceDayId}', 3, 1, 20, 'finished')`,
        "the runners of a confirmed result cannot change",
      ],
      ["truncate race_results cascade", "is append-only: truncate refused"],
      ["truncate result_runners", "is append-only: truncate refused"],
    ] as const)
      await expect(pool().query(statement), statement).rejects.toThrow(message);
  });

  it("refuse confirmation by the person who entered the result, unless there is no other admin", async () => {
    const admin = await makeAdmin();
    await makeAdmin();
    const race = await declareRace();
    const { id } = await enter(admin.id, race);
    const update = `update race_results set confirmed_at = now(), confirmed_by = $2`;
    await expect(pool().query(`${update} where id = $1`, [id, admin.id])).rejects.toMatchObject({
      constraint: "race_results_two_people",
    });
    await expect(
      pool().query(`${update}, is_entered_by_one_person = true where id = $1`, [id, admin.id]),
    ).rejects.toThrow("a result must be confirmed by another admin");
    await expect(
      pool().query("update race_results set source = 'x' where id = $1", [id]),
    ).rejects.toThrow("a result can change only when it is confirmed");
  });

  it("refuse a person's result that is confirmed on insert", async () => {
    const [first, second] = [await makeAdmin(), await makeAdmin()];
    const race = await declareRace();
    const { raceDayId } = await enter(first.id, race);
    await pool().query(
      "insert into races (race_day_id, race_number, off_at) values ($1, 9, now())",
      [raceDayId],
    );
    const insert = (confirmedBy: string, isOnePerson: boolean) =>
      pool().query(
        `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via,
           entered_by, entered_at, confirmed_by, confirmed_at, is_entered_by_one_person)
         values ($1, 9, 1, 'void', 0, 'test', 'form', $2, now(), $3, now(), $4)`,
        [raceDayId, first.id, confirmedBy, isOnePerson],
      );
    for (const [confirmedBy, isOnePerson] of [
      [first.id, true],
      [second.id, false],
    ] as const)
      await expect(insert(confirmedBy, isOnePerson)).rejects.toThrow(
        "a result must be entered before it is confirmed",
      );
  });

  it("refuse a second unconfirmed version", async () => {
    const admin = await makeAdmin();
    const race = await declareRace();
    const { id } = await enter(admin.id, race);
    await expect(
      pool().query(
        `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via, entered_by, entered_at, reason)
         select race_day_id, race_number, 2, 'void', 0, source, via, entered_by, entered_at, 'x'
         from race_results where id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: "race_results_unconfirmed" });
  });
});

// Last, because it removes every other admin.
describe("the only admin", () => {
  it("confirms their own entry, which is marked as entered by one person", async () => {
    const admin = await makeAdmin();
    await pool().query("delete from user_roles where role = 'admin' and user_id <> $1", [admin.id]);
    const race = await declareRace();
    const entered = await enter(admin.id, race);
    expect(
      await confirm(admin.id, race, entered.id, { ...SECOND, positions: [[1], [4], [7]] }),
    ).toMatchObject({ refusal: "different" });
    expect(await confirm(admin.id, race, entered.id)).toMatchObject({
      ok: true,
      result: { isEnteredByOnePerson: true, enteredBy: admin.id, confirmedBy: admin.id },
    });
    expect(await readOfficialResults(race)).toMatchObject([{ isEnteredByOnePerson: true }]);
  });

  it("confirms an entry from the command line or a feed, which is marked", async () => {
    const admin = await makeAdmin();
    const race = await declareRace();
    for (const via of ["file", "feed"] as const) {
      const reason = via === "feed" ? "The feed differs." : "";
      const input = createInput({ source: via, reason });
      const entered = await enterRaceResult(null, race, input, { via });
      if (!entered.ok) throw new Error(entered.refusal);
      expect(await confirm(admin.id, race, entered.result.id)).toMatchObject({
        ok: true,
        result: { isEnteredByOnePerson: true, enteredBy: null },
      });
    }
  });
});
