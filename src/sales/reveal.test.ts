import { afterEach, beforeEach, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";

// A selection becomes public everywhere at the same instant: pages, API, downloads and public log have one rule.

/** The tips of races 1 to 3. No official result of these tests names the last two. */
const HORSES = [2, 5, 6];
const WINNERS: [number, string][] = [
  [2, "5/1"],
  [3, "3/1"],
  [4, "2/1"],
];

let raceDate: CalendarDate = "2027-06-01";
let slug = "";
let raceCardId = "";
let venueId = "";

beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  await startLog();
  venueId = (await findTestVenue()).id;
  await reportRacesWithRunners(venueId, raceDate);
  const name = `Reveal ${raceDate}`;
  slug = name.toLowerCase().replace(" ", "-");
  const tipster = await makeTipster({ name });
  ({ raceCardId } = await publishRaceCard({
    creatorId: tipster.id,
    raceDate,
    // Race 1 will be run, race 2 abandoned, race 3 run without a confirmed result.
    races: [1, 2, 3].map((race) => ({
      raceNumber: race,
      horseNumber: HORSES[race - 1],
      horseName: `Horse ${HORSES[race - 1]}`,
      analysis: `Paid analysis ${race}.`,
    })),
  }));
  await appendToLog();
});
afterEach(() => freezeClock(null));

let requestCount = 0;

/** Returns the horses that each source names to people who have not opened the race card. */
async function readHorses(): Promise<Record<string, number[]>> {
  requestCount += 1;
  const user = new Browser();
  user.applyCookies(await startSession((await makeUser()).id));
  const cardPath = `/race-cards/${raceCardId}`;
  const read = async (path: string, browser = new Browser()) =>
    await (await browser.get(path)).text();
  const api = JSON.parse(await read(`/api/race-cards?date=${raceDate}`)) as {
    raceCards: { id: string }[];
  };
  const sources = {
    // The parameter avoids the cached page of an earlier instant.
    "page for a guest": await read(`${cardPath}?tipster=${requestCount}`),
    "page for a user": await read(cardPath, user),
    "page data": await read(`${cardPath}.data`, user),
    "tips page": await read(`/tipsters/${slug}/tips`, user),
    api: JSON.stringify(api.raceCards.find(({ id }) => id === raceCardId) ?? null),
    download: await read(`/records/${slug}.json`),
    log: await read(`/proof/days/${raceDate}/reveals.jsonl`),
  };
  for (const [source, text] of Object.entries(sources))
    expect(text, source).not.toContain("Paid analysis");
  return Object.fromEntries(
    Object.entries(sources).map(([source, text]) => [
      source,
      HORSES.filter((number) => text.includes(`Horse ${number}`)),
    ]),
  );
}

const SOURCES = [
  "page for a guest",
  "page for a user",
  "page data",
  "tips page",
  "api",
  "download",
  "log",
];
const everywhere = (horses: number[]) =>
  Object.fromEntries(SOURCES.map((source) => [source, horses]));

it("shows no selection before the official result, not even after the off", async () => {
  freezeClock(instantAt(raceDate, "13:59"));
  expect(await readHorses()).toEqual(everywhere([]));
});

it("shows the selection of a race everywhere once its official result is confirmed", async () => {
  const confirm = await createResultConfirmer();
  await confirm({ venueId, raceDate, raceNumber: 1 }, { order: WINNERS });
  await appendToLog();
  freezeClock(instantAt(raceDate, "13:59"));
  expect(await readHorses()).toEqual(everywhere([2]));
});

it("shows the selection of a race that was not run from midnight on", async () => {
  const confirm = await createResultConfirmer();
  await confirm({ venueId, raceDate, raceNumber: 2 }, { order: [], status: "abandoned" });
  await appendToLog();
  freezeClock(instantAt(raceDate, "15:30"));
  expect(await readHorses()).toEqual(everywhere([]));
  freezeClock(new Date(instantAt(addDays(raceDate, 1)).getTime() - 1));
  // The race card has left the list of the API with its last off.
  expect(await readHorses()).toEqual(everywhere([]));
  freezeClock(instantAt(addDays(raceDate, 1)));
  expect(await readHorses()).toEqual(everywhere(HORSES));
});

it("keeps a selection public when the result is corrected to a race that was not run", async () => {
  const confirm = await createResultConfirmer();
  await confirm({ venueId, raceDate, raceNumber: 1 }, { order: WINNERS });
  await confirm(
    { venueId, raceDate, raceNumber: 1 },
    { order: [], status: "void", reason: "False start" },
  );
  await appendToLog();
  freezeClock(instantAt(raceDate, "13:59"));
  expect(await readHorses()).toMatchObject({ log: [2], download: [2], "page for a user": [2] });
});
