import { afterEach, beforeEach, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeUser, publishRaceCard, reportRaceDay } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readOwnTips } from "#tips/own-tips.server.ts";
import { listTips, readPublicRaceCard } from "#tips/tips.server.ts";
import { emailScratchings } from "./email-scratchings.server.ts";
import { readOpenedTips } from "./opened-cards.server.ts";
import { readMyDay } from "./read-my-day.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const START = instantAt("2026-11-21", "08:00");
const at = (time: string) => instantAt(raceDate, time);
// Each test has a race date of its own.
let raceDate = "2026-11-21";

beforeEach(() => {
  raceDate = addDays(raceDate, 1);
  freezeClock(START);
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

type Card = Awaited<ReturnType<typeof publishRaceCard>>;

/** The races of a card, of which these have a scratched horse. */
const declareRaces = (scratched: number[] = [], horseNames: string[] = []) =>
  [1, 2, 3].map((raceNumber) => ({
    raceNumber,
    time: `${12 + raceNumber}:00`,
    runners: [
      {
        number: raceNumber + 1,
        horseName: horseNames[raceNumber - 1] ?? `Secret Horse ${raceNumber}`,
        jockey: null,
        trainer: null,
        draw: null,
        isScratched: scratched.includes(raceNumber),
      },
    ],
  }));
type Runners = ReturnType<typeof declareRaces>[number]["runners"];

/** Reports the races of a card, of which these have a scratched horse. */
const declare = (card: Card, ...races: Parameters<typeof declareRaces>) =>
  reportRaceDay(card.venue.id, raceDate, declareRaces(...races));

const readSale = async (buyerId: string) => {
  const { rows } = await pool().query<{ tips: number; shares: number[] }>(
    `select cardinality(tip_ids) as tips, shares_hundredths as shares from sales
     where buyer_id = $1 order by id`,
    [buyerId],
  );
  return rows;
};

it("shows a scratched horse on the opened card, to the tipster and to the admin", async () => {
  const card = await publishRaceCard({ raceDate });
  const buyer = await makeUser({ coins: 4 });
  await unlockRaceCardAs(buyer.id, card);
  await declare(card);
  freezeClock(at("09:00"));
  await declare(card, [2]);

  const scratchings = [null, at("09:00"), null];
  const opened = (await readOpenedTips(buyer.id, [card.raceCardId])).get(card.raceCardId) ?? [];
  expect(opened.map((tip) => tip.scratchedAt && new Date(tip.scratchedAt))).toEqual(scratchings);
  const { selections } = await readMyDay(buyer.id, raceDate);
  expect(selections.map((tip) => tip.scratchedAt !== null)).toEqual([false, true, false]);
  const own = await readOwnTips(card.creatorId, { at: at("09:00") });
  expect(own.tips.map((tip) => tip.scratchedAt)).toEqual(scratchings);
  const listed = await listTips({ at: at("09:00"), raceCardId: card.raceCardId });
  expect(listed.tips.map((tip) => tip.scratchedAt)).toEqual(scratchings);
});

it("sells only the races that are left, without a share for the scratched one", async () => {
  const card = await publishRaceCard({ raceDate });
  await declare(card, [3]);
  const preview = await readPublicRaceCard(card.raceCardId, at("09:00"));
  expect(preview).toMatchObject({ scratchedRaces: 1, closesAt: at("14:00") });
  expect(preview?.races.map(({ raceNumber }) => raceNumber)).toEqual([1, 2]);
  const buyer = await makeUser({ coins: 4 });
  expect(await unlockRaceCardAs(buyer.id, card)).toMatchObject({ ok: true, raceCount: 2 });
  expect(await readSale(buyer.id)).toEqual([{ tips: 2, shares: [200, 200] }]);

  await declare(card);
  expect(await readPublicRaceCard(card.raceCardId, at("09:00"))).toMatchObject({
    scratchedRaces: 0,
    closesAt: at("15:00"),
  });
});

it("takes a card off sale when no race is left", async () => {
  const card = await publishRaceCard({ raceDate });
  await declare(card, [1, 2, 3]);
  const buyer = await makeUser({ coins: 4 });
  expect(await unlockRaceCardAs(buyer.id, card)).toMatchObject({
    ok: false,
    refusal: "not-on-sale",
  });
  expect(await readPublicRaceCard(card.raceCardId, at("09:00"))).toBeNull();
});

it("finds a scratched horse by a name that is only misspelt, but not another horse", async () => {
  const card = await publishRaceCard({ raceDate });
  await declare(card, [1, 2], ["Sécret Hosre 1 (SAF)", "Cape Doctor"]);
  expect(await readPublicRaceCard(card.raceCardId, at("09:00"))).toMatchObject({
    scratchedRaces: 1,
    races: [{ raceNumber: 2 }, { raceNumber: 3 }],
  });
});

it("emails buyers once per race card and hour, naming all scratchings since the last email", async () => {
  const run = () => emailScratchings.run({}, { isLast: false });
  const card = await publishRaceCard({ raceDate });
  const [early, late] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
  const readTexts = async (email: string) =>
    (await readEmailsTo(email))
      .filter(({ kind }) => kind === "scratched")
      .map(({ text }) => (text ?? "").match(/\d Secret Horse \d: [a-z ]+/g));
  await unlockRaceCardAs(early.id, card);
  await declare(card);
  freezeClock(at("09:00"));
  await declare(card, [1]);
  await Promise.all([run(), run()]);
  expect(await readTexts(early.email)).toEqual([["2 Secret Horse 1: scratched"]]);

  freezeClock(at("09:10"));
  await unlockRaceCardAs(late.id, card);
  freezeClock(at("09:20"));
  await declare(card, [1, 2]);
  freezeClock(at("09:40"));
  await declare(card, [2, 3]);
  await run();
  expect(await readTexts(early.email)).toHaveLength(1);
  freezeClock(at("10:01"));
  await run();
  await run();
  const rest = ["2 Secret Horse 1: runs after all", "3 Secret Horse 2: scratched"];
  expect((await readTexts(early.email)).at(-1)).toEqual([...rest, "4 Secret Horse 3: scratched"]);
  expect(await readTexts(early.email)).toHaveLength(2);
  expect(await readTexts(late.email)).toHaveLength(1);
});

it.each([
  ["leaves it out", { number: 9, horseName: "Cape Doctor" }],
  ["gives its number to another horse", { number: 2, horseName: "Cape Doctor" }],
  ["has no runners of its race", null],
] as const)("stays scratched when the next list %s", async (_, otherRunner) => {
  const run = () => emailScratchings.run({}, { isLast: false });
  const card = await publishRaceCard({ raceDate });
  const buyer = await makeUser({ coins: 4 });
  await unlockRaceCardAs(buyer.id, card);
  await declare(card, [1]);
  await run();
  freezeClock(at("10:00"));
  const details = { jockey: null, trainer: null, draw: null, isScratched: false };
  const [firstRace, ...otherRaces] = declareRaces();
  const report = (runners: Runners) =>
    reportRaceDay(card.venue.id, raceDate, [{ ...firstRace!, runners }, ...otherRaces]);
  await report(otherRunner ? [{ ...details, ...otherRunner }] : []);
  await run();

  const readSubjects = async () =>
    (await readEmailsTo(buyer.email))
      .filter(({ kind }) => kind === "scratched")
      .map(({ subject }) => subject);
  const scratched = `A horse on your ${card.venue.name} race card is scratched`;
  expect(await readSubjects()).toEqual([scratched]);
  expect(await readPublicRaceCard(card.raceCardId, at("10:00"))).toMatchObject({
    scratchedRaces: 1,
    races: [{ raceNumber: 2 }, { raceNumber: 3 }],
  });
  const opened = (await readOpenedTips(buyer.id, [card.raceCardId])).get(card.raceCardId) ?? [];
  expect(opened.map((tip) => tip.scratchedAt && new Date(tip.scratchedAt))).toEqual([
    START,
    null,
    null,
  ]);

  // Back in the race, under another number.
  freezeClock(at("11:01"));
  await report([{ ...details, number: 5, horseName: "Secret Horse 1" }]);
  await run();
  expect(await readSubjects()).toEqual([
    scratched,
    `A scratched horse runs after all at ${card.venue.name}`,
  ]);
  expect(await readPublicRaceCard(card.raceCardId, at("11:01"))).toMatchObject({
    scratchedRaces: 0,
  });
});

it("emails a buyer about a horse that is scratched again only if its race was sold", async () => {
  const run = () => emailScratchings.run({}, { isLast: false });
  const card = await publishRaceCard({ raceDate });
  const [early, late] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
  await unlockRaceCardAs(early.id, card);
  await declare(card, [3]);
  await run();
  await unlockRaceCardAs(late.id, card);
  freezeClock(at("09:00"));
  await declare(card);
  await run();
  freezeClock(at("10:01"));
  await declare(card, [3]);
  await run();
  const readSubjects = async (email: string) =>
    (await readEmailsTo(email))
      .filter(({ kind }) => kind === "scratched")
      .map(({ subject }) => subject);
  const scratched = `A horse on your ${card.venue.name} race card is scratched`;
  const runs = `A scratched horse runs after all at ${card.venue.name}`;
  expect(await readSubjects(early.email)).toEqual([scratched, runs, scratched]);
  expect(await readSubjects(late.email)).toEqual([runs]);
});

it("sends no email when the horse runs again before it, or after the race date", async () => {
  const card = await publishRaceCard({ raceDate });
  const buyer = await makeUser({ coins: 4 });
  await unlockRaceCardAs(buyer.id, card);
  await declare(card, [1]);
  await declare(card);
  await emailScratchings.run({}, { isLast: false });
  await declare(card, [1]);
  freezeClock(instantAt(addDays(raceDate, 1), "00:00"));
  await emailScratchings.run({}, { isLast: false });
  expect((await readEmailsTo(buyer.email)).filter(({ kind }) => kind === "scratched")).toEqual([]);
});
