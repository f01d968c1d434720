import type { Mutant } from "./mutant.ts";

const GUARDS = "test/sql-guards.test.ts";
const PUBLISH = "src/tips/publishing/publish-batch.test.ts";
const MARKS = "src/tips/mark-results.test.ts";
const SET_RESULT = "src/tips/set-tip-result.test.ts";
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
  file: "src/tips/set-tip-result.server.ts",
  tests: [SET_RESULT],
} as const;

const SETTLE = "src/tips/settlement/settle-race.test.ts";
const RULES = "src/domain/settlement.test.ts";
const settle = {
  area: "tips",
  file: "src/tips/settlement/settle-race.server.ts",
  tests: [SETTLE],
} as const;
const rules = { area: "domain", file: "src/domain/settlement.ts", tests: [RULES] } as const;

export const TIPS_MUTANTS: Mutant[] = [
  {
    ...settle,
    name: "settles a tip twice by one version of the result",
    find: "tip.settlementVersion !== race.version &&",
    replace: "",
  },
  {
    ...settle,
    name: "counts late tips in settled races",
    find: "computeContribution({ isLate: tip.isLate, isClaim: false, result })",
    replace: "computeContribution({ isLate: false, isClaim: false, result })",
  },
  {
    ...settle,
    name: "settles a race that was run without declared runners",
    find: 'result.status === "official" && runners.every',
    replace: "runners.length < 0 && runners.every",
  },
  {
    ...settle,
    name: "settles a tip that the surface voided after a correction without names",
    find: "(result.lacksNames && tip.settlementVersion !== null),",
    replace: "false,",
  },
  {
    ...settle,
    name: "counts void tips among those that a changed surface will void",
    find: " and t.result is distinct from 'void'`);",
    replace: "`);",
  },
  {
    ...settle,
    name: "keeps tips for a race that moved to another surface",
    find: "surfaces.isMovedAfter(tip.publishedAt) ||",
    replace: "",
  },
  {
    ...settle,
    name: "a placed each-way tip counts as lost",
    find: 'outcome === "placed" ? "won" : outcome',
    replace: 'outcome === "placed" ? "lost" : outcome',
  },
  {
    ...correct,
    name: "corrects one tip against the official result",
    find: 'if (tip.settlementVersion !== null) return { ok: false, refusal: "official-result" };',
    replace: "",
    tests: [SETTLE],
  },
  {
    area: "tips",
    file: "src/tips/void-all-tips.server.ts",
    name: "leaves tips of a void race card with their official results",
    find: 'eq(tips.result, "void"),',
    replace: 'eq(tips.result, "lost"),',
    tests: [SETTLE],
  },
  {
    ...publish,
    name: "publishes a tip for a race with a result",
    find: "if (racesWithResult.length > 0)",
    replace: "if (racesWithResult.length < 0)",
    tests: [SETTLE],
  },
  {
    area: "tips",
    sqlFunction: "require_race_without_result",
    name: "the database accepts a tip for a race with a result",
    find: "and o.race_number = t.race_number",
    replace: "and o.race_number <> t.race_number",
    tests: [SETTLE, GUARDS],
  },
  {
    ...mark,
    name: "does not store the claim of the tipster",
    find: "claimedResult: result,",
    replace: "claimedResult: null,",
    tests: [SETTLE],
  },
  {
    ...rules,
    name: "pays a dead heat in full",
    find: "const returnDenominator = wonDenominator * BigInt(deadHeatCount);",
    replace: "const returnDenominator = wonDenominator;",
  },
  {
    ...rules,
    name: "pays a place tip for the place after the last one paid",
    find: "position <= result.placesPaid",
    replace: "position <= result.placesPaid + 1",
  },
  {
    ...rules,
    name: "settles a tip on a non-runner as lost",
    find: 'if (!runner || runner.outcome === "non-runner") return "non-runner";',
    replace: 'if (!runner) return "non-runner";',
  },
  {
    ...rules,
    name: "settles a tip by another horse with its number",
    find: 'numbered && isSameHorseName(tip.horseName, numbered.horseName ?? "", others)',
    replace: "numbered && others",
  },
  {
    area: "domain",
    file: "src/domain/horse-key.ts",
    tests: ["src/domain/horse-key.test.ts", RULES],
    name: "accepts a name that is nearer to another runner's",
    find: ">= distance)",
    replace: ">= 0)",
  },
  {
    area: "domain",
    file: "src/domain/horse-key.ts",
    tests: ["src/domain/horse-key.test.ts"],
    name: "accepts a mistake in a name of three letters",
    find: "if (length <= 3) return 0;",
    replace: "",
  },
  {
    ...rules,
    name: "prefers the horse number of a tip to the horse name",
    find: "if (named.length > 0) return named.length === 1 ? named[0] : undefined;",
    replace: "",
  },
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
    sqlFunction: "update_for_off_times",
    name: "does not update the tallies for new off times",
    find: "update creator_records set is_tallied = false where is_tallied and",
    replace: "update creator_records set is_tallied = false where not is_tallied and",
    tests: [GUARDS, RANKINGS],
  },
  {
    area: "tips",
    sqlFunction: "update_for_off_times",
    name: "does not mark tips as late for an off time reported later",
    find: "if v_tips is not null then perform update_lateness(v_tips); end if;",
    replace: "",
    tests: [LATENESS, PUBLISH],
  },
  {
    area: "tips",
    name: "a confirmed result does not change the lateness of its tips",
    file: "src/tips/settlement/settle-race.server.ts",
    find: "select update_for_off_times(",
    replace: "select num_nulls(",
    tests: ["src/tips/settlement/settle-race.test.ts"],
  },
  {
    area: "tips",
    sqlFunction: "update_for_off_times",
    name: "the database counts a tip at exactly the off",
    find: "t.published_at >= record_deadline",
    replace: "t.published_at > record_deadline",
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
    name: "publishing uses the entered off time instead of the reported one",
    find: "isLate: isLateTip(raceDate, race.reportedOffAt, at),",
    replace: "isLate: isLateTip(raceDate, race.enteredOffAt ?? race.reportedOffAt, at),",
  },
  {
    ...publish,
    name: "accepts another race for a void race card",
    find: "if (isVoid(existingTips) || (await readVoidRaceCards(tx, [raceCardId])).length > 0)",
    replace: "if (false)",
    tests: [PUBLISH, "src/sales/return-coins.test.ts", "src/sales/enter-result.test.ts"],
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
    find: "at < computeSettleableAt(tip.raceDate, tip.offAt)",
    replace: "at <= computeSettleableAt(tip.raceDate, tip.offAt)",
  },
  {
    ...mark,
    name: "lets a creator change the result of a settled tip",
    find: "(tip) => tip.result !== null && tip.result !== requested.get(tip.id)",
    replace: "() => false",
  },
  {
    ...correct,
    name: "counts late tips as won",
    find: "computeContribution({ isLate: tip.isLate, isClaim: false, result })",
    replace: "computeContribution({ isLate: false, isClaim: false, result })",
  },
  {
    ...correct,
    name: "does not count a claim that is confirmed",
    find: "if (previous === result && !wasClaim)",
    replace: "if (previous === result)",
  },
  {
    area: "tips",
    file: "src/domain/track-record.ts",
    tests: [MARKS, SET_RESULT],
    name: "counts claims in the record",
    find: "!tip.isLate && !tip.isClaim",
    replace: "!tip.isLate",
  },
  {
    area: "tips",
    file: "src/tips/tallies.server.ts",
    tests: [RANKINGS],
    name: "counts claims in rankings of all time",
    find: "not t.is_late and not t.is_claim",
    replace: "not t.is_late",
  },
  {
    area: "tips",
    sqlFunction: "update_lateness",
    tests: [LATENESS],
    name: "changes the record when a claimed tip becomes late",
    find: "and not t.is_claim",
    replace: "",
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
    tests: ["src/tips/lock-tips.test.ts"],
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
    tests: [SET_RESULT, "src/sales/enter-result.test.ts"],
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
    name: "the rankings' last 30 days include 31 days",
    file: "src/tips/rankings/ranking-filter.ts",
    find: "const RECENT_DAYS = 30;",
    replace: "const RECENT_DAYS = 31;",
    tests: ["src/tips/rankings/ranking-filter.test.ts", RANKINGS],
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
    name: "publishes a tip at exactly the cut-off",
    file: "src/domain/batch.ts",
    find: "closedAt && closedAt <= at",
    replace: "closedAt && closedAt < at",
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
    tests: [RECORD, SET_RESULT],
  },
  {
    area: "tips",
    name: "makes every selection of a meeting public with its first official result",
    file: "src/domain/is-revealed.ts",
    find: "\n      and f.race_number = t.race_number))",
    replace: "))",
    tests: ["src/sales/reveal.test.ts"],
  },
  {
    area: "tips",
    name: "makes selections public on the race date",
    file: "src/domain/is-revealed.ts",
    find: "(c.race_date < ${today} or exists",
    replace: "(c.race_date <= ${today} or exists",
    tests: ["src/sales/reveal.test.ts"],
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
    tests: ["src/site/layout/notices.test.ts"],
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
    tests: ["src/site/layout/notices.test.ts"],
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
    tests: ["src/site/layout/notices.test.ts"],
  },
  {
    area: "tips",
    name: "settles tips of a race card that an admin voided",
    file: "src/tips/settlement/settle-race.server.ts",
    find: "raceCardsVoidedByAdmin.has(tip.raceCardId)",
    replace: "!tip.raceCardId",
    tests: [SETTLE],
  },
  {
    area: "tips",
    name: "leaves tips void that were voided one by one",
    file: "src/tips/set-tip-result.server.ts",
    find: "and(inArray(voidRaceCards.raceCardId, raceCardIds), eq(voidRaceCards.isVoidedByAdmin, true)),",
    replace: "inArray(voidRaceCards.raceCardId, raceCardIds),",
    tests: [SETTLE],
  },
  {
    area: "tips",
    name: "does not keep a race card void whose tips were void before an admin voided it",
    file: "src/tips/void-all-tips.server.ts",
    find: ".values({ raceCardId, voidedAt: at, isVoidedByAdmin: true })",
    replace: ".values({ raceCardId, voidedAt: at, isVoidedByAdmin: remaining.length > 0 })",
    tests: [SETTLE],
  },
  {
    area: "tips",
    name: "lets an admin correct a tip that a settlement left void",
    file: "src/tips/set-tip-result.server.ts",
    find: `tip.result === "void" && (await isLeftVoid(tx, tip))`,
    replace: `tip.result === null && (await isLeftVoid(tx, tip))`,
    tests: ["src/tips/settlement/settle-race.test.ts"],
  },
];
