import { afterEach, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, publishRaceCard } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";

const TODAY = "2027-09-01";

afterEach(() => freezeClock(null));

it("counts an analyst's race card on sale behind two hundred that start earlier", async () => {
  freezeClock(instantAt(TODAY, "08:00"));
  const tipsters = await Promise.all(Array.from({ length: 8 }, () => makeTipster()));
  const venues = ["kenilworth", "vaal", "greyville", "fairview"];
  let published = 0;
  for (const { id: creatorId } of tipsters)
    for (const venue of venues)
      for (let days = 0; days < 7 && published < 201; days += 1) {
        const raceDate = addDays(TODAY, days);
        await publishRaceCard({ creatorId, venue, raceDate, races: [1] });
        published += 1;
      }
  expect(published).toBe(201);
  const analyst = await makeTipster({ name: "Late Analyst", kind: "analyst" });
  await makeTipster({ name: "Idle Analyst", kind: "analyst" });
  await publishRaceCard({ creatorId: analyst.id, raceDate: addDays(TODAY, 14), races: [1] });
  const text = await readVisibleText(await new Browser().get("/top-analysts?kind=analyst"));
  expect(text).toMatch(/Late Analyst((?!Idle Analyst|on sale).)*1 card on sale/);
  expect(text).toMatch(/Idle Analyst((?!Late Analyst|on sale).)*No race cards on sale/);
});
