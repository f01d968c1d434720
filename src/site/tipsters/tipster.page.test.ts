import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { updateStaleFigures } from "#records/figures/update-figures.server.ts";
import { Browser } from "#test/browser.ts";
import {
  enterResults,
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";

afterEach(() => freezeClock(null));

/** Pages of guests are cached for seconds, pages of users are not. */
async function openBrowser(): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeUser()).id));
  return browser;
}

async function updateFigures(): Promise<void> {
  while ((await updateStaleFigures()) > 0);
}

const RACES_A_DAY = 6;
const races = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** 5/1 against evens: horse 2 is the favourite. */
const PRICES: Record<number, string> = { 1: "5/1", 2: "evens", 3: "2/1", 4: "9/1" };

let confirmResult: Awaited<ReturnType<typeof createResultConfirmer>> | undefined;

/**
 * Publishes a race card on a day, with win tips on horse 1 of high confidence up to race 3 and low ones after, and
 * settles it: horse 1 wins the first races, horse 2 the others.
 */
async function publishDay(
  creatorId: string,
  {
    venue,
    raceDate,
    tips,
    won,
  }: { venue: string; raceDate: CalendarDate; tips: number; won: number },
): Promise<string> {
  const { id: venueId } = await findTestVenue(venue);
  freezeClock(instantAt(raceDate, "07:00"));
  await reportRacesWithRunners(venueId, raceDate, { races: tips, runners: 4 });
  const { raceCardId } = await publishRaceCard({
    creatorId,
    venue,
    raceDate,
    races: races(tips).map((raceNumber) => ({
      raceNumber,
      horseNumber: 1,
      horseName: "Horse 1",
      confidence: raceNumber <= 3 ? "high" : "low",
    })),
  });
  confirmResult ??= await createResultConfirmer();
  for (const raceNumber of races(tips)) {
    const order = raceNumber <= won ? [1, 2, 3, 4] : [2, 1, 3, 4];
    await confirmResult(
      { venueId, raceDate, raceNumber },
      { order: order.map((number) => [number, PRICES[number] ?? "9/1"]) },
    );
  }
  return raceCardId;
}

describe("the page of a tipster with sixty settled tips", () => {
  const FIRST_DAY = "2032-03-01";
  const AFTER = addDays(FIRST_DAY, 10);
  const LOCKED_HORSE = "Locked Lightning";
  let slug: string;
  let page: string;
  let html: string;
  let browser: Browser;
  const get = async (path: string) => await browser.get(path);
  const readText = async (path: string) => await readVisibleText(await get(path));

  beforeAll(async () => {
    freezeClock(instantAt(FIRST_DAY, "05:00"));
    const tipster = await makeTipster({ name: "Ash of the Sixty Tips" });
    slug = tipster.slug;
    await startLog();
    for (const day of Array.from({ length: 10 }, (_, index) => index)) {
      await publishDay(tipster.id, {
        venue: day < 8 ? "greyville" : "fairview",
        raceDate: addDays(FIRST_DAY, day),
        tips: RACES_A_DAY,
        won: day < 4 ? 3 : 0,
      });
      await appendToLog();
    }
    await updateFigures();
    freezeClock(instantAt(AFTER, "08:00"));
    await publishRaceCard({
      creatorId: tipster.id,
      venue: "greyville",
      raceDate: AFTER,
      races: [1, 2].map((raceNumber) => ({ raceNumber, horseName: LOCKED_HORSE })),
    });
    while ((await appendToLog()) > 0);
    browser = await openBrowser();
    const response = await get(`/tipsters/${slug}`);
    html = await response.clone().text();
    page = await readVisibleText(response);
  });
  beforeEach(() => freezeClock(instantAt(AFTER, "08:00")));

  it("shows who it is and facts about the race cards", () => {
    expect(page).toContain("Ash of the Sixty Tips");
    expect(page).toContain("11 days here, 11 race cards, none late, none removed.");
  });

  it("shows the strike rate with its range and base", () => {
    expect(page).toContain("20.0%");
    expect(page).toContain("12 of 60 won");
    // Wilson, z = 1.96: 11.8 to 31.8 %.
    expect(page).toContain("The true rate is probably 12 to 32%.");
  });

  it("shows the profit before tax, after tax and after the race cards", () => {
    // 12 winners at 5/1 make R50 each, 48 losers lose R10: R120. The tax is R3 a winner, ten race cards cost R400.
    for (const amount of ["+R120", "+R84", "\u2212R316"]) expect(page).toContain(amount);
    expect(page).toContain("+20% of stakes");
    expect(page).toContain("Past results do not predict the next ones.");
  });

  it("shows the luck, the favourite, the longest losing run and the deepest fall", () => {
    // 1/6 + 1/2 + 1/3 + 1/10 = 1.1, so 60 tips expect 60 / 6.6 winners.
    expect(page).toContain("By their starting prices, 9.1 of these horses should have won.");
    expect(page).toMatch(/by luck alone about one in \d would look this good/);
    // The favourite wins 48 races at evens and loses 12.
    expect(page).toContain("+R120 against +R360");
    // 3 losers on the fourth day, and 36 on the six days after it.
    expect(page).toContain("Longest run without a winner 39 tips of 60");
    expect(page).toContain("Deepest fall of the running profit R390");
  });

  it("draws the running profit as SVG with a title, a description and a table", () => {
    expect(html).toMatch(/<svg[^>]*role="img"[^>]*><title[^>]*>Running profit/);
    expect(page).toContain("The favourites of the same races: +R360.");
    const chart = /<figure[\s\S]*?<\/figure>/.exec(html)?.[0] ?? "";
    expect(chart.length).toBeGreaterThan(1000);
    expect(chart.length).toBeLessThan(8000);
    expect(chart).toContain("<table");
    expect(chart).not.toContain("<script");
  });

  it("opens exactly the tips of each figure", async () => {
    const links = [
      ...html.matchAll(/href="(\/tipsters\/[^"]*\/tips\?[^"]*)"[^>]*>([\s\S]*?)<\/a>/g),
    ];
    const counts: Record<string, number> = {};
    for (const [, href = ""] of links) {
      let next: string | undefined = href.replaceAll("&amp;", "&");
      if (next.includes("until")) continue;
      let listed = 0;
      const key = next.split("?")[1] ?? "";
      while (next) {
        const text = await (await get(next.replace(/#.*/, ""))).text();
        listed += text.match(/>Published </g)?.length ?? 0;
        next = /<a[^>]*rel="next"[^>]*href="([^"#]*)/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      }
      counts[key] = listed;
    }
    expect(counts).toEqual({
      "tips=counted": 60,
      "tips=starting-price": 60,
      "tips=all-prices": 60,
      "venue=greyville&tips=counted": 48,
      "venue=fairview&tips=counted": 12,
      "type=win&tips=counted": 60,
      "confidence=high&tips=counted": 30,
      "confidence=low&tips=counted": 30,
    });
    expect(page).toContain("12 of 48 won, Greyville");
    // Fewer than twenty tips say nothing.
    expect(page).toContain("Fairview too few to say 0 of 12");
  });

  it("shows the state of the log entries", () => {
    expect(page).toContain("Public log, #1 to #62: 60 revealed, 2 before their race, 0 missing");
  });

  it("says what a level stake would have made at the track of the race card on sale", () => {
    // 48 tips are fewer than 50.
    expect(page).toContain(
      "Too few tips to say what a stake on each would have made: 48 tips on 8 race cards, of at least 50. The race cards cost R320.",
    );
    expect(page).toContain("18+ only.");
  });

  it("lists no tip that is not public, whatever the filter", async () => {
    for (const query of [
      "",
      "?tips=counted",
      "?venue=greyville",
      `?until=${AFTER}`,
      "?result=won",
    ]) {
      const text = await (await get(`/tipsters/${slug}/tips${query}`)).text();
      expect(text).not.toContain(LOCKED_HORSE);
    }
    expect(html).not.toContain(LOCKED_HORSE);
  });

  it("lists each tip with its return, log number and result", async () => {
    const text = await readText(`/tipsters/${slug}/tips?result=won&confidence=high`);
    expect(text).toContain("R10 to win returned R60");
    expect(text).toMatch(/log #\d+/);
    expect(text).toContain("Won");
    expect(text).not.toContain("Lost official");
  });

  it("ignores unknown filters and finds nothing for a filter without tips", async () => {
    const all = await readText(`/tipsters/${slug}/tips`);
    expect(
      await readText(
        `/tipsters/${slug}/tips?venue=ascot&type=trifecta&confidence=%00&tips=best&until=soon`,
      ),
    ).toBe(all);
    expect(await readText(`/tipsters/${slug}/tips?type=place`)).toContain("No tips found");
  });

  it("keeps the page small, whatever the length of the record", () => {
    expect(html.length).toBeLessThan(64_000);
  });
});

describe("the page of a tipster with few tips", () => {
  it("says that there are too few instead of showing rates and profits", async () => {
    const raceDate = "2032-05-03";
    freezeClock(instantAt(raceDate, "05:00"));
    const tipster = await makeTipster();
    await publishDay(tipster.id, { venue: "vaal", raceDate, tips: 4, won: 3 });
    await updateFigures();
    freezeClock(instantAt(addDays(raceDate, 1), "08:00"));
    const page = await readVisibleText(
      await (await openBrowser()).get(`/tipsters/${tipster.slug}`),
    );
    expect(page).toContain("Too few tips to say");
    expect(page).toContain("3 of 4 won");
    expect(page).toContain("All 4 tips 3 won, 1 lost");
    expect(page).toContain("from 50 tips to win with a known starting price. There are 4 so far.");
    for (const missing of ["75.0%", "+R", "Running profit", "by luck alone", "When it goes badly"])
      expect(page).not.toContain(missing);
  });

  it("counts official wins of a day, but not the tipster's claims", async () => {
    const raceDate = "2031-03-08";
    freezeClock(instantAt(raceDate, "08:00"));
    const tipster = await makeTipster();
    const { raceCardId } = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [1, 2],
    });
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCardId],
    );
    const [first, second] = rows.map((row) => row.id) as [string, string];
    const browser = await openBrowser();
    const readList = async (query = "") =>
      await readVisibleText(await browser.get(`/tipsters/${tipster.slug}/tips${query}`));

    freezeClock(instantAt(raceDate, "19:00"));
    await markResult(tipster.id, { tipId: first, result: "won" });
    freezeClock(instantAt(addDays(raceDate, 1), "00:01"));
    expect(await readList()).toContain("no official results");
    expect(await readList()).not.toMatch(/of \d won/);

    await enterResults([{ tipId: second, result: "won" }]);
    expect(await readList()).toContain("1 of 1 won");
    // A result that an admin set for a single tip is in no figure.
    expect(await readList("?tips=counted")).toContain("No tips found");
    const page = await readVisibleText(await browser.get(`/tipsters/${tipster.slug}`));
    expect(page).toContain("Too few tips to say");
    expect(page).not.toContain("Running profit");
  });

  it("names results that an admin set for single tips, but not the official ones that no figure has yet", async () => {
    const raceDate = "2032-05-10";
    freezeClock(instantAt(raceDate, "05:00"));
    const tipster = await makeTipster();
    const readPage = async () =>
      await readVisibleText(await (await openBrowser()).get(`/tipsters/${tipster.slug}`));
    await publishDay(tipster.id, { venue: "vaal", raceDate, tips: 2, won: 1 });
    await updateFigures();
    await publishRaceCard({
      creatorId: tipster.id,
      venue: "fairview",
      raceDate: addDays(raceDate, 2),
      races: [1, 2, 3],
    });
    const next = addDays(raceDate, 1);
    await publishDay(tipster.id, { venue: "turffontein", raceDate: next, tips: 3, won: 1 });
    // The record has five tips, the figures still two.
    expect(await readPage()).toContain("1 of 2 won");
    expect(await readPage()).not.toContain("set by an admin");

    // Late and void tips count nowhere.
    freezeClock(instantAt(next, "12:00"));
    await publishRaceCard({ creatorId: tipster.id, venue: "fairview", raceDate: next, races: [1] });
    const { rows } = await pool().query<{ id: string }>(
      `select t.id from tips t join race_cards c on c.id = t.race_card_id
       where c.creator_id = $1 and t.result is null order by c.race_date, t.race_number`,
      [tipster.id],
    );
    const [late = "", first = "", second = "", third = ""] = rows.map((row) => row.id);
    freezeClock(instantAt(addDays(raceDate, 2), "20:00"));
    await enterResults([
      { tipId: late, result: "won" },
      { tipId: first, result: "won" },
      { tipId: third, result: "void" },
    ]);
    const one = "One more result, set by an admin for a single tip, is not in these figures.";
    expect(await readPage()).toContain(one);
    await updateFigures();
    expect(await readPage()).toContain("2 of 5 won");
    expect(await readPage()).toContain(one);
    await enterResults([{ tipId: second, result: "lost" }]);
    expect(await readPage()).toContain(
      "2 more results, set by an admin for single tips, are not in these figures.",
    );
  });

  it("shows a tipster without a tip, and tips that were removed", async () => {
    const raceDate = "2031-04-08";
    freezeClock(instantAt(raceDate, "05:00"));
    const tipster = await makeTipster();
    const browser = await openBrowser();
    const readPage = async () =>
      await readVisibleText(await browser.get(`/tipsters/${tipster.slug}`));
    expect(await readPage()).toContain("1 day here, 0 race cards.");
    expect(await readPage()).toContain("No settled tips yet");
    const { raceCardId } = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [1, 2],
    });
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 limit 1",
      [raceCardId],
    );
    await hideTip((await makeAdmin()).id, rows[0]?.id ?? "");
    expect(await readPage()).toContain("1 day here, 1 race card, 1 tip removed.");
  });
});

it("keeps the record of a suspended tipster public, and says that they are suspended", async () => {
  const tipster = await makeTipster();
  const browser = await openBrowser();
  const read = async (path: string) => await readVisibleText(await browser.get(path));
  const paths = [`/tipsters/${tipster.slug}`, `/tipsters/${tipster.slug}/tips`];
  for (const path of paths) expect(await read(path)).not.toMatch(/suspended/i);
  await suspendCreator((await makeAdmin()).id, tipster.id);
  for (const path of paths) expect(await read(path)).toMatch(/suspended/i);
  for (const path of ["/leaderboard", "/sitemap.xml"])
    expect(await (await browser.get(path)).text()).not.toContain(tipster.slug);
  expect((await browser.get(`/share/tipsters/${tipster.slug}.png`)).status).toBe(200);
});

it("refuses an unknown tipster", async () => {
  const browser = await openBrowser();
  for (const path of ["nobody-of-this-name", "nobody-of-this-name/tips"])
    expect((await browser.get(`/tipsters/${path}`)).status).toBe(404);
});

it("counts late tips without an official result, as the download does", async () => {
  const raceDate = "2032-05-03";
  freezeClock(instantAt(raceDate, "12:00"));
  const tipster = await makeTipster();
  await publishRaceCard({ creatorId: tipster.id, raceDate, races: [1, 2] });
  const text = await readVisibleText(await (await openBrowser()).get(`/tipsters/${tipster.slug}`));
  expect(text).toContain("1 race card, 2 tips late, none removed.");
  expect(text).toContain("No public tips yet");
});

it("keeps the results of today when the form of the public record is submitted with its defaults", async () => {
  const raceDate = "2033-05-01";
  const { id, slug } = await makeTipster({ name: "Today Form" });
  await publishDay(id, { venue: "vaal", raceDate, tips: 2, won: 1 });
  freezeClock(instantAt(raceDate, "20:00"));
  const browser = await openBrowser();
  const path = `/tipsters/${slug}/tips`;
  const html = await (await browser.get(path)).text();
  const field = html.match(/<input[^>]*name="until"[^>]*>/)?.[0] ?? "";
  const until = field.match(/ value="([^"]+)"/)?.[1];
  expect(field).toContain(`max="${raceDate}"`);
  const search = new URLSearchParams({ venue: "", type: "", result: "lost", until: until ?? "" });
  const text = await readVisibleText(await browser.get(`${path}?${search}`));
  expect(text).toContain("0 of 1 won");
  expect(text).not.toContain("No tips found");
});

it("lists every race card on sale of a tipster with more than twenty", async () => {
  const day = "2033-06-01";
  freezeClock(instantAt(day, "06:00"));
  const { id: creatorId, slug } = await makeTipster({ name: "Twenty One" });
  for (let days = 0; days < 7; days += 1)
    for (const venue of ["vaal", "greyville", "fairview"])
      await publishRaceCard({ creatorId, venue, raceDate: addDays(day, days), races: [1] });
  const html = await (await (await openBrowser()).get(`/tipsters/${slug}`)).text();
  expect(new Set(html.match(/href="\/race-cards\/[^"]+"/g)).size).toBe(21);
});
