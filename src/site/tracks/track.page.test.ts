import { afterEach, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { Browser } from "#test/browser.ts";
import { publishRaceCard } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";

afterEach(() => freezeClock(null));

it("counts every race card on sale at the track, lists the next twenty and leads to the others", async () => {
  freezeClock(instantAt("2027-08-01", "08:00"));
  const publish = async (venue: string) =>
    await publishRaceCard({ venue, raceDate: "2027-08-02", races: [1] });
  for (let count = 0; count < 20; count += 1) await publish("scottsville");
  await publish("vaal");
  const read = async (search: string) => {
    const html = await (await new Browser().get(`/tracks/scottsville${search}`)).text();
    const text = await readVisibleText(new Response(html));
    return { html, text, count: text.match(/Race cards on sale (\d+)/)?.[1] };
  };
  const twenty = await read("?before=twenty");
  expect(twenty.count).toBe("20");
  expect(twenty.text).not.toContain("day by day");

  await publish("scottsville");
  const { html, text, count } = await read("?before=more");
  expect(count).toBe("21");
  expect(new Set(html.match(/href="\/race-cards\/[^"]+"/g)).size).toBe(20);
  expect(html).toContain('href="/?venue=scottsville"');
  expect(text).toContain("All 21 race cards, day by day");
});
