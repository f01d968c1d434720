import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { COPY_HEADER } from "#platform/offline.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  enterResults,
  findTestVenue,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { LIST_PATH } from "#ui/list-path.ts";

/** Each test has its own day, so that its race cards are the only ones of today. */
let today = "2027-05-01";
let buyer: Person;
let browser: Browser;

beforeEach(async () => {
  today = addDays(today, 1);
  freezeClock(instantAt(today, "08:00"));
  await publishUpdate("race-cards");
  buyer = await makeUser({ coins: 40 });
  browser = new Browser();
  browser.applyCookies(await startSession(buyer.id));
});
afterEach(() => freezeClock(null));

type Race = { raceNumber: number; horseNumber: number; horseName: string; time?: string };

/** Publishes a race card of today. */
async function publishForToday(races: Race[], venue = "kenilworth") {
  const tipster = await makeTipster();
  const { raceCardId } = await publishRaceCard({
    creatorId: tipster.id,
    venue,
    raceDate: today,
    races,
  });
  return { tipster, raceCardId };
}

/** Publishes and opens a race card of today. */
async function unlockForToday(races: Race[], venue = "kenilworth") {
  const publishedRaceCard = await publishForToday(races, venue);
  const { ok } = await unlockRaceCardAs(buyer.id, { raceCardId: publishedRaceCard.raceCardId });
  expect(ok).toBe(true);
  return publishedRaceCard;
}

const reportKenilworth = async () =>
  await reportOffTimes((await findTestVenue()).id, today, { firstOff: "13:00" });
const readText = async () => await readVisibleText(await browser.get("/my-day"));

describe("the My day page", () => {
  it("shows the next off, later races in order and how many tipsters agree", async () => {
    await reportKenilworth();
    const shared = { raceNumber: 2, horseNumber: 3, horseName: "Sterling Cabin" };
    const first = await unlockForToday([
      { raceNumber: 1, horseNumber: 10, horseName: "Drumming Cricket" },
      shared,
    ]);
    await unlockForToday([shared]);
    const third = await unlockForToday([
      { raceNumber: 2, horseNumber: 6, horseName: "Marula Veranda" },
    ]);
    const text = await readText();
    expect(text).toMatch(/My day.*3 cards/);
    expect(text.indexOf("Next off")).toBeLessThan(text.indexOf("Drumming Cricket"));
    expect(text.indexOf("Drumming Cricket")).toBeLessThan(text.indexOf("Later races"));
    expect(text).toContain(first.tipster.name);
    expect(text).toMatch(/3 Sterling Cabin ?· ?2 of your 3 tipsters/);
    expect(text).toMatch(new RegExp(`6 Marula Veranda ?· ?${third.tipster.name}, `));
  });

  it("contains nothing of a race card that is not opened, before and after its races", async () => {
    await reportKenilworth();
    await unlockForToday([{ raceNumber: 1, horseNumber: 1, horseName: "Paid Horse" }]);
    await publishForToday([{ raceNumber: 1, horseNumber: 2, horseName: "Locked Horse" }]);
    const stranger = await makeUser({ coins: 4 });
    for (const time of ["08:00", "13:10", "23:00"]) {
      freezeClock(instantAt(today, time));
      for (const path of ["/my-day", "/my-day.data"]) {
        const body = await (await browser.get(path)).text();
        expect(body).toContain("Paid Horse");
        expect(body).not.toContain("Locked Horse");
      }
    }
    const strangersBrowser = new Browser();
    strangersBrowser.applyCookies(await startSession(stranger.id));
    const body = await (await strangersBrowser.get("/my-day")).text();
    expect(body).toContain("You haven&#x27;t opened a race card for today");
    expect(body).not.toContain("Paid Horse");
  });

  it("collapses races that have been run, and in the evening shows the official results of the day", async () => {
    await reportKenilworth();
    const { raceCardId } = await unlockForToday([
      { raceNumber: 1, horseNumber: 1, horseName: "Winning Post" },
      { raceNumber: 2, horseNumber: 2, horseName: "Losing Streak" },
    ]);
    freezeClock(instantAt(today, "13:10"));
    const afterFirst = await readText();
    expect(afterFirst).toMatch(/Races run.*1 race · no results yet.*Winning Post/);
    expect(afterFirst.indexOf("Losing Streak")).toBeLessThan(afterFirst.indexOf("Winning Post"));
    freezeClock(instantAt(today, "20:00"));
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCardId],
    );
    const tipIds = rows.map((row) => row.id);
    await enterResults([{ tipId: tipIds[0] ?? "", result: "won" }]);
    expect(await readText()).toContain("Your day: 1 of 1 won, 1 without a result");
    await enterResults([{ tipId: tipIds[1] ?? "", result: "lost" }]);
    expect(await readText()).toContain("Your day: 1 of 2 won");
  });

  it("offers the other race cards of today, those of tipsters whose cards were opened first", async () => {
    await publishForToday([{ raceNumber: 1, horseNumber: 2, horseName: "Other" }], "greyville");
    const { tipster } = await unlockForToday([
      { raceNumber: 1, horseNumber: 1, horseName: "Paid Horse" },
    ]);
    await publishRaceCard({ creatorId: tipster.id, venue: "vaal", raceDate: today });
    await publishUpdate("race-cards");
    const text = await readText();
    const offers = text.slice(text.indexOf("Also on sale today"));
    expect(offers).toMatch(/Vaal.*Greyville/);
    expect(offers).not.toContain("Kenilworth");
    expect(offers).toContain("4 coins");
  });

  it("offers a race card of a tipster whose cards were opened before twelve that start earlier", async () => {
    const { tipster } = await unlockForToday([
      { raceNumber: 1, horseNumber: 1, horseName: "Paid Horse" },
    ]);
    const races = (raceTime: string) => [{ raceNumber: 1, raceTime }];
    for (let count = 0; count < 12; count += 1)
      await publishRaceCard({ venue: "greyville", raceDate: today, races: races("13:00") });
    await publishRaceCard({
      creatorId: tipster.id,
      venue: "vaal",
      raceDate: today,
      races: races("17:00"),
    });
    await publishUpdate("race-cards");
    const text = await readText();
    const offers = text.slice(text.indexOf("Also on sale today"));
    expect(offers.match(/Vaal|Greyville/g)).toEqual(["Vaal", ...Array(11).fill("Greyville")]);
  });

  it("may be saved for reading offline, and asks guests to log in", async () => {
    expect((await browser.get("/my-day")).headers.has(COPY_HEADER)).toBe(true);
    const response = await new Browser().get("/my-day");
    expect(response.headers.has(COPY_HEADER)).toBe(false);
    expect(response.headers.get("Location")).toContain("/login");
  });
});

describe("the home page", () => {
  it("leads to My day on a day with an opened race card", async () => {
    const readLinks = async () =>
      (await (await browser.get(LIST_PATH)).text()).match(/href="\/my-day"/g);
    expect(await readLinks()).toBeNull();
    await unlockForToday([{ raceNumber: 1, horseNumber: 1, horseName: "Paid Horse" }]);
    expect(await readLinks()).toHaveLength(1);
    freezeClock(instantAt(addDays(today, 1), "08:00"));
    expect(await readLinks()).toBeNull();
  });

  it("opens as My day on such a day, but not as a list that a link leads to", async () => {
    const readLocation = async (path: string) => (await browser.get(path)).headers.get("Location");
    expect(await readLocation("/")).toBeNull();
    await unlockForToday([{ raceNumber: 1, horseNumber: 1, horseName: "Paid Horse" }]);
    expect(await readLocation("/")).toBe("/my-day");
    for (const path of [LIST_PATH, `/?day=${today}`]) expect(await readLocation(path)).toBeNull();
    freezeClock(instantAt(addDays(today, 1), "08:00"));
    expect(await readLocation("/")).toBeNull();
  });
});
