import { expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { saveRaceDay } from "#racing/racing.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";

const TODAY = "2026-12-12";
const VENUES = ["kenilworth", "turffontein", "greyville", "fairview", "scottsville", "vaal"];
/** What a build adds to the pages of tests: the names of its scripts, and the inline script that starts them and runs before. */
const BUILD = { bytes: 8_700, elements: 6 };

/** Publishes race cards of 20 tipsters with ten results each for today, and one for each of three later days. */
async function fillHome(): Promise<void> {
  freezeClock(instantAt(addDays(TODAY, -2), "07:00"));
  const tipsters: { id: string }[] = [];
  for (let index = 0; index < 20; index += 1)
    tipsters.push(await makeTipster({ name: `The Paddock Judge ${index + 1}` }));
  const confirm = await createResultConfirmer();
  for (const raceDate of [addDays(TODAY, -2), addDays(TODAY, -1)]) {
    freezeClock(instantAt(raceDate, "08:00"));
    const { id: venueId } = await findTestVenue("vaal");
    await reportRacesWithRunners(venueId, raceDate, { races: 5 });
    const races = [1, 2, 3, 4, 5];
    for (const [index, { id }] of tipsters.entries())
      await publishRaceCard({
        creatorId: id,
        venue: "vaal",
        raceDate,
        races: races.map((raceNumber) => {
          const number = ((raceNumber + index) % 3) + 1;
          return { raceNumber, horseNumber: number, horseName: `Horse ${number}` };
        }),
      });
    for (const raceNumber of races)
      await confirm(
        { venueId, raceDate, raceNumber },
        {
          order: [
            [1, "2/1"],
            [2, "3/1"],
            [3, "4/1"],
          ],
        },
      );
  }
  freezeClock(instantAt(TODAY, "08:00"));
  const races = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const [index, slug] of VENUES.entries())
    await saveRaceDay(null, {
      venueId: (await findTestVenue(slug)).id,
      raceDate: TODAY,
      going: "Good",
      weather: "sunny",
      weatherDescription: "Sunny intervals, wind off the sea",
      temperatureCelsius: 24,
      humidityPercent: 61,
      windKmh: 28,
      source: "National Horseracing Authority",
      races: races.map((raceNumber) => ({
        raceNumber,
        time: `${11 + raceNumber}:${10 + index * 5}`,
      })),
    });
  for (const [index, { id: creatorId }] of tipsters.entries())
    await publishRaceCard({
      creatorId,
      venue: VENUES[index % 4],
      raceDate: TODAY,
      races: races.map((raceNumber) => ({
        raceNumber,
        confidence: (["high", "medium", "low"] as const)[raceNumber % 3],
      })),
    });
  for (const days of [1, 2, 3])
    await publishRaceCard({ creatorId: tipsters[0]?.id, raceDate: addDays(TODAY, days) });
}

it("sends a full page of race cards in at most 1,000 elements, 80 kB to a guest and 90 kB to a user", async () => {
  await fillHome();
  const user = new Browser();
  user.applyCookies(await startSession((await makeUser({ coins: 12 })).id));
  for (const [browser, maxBytes] of [
    [new Browser(), 80_000],
    [user, 90_000],
  ] as const) {
    const html = await (await browser.get("/")).text();
    expect(html).toContain("More race cards");
    expect(html.match(/<article/g)).toHaveLength(10);
    expect(Buffer.byteLength(html) + BUILD.bytes).toBeLessThanOrEqual(maxBytes);
    expect((html.match(/<[a-z]/g) ?? []).length + BUILD.elements).toBeLessThanOrEqual(1_000);
  }
});
