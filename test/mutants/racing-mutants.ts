import type { Mutant } from "./mutant.ts";

const IMPORT_TEST = "src/racing/import/import-race-days.test.ts";

const save = {
  area: "racing",
  file: "src/racing/save-race-day.server.ts",
} as const;
const importFile = {
  area: "racing",
  file: "src/racing/import/import-race-days.server.ts",
  tests: [IMPORT_TEST],
} as const;

const confirmResult = {
  area: "racing",
  file: "src/racing/results/confirm-race-result.server.ts",
  tests: ["src/racing/results/race-results.test.ts"],
} as const;

const enterTip = {
  area: "tips",
  file: "src/tips/enter-tip-result.server.ts",
  tests: ["src/sales/result-authors.test.ts"],
} as const;

const planResults = {
  area: "racing",
  file: "src/racing/import/plan-results.server.ts",
  tests: ["src/racing/import/import-results.test.ts"],
} as const;

const publish = {
  area: "tips",
  file: "src/tips/publishing/publish-batch.server.ts",
  tests: ["src/tips/publishing/declared-runners.test.ts"],
} as const;

export const RACING_MUTANTS: Mutant[] = [
  {
    ...save,
    name: "deletes and inserts every race of a saved race day",
    find: "filter(({ raceNumber }) => !reported.has(raceNumber))",
    replace: "filter(({ raceNumber }) => raceNumber > 0)",
    tests: ["src/racing/race-days.test.ts", "src/racing/runners.test.ts"],
  },
  {
    ...save,
    name: "overwrites the time of a scratching",
    find: "else coalesce(${runners.scratchedAt}, excluded.scratched_at) end",
    replace: "else excluded.scratched_at end",
    tests: ["src/racing/runners.test.ts"],
  },
  {
    area: "racing",
    file: "src/racing/merge-race-days.ts",
    name: "overwrites what another admin saved when nothing is chosen",
    find: "if (!choice) conflicts.set(name, conflict);",
    replace: 'if (choice !== "mine") return own;',
    tests: ["src/racing/race-days.test.ts"],
  },
  {
    ...importFile,
    name: "imports other changes than the preview",
    find: "if (preview.digest !== digest) return",
    replace: "if (preview.digest === file.meetings.join()) return",
  },
  {
    ...importFile,
    name: "reinstates a scratched horse whose status is empty",
    find: "isScratched: file?.isScratched ?? kept?.isScratched ?? false",
    replace: "isScratched: file?.isScratched ?? false",
  },
  {
    area: "racing",
    file: "src/racing/import/parse-race-day-file.server.ts",
    name: "imports formulas",
    find: "FORMULA_START.test(cell)",
    replace: "FORMULA_START.test(cell.slice(80))",
    tests: [IMPORT_TEST],
  },
  {
    ...planResults,
    name: "compares an unconfirmed result with the file of another admin",
    find: 'if (unconfirmed && !isOwn && unconfirmed.status !== "unofficial")',
    replace: "if (unconfirmed && !isOwn && contradicts(result, unconfirmed))",
  },
  {
    ...planResults,
    name: "ignores a result that contradicts the official one",
    find: "return contradicts(result, official)",
    replace: "return !after",
  },
  {
    ...planResults,
    name: "declares another horse than the official result names",
    find: "!isSameHorseName(horseName, named, namesBut(number))",
    replace: "!isSameHorseName(horseName, horseName, namesBut(number))",
  },
  {
    ...planResults,
    name: "accepts a result of another horse with the number",
    find: "foldHorseName(declared.horseName) !== foldHorseName(horseName)",
    replace: 'foldHorseName(declared.horseName) === ""',
  },
  {
    area: "racing",
    sqlFunction: "apply_changed_off_times",
    name: "ignores a changed off time",
    find: "where n.off_at is distinct from o.off_at",
    replace: "where n.off_at is null",
    tests: ["src/sales/race-card-offers.test.ts", "src/tips/lateness.test.ts"],
  },
  {
    ...publish,
    name: "accepts a horse with the number of another runner",
    find: "runner && isSameHorseName(horseName, runner.horseName, others) ? runner : undefined",
    replace: "runner && others ? runner : undefined",
  },
  {
    ...publish,
    name: "accepts a scratched runner",
    find: "else if (runner.isScratched) scratched",
    replace: "else if (runner.number < 0) scratched",
  },
  {
    area: "tips",
    sqlFunction: "require_declared_runner",
    name: "the database accepts a scratched runner",
    find: "and u.horse_key = horse_key(t.horse_name) and u.scratched_at is null",
    replace: "and u.horse_key = horse_key(t.horse_name)",
    tests: ["src/tips/publishing/declared-runners.test.ts"],
  },
  {
    area: "racing",
    sqlFunction: "lock_races",
    name: "publishes a tip without waiting for a scratching",
    find: "order by r.race_number for share;",
    replace: "order by r.race_number;",
    tests: ["src/tips/publishing/declared-runners.test.ts"],
  },
  {
    area: "racing",
    name: "finds no change in a correction that swaps the names of two horses",
    file: "src/racing/results/enter-race-result.server.ts",
    find: "        runner.horseName,\n",
    replace: "",
    tests: ["src/racing/results/race-results.test.ts"],
  },
  {
    area: "racing",
    name: "accepts a placed horse without a name where no runners are declared",
    file: "src/racing/results/enter-race-result.server.ts",
    find: "position <= countNamedPositions(placesPaid) && horseName === null",
    replace: "position > 30 && horseName === null",
    tests: ["src/racing/results/race-results.test.ts"],
  },
  {
    ...confirmResult,
    name: "confirms a result whose names the second admin entered differently",
    find: "...findDifferentNames(first, second),",
    replace: "",
  },
  {
    ...confirmResult,
    name: "confirms entered names after runners were declared",
    find: "return declared.length > 0 || !result.hasEnteredNames;",
    replace: "return !result.hasEnteredNames;",
  },
  {
    ...confirmResult,
    name: "confirms a result without names where no runners are declared",
    find: "return declared.length > 0 || !result.hasEnteredNames;",
    replace: "return declared.length > 0;",
  },
  {
    ...confirmResult,
    name: "lets the admin who entered a result confirm it",
    file: "src/racing/results/result-authors.server.ts",
    find: "result.enteredBy === actorId && !isOnePerson",
    replace: "result.enteredBy === actorId && isOnePerson",
  },
  {
    ...confirmResult,
    name: "confirms a result that the second admin entered differently",
    find: "if (differences.length === 0) return",
    replace: "if (differences.length < 9) return",
  },
  {
    ...confirmResult,
    name: "confirms a result after one of its runners was scratched",
    find: 'if (await haveRunnersChanged(tx, race?.runners ?? [], result)) return "runners-changed";',
    replace: "",
  },
  {
    ...confirmResult,
    name: "confirms a result after the surface of its race changed",
    find: '=== result.surface ? null : "surface-changed"',
    replace: "=== result.surface ? null : null",
  },
  {
    ...confirmResult,
    name: "takes the non-runners from the first entry alone",
    find: '["Non-runners", sort(entry.nonRunners).join(" ")],',
    replace: "",
  },
  {
    ...confirmResult,
    name: "compares the first three positions alone",
    find: "countNamedPositions(Math.max(countPlaces(first), countPlaces(second)))",
    replace: "3",
  },
  {
    ...confirmResult,
    name: "lets an admin with tips in the race enter and confirm its result",
    file: "src/racing/results/result-authors.server.ts",
    tests: ["src/sales/result-authors.test.ts"],
    find: 'if (!ids.includes(actorId)) return "has-tips";',
    replace: "",
  },
  {
    area: "racing",
    sqlFunction: "list_result_authors",
    name: "lets the only admin without tips and one with tips enter results together",
    find: "where not a.has_tips or i.admins = 0",
    replace: "where not a.has_tips or i.admins < 2",
    tests: ["src/sales/result-authors.test.ts"],
  },
  {
    area: "racing",
    sqlFunction: "list_result_authors",
    name: "does not mark the result of the only admin without tips",
    find: "i.admins < 2",
    replace: "i.admins < 1",
    tests: ["src/sales/result-authors.test.ts"],
  },
  {
    area: "racing",
    sqlFunction: "require_result_authors",
    name: "does not mark a result without a known first author",
    find: "or new.entered_by is null",
    replace: "",
    tests: ["src/racing/import/import-results.test.ts"],
  },
  {
    area: "racing",
    sqlFunction: "require_result_authors",
    name: "does not mark a result whose first author has tips",
    find: "or has_tips_in_races(new.entered_by, v_venue, v_race_date, v_races)",
    replace: "",
    tests: ["src/sales/result-authors.test.ts"],
  },
  {
    ...enterTip,
    name: "lets an admin enter the result of a race in which they have tips",
    find: "and a.user_id = ${actorId}::uuid",
    replace: "and ${actorId}::uuid is not null",
  },
  {
    ...enterTip,
    name: "lets one of two admins set the result of a tip alone",
    find: "if (waiting.enteredBy === author.id && !author.isOnePerson)",
    replace: "if (waiting.enteredBy === author.id && author.isOnePerson)",
  },
  {
    ...enterTip,
    name: "sets the result of the first admin when the second entered another",
    find: "if (waiting && !isOwn && waiting.result !== result)",
    replace: "if (waiting && isOwn && waiting.result !== result)",
  },
  {
    ...enterTip,
    name: "tells the other admin the result in the audit log",
    find: "details: { reason },",
    replace: "details: { reason, result },",
  },
  {
    ...enterTip,
    name: "discards a confirmed result of a tip",
    find: ".where(and(eq(tipResults.id, id), isNull(tipResults.confirmedAt)))",
    replace: ".where(eq(tipResults.id, id))",
  },
  {
    ...enterTip,
    name: "keeps an unconfirmed result of a tip with an official result",
    find: ".where(and(inArray(tipResults.tipId, tipIds), isNull(tipResults.confirmedAt)));",
    replace: '.where(and(eq(tipResults.id, tipIds[0] ?? ""), isNull(tipResults.confirmedAt)));',
  },
  {
    ...confirmResult,
    name: "confirms as a non-runner a horse that was reinstated",
    find: "? reported.has(number) :",
    replace: "? reported.has(-1) :",
  },
  {
    ...confirmResult,
    name: "refuses every declared runner that was entered as a non-runner",
    find: "gt(runners.reportedAt, enteredAt),",
    replace: "",
  },
  {
    area: "racing",
    sqlFunction: "require_result_authors",
    name: "the database lets one of two admins confirm a result alone",
    find: "and new.is_entered_by_one_person and v_is_one_person is not true",
    replace: "and false",
    tests: ["src/racing/results/race-results.test.ts"],
  },
  {
    area: "racing",
    sqlFunction: "require_unconfirmed_result",
    name: "the database deletes runners of a confirmed result",
    find: "and r.confirmed_at is null for share",
    replace: "for share",
    tests: ["src/racing/results/race-results.test.ts"],
  },
  {
    area: "racing",
    file: "src/racing/admin/enter-race-result-form.server.ts",
    tests: ["src/racing/admin/enter-race-result-form.test.ts", "src/sales/race-results.test.ts"],
    name: "gives prices to the horse at their row, not to theirs",
    find: "Number(readField(form, `horse-${index + 1}`)) || finishers[index]?.number",
    replace: "finishers[index]?.number",
  },
  {
    area: "racing",
    file: "src/racing/results/race-result.input.ts",
    tests: ["src/racing/admin/enter-race-result-form.test.ts"],
    name: "accepts a place dividend of a horse without a place",
    find: "runner.placeDividendCents !== null && runner.position === null",
    replace: "runner.position === undefined",
  },
];
