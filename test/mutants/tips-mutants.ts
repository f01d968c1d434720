import type { Mutant } from "./mutant.ts";

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

export const TIPS_MUTANTS: Mutant[] = [
  {
    ...facts,
    name: "allows changing whether a published tip is late",
    find: "if new.is_late <> old.is_late and new.is_late <> (",
    replace: "if false and new.is_late <> (",
  },
  {
    ...facts,
    name: "allows changing the horse of a published tip",
    find: "new.horse_number, new.horse_name,",
    replace: "old.horse_number, old.horse_name,",
  },
  {
    area: "tips",
    sqlFunction: "apply_reported_off_times",
    name: "does not update the tallies for new off times",
    find: "update creator_records set is_tallied = false where is_tallied and",
    replace: "update creator_records set is_tallied = false where not is_tallied and",
    tests: [GUARDS, RANKINGS],
  },
  {
    area: "tips",
    sqlFunction: "apply_reported_off_times",
    name: "does not mark tips as late for an off time reported later",
    find: "if v_tips is not null then perform update_lateness(v_tips); end if;",
    replace: "",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "is_late_tip",
    name: "the database counts a tip at exactly the off",
    find: "p_published\n    >= coalesce(",
    replace: "p_published\n    > coalesce(",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "update_lateness",
    name: "keeps a late win in the track record",
    find: "settled = n.settled + d.settled, won = n.won + d.won",
    replace: "settled = n.settled + d.settled",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    sqlFunction: "update_user_counts",
    name: "counts the tips of a closed account",
    find: "old.closed_at is null then v_change := -1",
    replace: "old.closed_at is null then v_change := 0",
    tests: ["src/identity/count-users.test.ts"],
  },
  {
    ...publish,
    name: "publishes two batches of one creator without a lock",
    find: '.for("no key update");',
    replace: ".limit(1);",
  },
  {
    ...publish,
    name: "lets a suspended creator publish",
    find: 'if (creator.suspendedAt) return refuse({ refusal: "suspended" });',
    replace: "",
  },
  {
    ...publish,
    name: "publishes twice for a repeated idempotency key",
    find: "if (published) return { result: { ok: true, ...published }, isNew: false };",
    replace: "",
  },
  {
    ...publish,
    name: "publishing uses the given off time instead of the reported one",
    find: "isLate: isLateTip(raceDate, race.reportedOffAt, at),",
    replace: "isLate: isLateTip(raceDate, race.enteredOffAt ?? race.reportedOffAt, at),",
  },
  {
    ...publish,
    name: "accepts another race for a void race card",
    find: "if (isVoid(existingTips) || (await readVoidRaceCards(tx, [raceCardId])).length > 0)",
    replace: "if (false)",
    tests: [PUBLISH, "src/sales/refund-void-race-card.test.ts", "src/sales/enter-result.test.ts"],
  },
  {
    ...publish,
    name: "does not count published tips",
    find: "await addToRecord(tx, creatorId, { tips: races.length, settled: 0, won: 0 });",
    replace: "await addToRecord(tx, creatorId, { tips: 1, settled: 0, won: 0 });",
  },
  {
    ...mark,
    name: "lets creators settle tips of other creators",
    find: "lockedTips.filter((tip) => tip.creatorId === creatorId)",
    replace: "lockedTips.filter((tip) => tip.creatorId !== null)",
  },
  {
    ...mark,
    name: "does not settle a tip at exactly its off",
    find: "at < settleableFrom(tip.raceDate, tip.offAt)",
    replace: "at <= settleableFrom(tip.raceDate, tip.offAt)",
  },
  {
    ...mark,
    name: "lets a creator change the result of a settled tip",
    find: "(tip) => tip.result !== null && tip.result !== requested.get(tip.id)",
    replace: "() => false",
  },
  {
    ...mark,
    name: "counts late tips as won",
    find: "computeContribution({ isLate: tip.isLate, result })",
    replace: "computeContribution({ isLate: false, result })",
  },
  {
    ...mark,
    name: "lets a suspended creator settle tips",
    find: "if (creator?.suspendedAt)",
    replace: "if (creator === undefined)",
  },
  {
    area: "tips",
    name: "locks tips without an order",
    file: "src/tips/lock-tips.server.ts",
    find: ".orderBy(asc(tips.id))",
    replace: ".orderBy(sql`random()`)",
    tests: [MARKS, "src/sales/enter-result.test.ts"],
  },
  {
    ...correct,
    name: "accepts a correction without a reason",
    find: 'if (reason === "") return',
    replace: 'if (reason === "none") return',
  },
  {
    ...correct,
    name: "counts a corrected result twice",
    find: "won: after.won - before.won,",
    replace: "won: after.won,",
  },
  {
    ...correct,
    name: "does not audit a correction",
    find: 'action: "correct-result",',
    replace: 'act: "set-result",',
  },
  {
    ...correct,
    name: "does not void a race card that has a hidden race",
    find: "isNull(tips.hiddenAt),",
    replace: "",
    tests: [CORRECT, "src/sales/enter-result.test.ts"],
  },
  {
    area: "tips",
    name: "the last 30 days include 31 days",
    file: "src/tips/read-rankings.server.ts",
    find: "const RECENT_DAYS = 30;",
    replace: "const RECENT_DAYS = 31;",
    tests: [RANKINGS],
  },
  {
    area: "tips",
    name: "the last 30 days include 29 days",
    file: "src/tips/read-rankings.server.ts",
    find: "const RECENT_DAYS = 30;",
    replace: "const RECENT_DAYS = 29;",
    tests: [RANKINGS],
  },
  {
    area: "tips",
    name: "the leaderboard's last 30 days include 31 days",
    file: "src/leaderboard/ranking-filter.ts",
    find: "const RECENT_DAYS = 30;",
    replace: "const RECENT_DAYS = 31;",
    tests: ["src/leaderboard/ranking-filter.test.ts", RANKINGS],
  },
  {
    area: "domain",
    name: "counts a tip at exactly 11:00",
    file: "src/domain/batch.ts",
    find: "publishedAt >= (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME))",
    replace: "publishedAt > (reportedOffAt ?? instantAt(raceDate, RECORD_DEADLINE_TIME))",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "publishes a race at exactly its off",
    file: "src/domain/batch.ts",
    find: "assumedOff(raceDate, race) <= at",
    replace: "assumedOff(raceDate, race) < at",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "publishes tips fifteen days ahead",
    file: "src/domain/batch.ts",
    find: "raceDate > addDays(today, MAX_DAYS_AHEAD)",
    replace: "raceDate > addDays(today, MAX_DAYS_AHEAD + 1)",
    tests: [BATCH],
  },
  {
    area: "domain",
    name: "a level requires 21 settled tips",
    file: "src/domain/track-record.ts",
    find: "record.settled >= MIN_SETTLED_FOR_LEVEL",
    replace: "record.settled > MIN_SETTLED_FOR_LEVEL",
    tests: [RECORD],
  },
  {
    area: "domain",
    name: "80 % is not enough for Expert",
    file: "src/domain/track-record.ts",
    find: "if (rate >= 80)",
    replace: "if (rate > 80)",
    tests: [RECORD],
  },
  {
    area: "domain",
    name: "counts a void tip as a settled tip",
    file: "src/domain/track-record.ts",
    find: 'if (tip.result === "void") return { tips: 0, settled: 0, won: 0 };',
    replace: 'if (tip.result === "void") return { tips: 1, settled: 0, won: 0 };',
    tests: [RECORD, CORRECT],
  },
  {
    area: "domain",
    name: "loses the remaining hundredths",
    file: "src/domain/shares.ts",
    find: "index < remainder ? share + 1 : share",
    replace: "index < remainder ? share : share",
    tests: ["src/sales/unlock-race-card.test.ts"],
  },
  {
    area: "domain",
    name: "assigns midnight to the previous day",
    file: "src/domain/calendar.ts",
    find: "const OFFSET_MS = 2 * 60 * 60 * 1000;",
    replace: "const OFFSET_MS = 2 * 60 * 60 * 1000 - 1;",
    tests: ["src/domain/calendar.test.ts"],
  },
  {
    area: "domain",
    name: "does not escape a cell that begins with a tab",
    file: "src/domain/csv.ts",
    find: "/^[=+\\-@\\t\\r]/",
    replace: "/^[=+\\-@]/",
    tests: ["src/domain/csv.test.ts"],
  },
  {
    area: "tips",
    name: "does not notify a creator of a tip shown again",
    file: "src/tips/tip-visibility.server.ts",
    find: `if (description)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips is shown again"`,
    replace: `if (description && !description.tip)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips is shown again"`,
    tests: ["src/site/frame/notices.test.ts"],
  },
  {
    area: "tips",
    name: "does not notify a creator of a hidden tip",
    file: "src/tips/tip-visibility.server.ts",
    find: `if (description)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips was hidden"`,
    replace: `if (description && !description.tip)
        await notifyCreator(tx, {
          creatorId: description.creatorId,
          title: "One of your tips was hidden"`,
    tests: ["src/site/frame/notices.test.ts"],
  },
  {
    area: "tips",
    name: "does not notify a creator of a deleted tip",
    file: "src/tips/tip-visibility.server.ts",
    find: `if (described)
        await notifyCreator(tx, {
          creatorId: described.creatorId,
          title: "One of your tips was deleted"`,
    replace: `if (described && !described.tip)
        await notifyCreator(tx, {
          creatorId: described.creatorId,
          title: "One of your tips was deleted"`,
    tests: ["src/site/frame/notices.test.ts"],
  },
];
