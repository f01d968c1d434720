import { afterEach, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { enterResults, makeTipster, publishRaceCard } from "#test/factories.ts";

const DAY = "2026-11-20";

afterEach(() => freezeClock(null));

async function fetchPage(search: string) {
  const html = await (await sendAsGuest(`/leaderboard?period=2026-11${search}`)).text();
  const names = html.matchAll(/href="\/tipsters\/([^"]+)"/g);
  return { html, tipsters: [...new Set([...names].map(([, slug]) => slug))] };
}

it("shows fifty creators per page, without gaps or duplicates", async () => {
  freezeClock(instantAt(DAY, "09:00"));
  for (let count = 0; count < 53; count += 1) {
    const { raceCardId } = await publishRaceCard({
      creatorId: (await makeTipster()).id,
      raceDate: DAY,
      races: [1],
    });
    freezeClock(instantAt(DAY, "19:00"));
    const { rows } = await pool().query("select id from tips where race_card_id = $1", [
      raceCardId,
    ]);
    await enterResults([{ tipId: rows[0].id, result: "won" }]);
    freezeClock(instantAt(DAY, "09:00"));
  }
  freezeClock(instantAt(DAY, "20:00"));
  const first = await fetchPage("");
  expect(first.tipsters).toHaveLength(50);
  expect(first.html).toContain("Lower ranks");
  expect(first.html).not.toContain("Higher ranks");
  const second = await fetchPage("&page=2");
  expect(second.tipsters).toHaveLength(3);
  expect(second.html).toContain("Higher ranks");
  expect(new Set([...first.tipsters, ...second.tipsters]).size).toBe(53);
  // A page number beyond the last page shows the last page; an invalid one shows the first.
  expect((await fetchPage("&page=99")).tipsters).toEqual(second.tipsters);
  expect((await fetchPage("&page=0x2")).tipsters).toEqual(first.tipsters);
});
