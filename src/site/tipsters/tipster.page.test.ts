import { afterEach, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { startSession } from "#identity/identity.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { enterResults, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResult } from "#tips/tips.server.ts";

afterEach(() => freezeClock(null));

it("counts official wins of a day, but not the tipster's claims", async () => {
  const raceDate = "2031-03-08";
  freezeClock(instantAt(raceDate, "08:00"));
  const tipster = await makeTipster();
  const { raceCardId } = await publishRaceCard({ creatorId: tipster.id, raceDate, races: [1, 2] });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  const [first, second] = rows.map((row) => row.id) as [string, string];
  // Pages of guests are cached for seconds, pages of users are not.
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeUser()).id));
  const readPage = async () =>
    await readVisibleText(await browser.get(`/tipsters/${tipster.slug}`));

  freezeClock(instantAt(raceDate, "19:00"));
  await markResult(tipster.id, { tipId: first, result: "won" });
  freezeClock(instantAt(addDays(raceDate, 1), "00:01"));
  expect(await readPage()).toContain("no official results");
  expect(await readPage()).not.toMatch(/of \d won/);

  await enterResults([{ tipId: second, result: "won" }]);
  expect(await readPage()).toContain("1 of 1 won");
});
