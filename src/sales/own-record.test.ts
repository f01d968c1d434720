import { afterEach, beforeEach, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readOwnRecord } from "./own-record.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const DATE: CalendarDate = "2028-02-28";
const NEXT_DATE = addDays(DATE, 1);

let buyer: Person;
let venueId: string;

beforeEach(async () => {
  freezeClock(instantAt(DATE, "07:00"));
  buyer = await makeUser({ coins: 40 });
  venueId = (await findTestVenue()).id;
});
afterEach(() => freezeClock(null));

/** Publishes a race card of the races 1 to 3 on horses 2, 5 and 6, and opens it for the buyer. */
async function openCard(raceDate: CalendarDate): Promise<void> {
  await reportRacesWithRunners(venueId, raceDate);
  const { raceCardId } = await publishRaceCard({
    raceDate,
    races: [2, 5, 6].map((horseNumber, index) => ({
      raceNumber: index + 1,
      horseNumber,
      horseName: `Horse ${horseNumber}`,
    })),
  });
  expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({ ok: true });
}

const readDays = (userId = buyer.id) =>
  readOwnRecord(userId, "day", { from: DATE, until: NEXT_DATE });

it("counts wins and losses, the cost and level stakes by official results, by day and month", async () => {
  await openCard(DATE);
  await openCard(NEXT_DATE);
  const unsettled = {
    settled: 0,
    won: 0,
    staked: { tips: 0, unpriced: 0, cents: 0, returnedCents: 0 },
  };
  const cost = { raceCards: 1, coins: 4, cents: 4000 };
  expect(await readDays()).toEqual([
    { period: NEXT_DATE, ...cost, ...unsettled },
    { period: DATE, ...cost, ...unsettled },
  ]);
  const confirm = await createResultConfirmer();
  const race = (raceDate: CalendarDate, raceNumber: number) => ({ venueId, raceDate, raceNumber });
  const order: [number, string][] = [
    [2, "5/1"],
    [3, "3/1"],
    [5, "2/1"],
  ];
  await confirm(race(DATE, 1), { order });
  await confirm(race(DATE, 2), { order });
  await confirm(race(DATE, 3), { order: [], status: "abandoned" });
  const [, day] = await readDays();
  // R60 came back of the winner, less 6 % tax on R50, and nothing of the loser. The third race was not run.
  expect(day).toMatchObject({
    settled: 2,
    won: 1,
    staked: { tips: 2, unpriced: 0, cents: 2000, returnedCents: 6000 - 300 },
  });
  await confirm(race(NEXT_DATE, 1), {
    order: [
      [3, "3/1"],
      [4, "2/1"],
      [1, "8/1"],
    ],
  });
  const months = await readOwnRecord(buyer.id, "month", { from: DATE, until: NEXT_DATE });
  expect(months).toMatchObject([
    { period: "2028-02", raceCards: 2, settled: 3, won: 1, staked: { tips: 2, unpriced: 1 } },
  ]);
  expect(await readDays((await makeUser()).id)).toEqual([]);

  const browser = new Browser();
  expect((await browser.get("/my-cards/record")).status).toBe(302);
  browser.applyCookies(await startSession(buyer.id));
  const page = await readVisibleText(await browser.get("/my-cards/record"));
  expect(page).toContain("February 2028 1 of 3 won, 33%");
  expect(page).toContain("Mon, 28 Feb 1 of 2 won, 50%");
  expect(page).toContain("R20 returned R57.00 , 1 without a price");
  const summary =
    "Last 31 days: 1 of 3 won, 33% . 2 cards, 8 coins (R80). Bets: R20 returned R57.00";
  expect(await readVisibleText(await browser.get("/my-cards"))).toContain(summary);
});

it("counts a tip that was added to an opened race card, and none that was hidden before it was opened", async () => {
  const raceDate = addDays(DATE, 10);
  freezeClock(instantAt(raceDate, "07:00"));
  await reportRacesWithRunners(venueId, raceDate);
  const tip = (raceNumber: number) => [{ raceNumber, horseNumber: 2, horseName: "Horse 2" }];
  const { raceCardId, creatorId } = await publishRaceCard({ raceDate, races: tip(1) });
  await publishRaceCard({ creatorId, raceDate, races: tip(2) });
  await pool().query("update tips set hidden_at = $2 where race_card_id = $1 and race_number = 1", [
    raceCardId,
    instantAt(raceDate, "06:59"),
  ]);
  expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({ ok: true });
  await publishRaceCard({ creatorId, raceDate, races: tip(3) });
  const confirm = await createResultConfirmer();
  for (const raceNumber of [1, 2, 3])
    await confirm(
      { venueId, raceDate, raceNumber },
      {
        order: [
          [2, "5/1"],
          [3, "3/1"],
          [5, "2/1"],
        ],
      },
    );
  const days = await readOwnRecord(buyer.id, "day", { from: raceDate, until: raceDate });
  expect(days).toMatchObject([{ raceCards: 1, settled: 2, won: 2 }]);
});
