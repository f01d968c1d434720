import { afterEach, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { enterResults, findTestVenue, makeTipster, publishRaceCard } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { updateStaleFigures } from "../figures/update-figures.server.ts";

const DAY = "2026-11-20";

afterEach(() => freezeClock(null));

async function fetchPage(search: string, period = "2026-11") {
  const html = await (await sendAsGuest(`/leaderboard?period=${period}${search}`)).text();
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

it("ranks by profit at the starting price, and says when tips are too few", async () => {
  const raceDate = "2028-10-01";
  freezeClock(instantAt(raceDate, "07:00"));
  const venueId = (await findTestVenue("fairview")).id;
  await reportRacesWithRunners(venueId, raceDate, { races: 1 });
  const winner = await makeTipster({ name: "Early Odds" });
  const loser = await makeTipster({ name: "Late Odds" });
  for (const [creatorId, horseNumber] of [
    [winner.id, 1],
    [loser.id, 2],
  ] as const)
    await publishRaceCard({
      creatorId,
      venue: "fairview",
      raceDate,
      races: [{ raceNumber: 1, horseNumber, horseName: `Horse ${horseNumber}` }],
    });
  const confirmResult = await createResultConfirmer();
  await confirmResult(
    { venueId, raceDate, raceNumber: 1 },
    { order: [1, 2, 3, 4, 5, 6].map((number) => [number, "5/1"]) },
  );
  while ((await updateStaleFigures()) > 0);
  const { html, tipsters } = await fetchPage("&order=profit&venue=fairview", "all");
  expect(tipsters.toSorted()).toEqual([winner.slug, loser.slug].toSorted());
  const text = await readVisibleText(new Response(html));
  expect(text).toContain("Fewer than 50 settled win bets with a starting price");
  expect(text).toMatch(/\+500\.0%\s*too few for a range/);
  expect(text).toContain("+R50.00");
  expect(text).toMatch(/−100\.0%/);
  expect(text).toContain("−R10.00");
  expect(text).toContain("we rank by the lower end of its 95% range");
});
