import type { Fault } from "./fault.ts";

const GUARDS = "test/sql-guards.test.ts";
const PUBLISH = "src/tips/publishing/publish-batch.test.ts";
const MARKS = "src/tips/mark-results.test.ts";
const CORRECT = "src/tips/correct-result.test.ts";
const RANKINGS = "src/tips/read-rankings.test.ts";
const LATENESS = "src/tips/lateness.test.ts";
const BATCH = "src/domain/batch.test.ts";
const RECORD = "src/domain/track-record.test.ts";

const facts = { area: "tips", sqlFunction: "refuse_tip_change", tests: [GUARDS] } as const;
const publish = {
  area: "tips",
  file: "src/tips/publishing/publish-batch.server.ts",
  tests: [PUBLISH],
} as const;
const mark = { area: "tips", file: "src/tips/mark-results.server.ts", tests: [MARKS] } as const;
const correct = {
  area: "tips",
  file: "src/tips/correct-result.server.ts",
  tests: [CORRECT],
} as const;

export const TIPS_FAULTS: Fault[] = [
  {
    ...facts,
    name: "a published tip can become late, or stop being late",
    find: "if new.is_late <> old.is_late and new.is_late <> (",
    replace: "if false and new.is_late <> (",
  },
  {
    ...facts,
    name: "a published tip can name another horse",
    find: "new.horse_number, new.horse_name,",
    replace: "old.horse_number, old.horse_name,",
  },
  {
    area: "tips",
    sqlFunction: "apply_reported_off_times",
    name: "new off times leave the tallies as they were",
    find: "update creator_records set is_tallied = false where is_tallied and",
    replace: "update creator_records set is_tallied = false where not is_tallied and",
    tests: [GUARDS, RANKINGS],
  },
  {
    area: "tips",
    sqlFunction: "apply_reported_off_times",
    name: "an off that is reported later makes no tip late",
    find: "if v_tips is not null then perform update_lateness(v_tips); end if;",
    replace: "",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "is_late_tip",
    name: "for the database a tip at exactly the off counts",
    find: "p_published\n    >= coalesce(",
    replace: "p_published\n    > coalesce(",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "update_lateness",
    name: "a win that turns out late stays in the record",
    find: "settled = n.settled + d.settled, won = n.won + d.won",
    replace: "settled = n.settled + d.settled",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "update_user_counts",
    name: "a closed account still counts",
    find: "old.closed_at is null then v_change := -1",
    replace: "old.closed_at is null then v_change := 0",
    tests: ["src/identity/count-users.test.ts"],
  },
  {
    ...publish,
    name: "two batches of one creator are published side by side",
    find: '.for("no key update");',
    replace: ".limit(1);",
  },
  {
    ...publish,
    name: "a suspended creator publishes",
    find: 'if (creator.suspendedAt) return refuse({ refusal: "suspended" });',
    replace: "",
  },
  {
    ...publish,
    name: "a repeated batch key publishes again",
    find: "if (published) return { result: { ok: true, ...published }, isNew: false };",
    replace: "",
  },
  {
    ...publish,
    name: "publishing believes the off as given before the reported one",
    find: "isLate: isLateTip(raceDate, race.reportedOffAt, at),",
    replace: "isLate: isLateTip(raceDate, race.enteredOffAt ?? race.reportedOffAt, at),",
  },
  {
    ...publish,
    name: "a void card takes another race",
    find: "if (isVoid(existingTips) || (await readVoidRaceCards(tx, [raceCardId])).length > 0)",
    replace: "if (false)",
    tests: [PUBLISH, "src/sales/refund-void-race-card.test.ts", "src/sales/enter-result.test.ts"],
  },
  {
    ...publish,
    name: "published tips are not counted",
    find: "await addToRecord(tx, creatorId, { tips: races.length, settled: 0, won: 0 });",
    replace: "await addToRecord(tx, creatorId, { tips: 1, settled: 0, won: 0 });",
  },
  {
    ...mark,
    name: "creators settle tips of others",
    find: "found.filter((tip) => tip.creatorId === creatorId)",
    replace: "found.filter((tip) => tip.creatorId !== null)",
  },
  {
    ...mark,
    name: "a tip is settled only after its off, not at it",
    find: "at < settleableFrom(tip.raceDate, tip.offAt)",
    replace: "at <= settleableFrom(tip.raceDate, tip.offAt)",
  },
  {
    ...mark,
    name: "a settled tip is marked the other way",
    find: "(tip) => tip.result !== null && tip.result !== requested.get(tip.id)",
    replace: "() => false",
  },
  {
    ...mark,
    name: "late tips count as won",
    find: "contributionOf({ isLate: tip.isLate, result })",
    replace: "contributionOf({ isLate: false, result })",
  },
  {
    ...mark,
    name: "a suspended creator settles tips",
    find: "if (creator?.suspendedAt)",
    replace: "if (creator === undefined)",
  },
  {
    area: "tips",
    name: "tips are locked in no order",
    file: "src/tips/lock-tips.server.ts",
    find: ".orderBy(asc(tips.id))",
    replace: ".orderBy(sql`random()`)",
    tests: [MARKS, "src/sales/enter-result.test.ts"],
  },
  {
    ...correct,
    name: "a correction needs no reason",
    find: 'if (reason === "") return',
    replace: 'if (reason === "none") return',
  },
  {
    ...correct,
    name: "a corrected result counts twice",
    find: "won: after.won - before.won,",
    replace: "won: after.won,",
  },
  {
    ...correct,
    name: "a correction is not audited",
    find: 'action: "correct-result",',
    replace: 'act: "set-result",',
  },
  {
    ...correct,
    name: "a hidden race keeps a void card alive",
    find: "isNull(tips.hiddenAt),",
    replace: "",
    tests: [CORRECT, "src/sales/enter-result.test.ts"],
  },
  {
    area: "tips",
    name: "the last 30 days are 31",
    file: "src/tips/read-rankings.server.ts",
    find: "const LAST_DAYS = 30;",
    replace: "const LAST_DAYS = 31;",
    tests: [RANKINGS],
  },
  {
    area: "tips",
    name: "the last 30 days are 29",
    file: "src/tips/read-rankings.server.ts",
    find: "const LAST_DAYS = 30;",
    replace: "const LAST_DAYS = 29;",
    tests: [RANKINGS],
  },
  {
    area: "tips",
    name: "the leaderboard's last 30 days are 31",
    file: "src/leaderboard/ranking-filter.ts",
    find: "const LAST_DAYS = 30;",
    replace: "const LAST_DAYS = 31;",
    tests: ["src/leaderboard/ranking-filter.test.ts", RANKINGS],
  },
  {
    area: "domain",
    name: "a tip at exactly 11:00 counts",
    file: "src/domain/batch.ts",
    find: "publishedAt >= (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME))",
    replace: "publishedAt > (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME))",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "a race at exactly its off is published",
    file: "src/domain/batch.ts",
    find: "assumedOff(raceDate, race) <= at",
    replace: "assumedOff(raceDate, race) < at",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "tips are published fifteen days ahead",
    file: "src/domain/batch.ts",
    find: "raceDate > addDays(today, MAX_DAYS_AHEAD)",
    replace: "raceDate > addDays(today, MAX_DAYS_AHEAD + 1)",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "a level needs 21 settled tips",
    file: "src/domain/track-record.ts",
    find: "record.settled >= SETTLED_FOR_LEVEL",
    replace: "record.settled > SETTLED_FOR_LEVEL",
    tests: [RECORD],
  },
  {
    area: "domain",
    name: "80 % is not Expert",
    file: "src/domain/track-record.ts",
    find: "if (rate >= 80)",
    replace: "if (rate > 80)",
    tests: [RECORD],
  },
  {
    area: "domain",
    name: "a void tip is a tip",
    file: "src/domain/track-record.ts",
    find: 'if (tip.result === "void") return { tips: 0, settled: 0, won: 0 };',
    replace: 'if (tip.result === "void") return { tips: 1, settled: 0, won: 0 };',
    tests: [RECORD, CORRECT],
  },
  {
    area: "domain",
    name: "the odd hundredths are lost",
    file: "src/domain/shares.ts",
    find: "index < remainder ? share + 1 : share",
    replace: "index < remainder ? share : share",
    tests: ["src/sales/unlock-race-card.test.ts"],
  },
  {
    area: "domain",
    name: "midnight belongs to the day before",
    file: "src/domain/calendar.ts",
    find: "const OFFSET_MS = 2 * 60 * 60 * 1000;",
    replace: "const OFFSET_MS = 2 * 60 * 60 * 1000 - 1;",
    tests: ["src/domain/race-day.test.ts", BATCH, "src/domain/pay-day.test.ts", RANKINGS],
  },
  {
    area: "domain",
    name: "a cell that begins with a tab is run as a formula",
    file: "src/domain/csv.ts",
    find: "/^[=+\\-@\\t\\r]/",
    replace: "/^[=+\\-@]/",
    tests: ["src/domain/csv.test.ts"],
  },
];
