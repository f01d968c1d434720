import { beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  findTestVenue,
  makeTipster,
  makeUser,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";

beforeEach(() => freezeClock(instantAt("2026-11-21", "08:00")));

async function createSignedInBrowser(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(userId));
  return browser;
}

const readPage = async (browser: Browser, path = "/") => (await browser.get(path)).text();
const findPosition = (html: string, raceCardId: string) => html.indexOf(`"card-${raceCardId}"`);

describe("home", () => {
  it("lists race cards on sale, next off first, and filters them by venue", async () => {
    const today = dateAt(now());
    const tipster = await makeTipster();
    const laterRaceCard = await publishRaceCard({
      creatorId: tipster.id,
      venue: "vaal",
      raceDate: today,
    });
    const soonerRaceCard = await publishRaceCard({
      creatorId: tipster.id,
      venue: "scottsville",
      raceDate: today,
    });
    await reportOffTimes(laterRaceCard.venue.id, today, { firstOff: "15:00" });
    await reportOffTimes(soonerRaceCard.venue.id, today, { firstOff: "13:00" });
    const html = await readPage(new Browser());
    expect(findPosition(html, soonerRaceCard.raceCardId)).toBeGreaterThan(0);
    expect(findPosition(html, laterRaceCard.raceCardId)).toBeGreaterThan(
      findPosition(html, soonerRaceCard.raceCardId),
    );
    const filtered = await readPage(new Browser(), "/?venue=vaal");
    expect(findPosition(filtered, laterRaceCard.raceCardId)).toBeGreaterThan(0);
    expect(findPosition(filtered, soonerRaceCard.raceCardId)).toBe(-1);
  });

  it.each([
    "venue=ascot",
    "day=yesterday&venue=%00&sort=richest&page=-3&board=",
    "page=400",
    "after=1795514400000_01a20a11",
  ])("shows all race cards of the day for unknown parameters: %s", async (query) => {
    const { raceCardId } = await publishRaceCard({ venue: "scottsville", raceDate: dateAt(now()) });
    const user = await createSignedInBrowser((await makeUser()).id);
    const response = await user.get(`/?${query}`);
    expect(response.status).toBe(200);
    expect(findPosition(await response.text(), raceCardId)).toBeGreaterThan(0);
  });

  it("shows the first day with race cards, and each day at its own address", async () => {
    const today = "2026-12-12";
    freezeClock(instantAt(today, "08:00"));
    const tomorrow = addDays(today, 1);
    const later = await publishRaceCard({ venue: "vaal", raceDate: tomorrow });
    const user = await createSignedInBrowser((await makeUser()).id);
    const html = await readPage(user);
    expect(html).toContain("Race cards for tomorrow</h2>");
    expect(findPosition(html, later.raceCardId)).toBeGreaterThan(0);

    const empty = await readPage(user, `/?day=${today}`);
    expect(empty).toContain("No race cards, today");
    expect(findPosition(empty, later.raceCardId)).toBe(-1);
    expect(empty).toMatch(/href="\/\?sort=soonest#race-cards"[^>]*>(<[^>]+>)*See <!-- -->tomorrow/);

    const sooner = await publishRaceCard({ venue: "vaal", raceDate: today });
    const first = await readPage(user, "/?board=record");
    expect(findPosition(first, sooner.raceCardId)).toBeGreaterThan(0);
    expect(findPosition(first, later.raceCardId)).toBe(-1);
    expect(first).toContain("1 more tomorrow");
    const next = await readPage(user, `/?day=${tomorrow}`);
    expect(findPosition(next, later.raceCardId)).toBeGreaterThan(0);
    expect(findPosition(next, sooner.raceCardId)).toBe(-1);

    const elsewhere = await readPage(user, "/?venue=fairview");
    expect(elsewhere).toContain("No race cards on sale for Fairview right now");
    expect(elsewhere).toContain("See all tracks");
  });

  it("sorts the race cards of all tracks by the order that the address names", async () => {
    const today = "2026-12-19";
    freezeClock(instantAt(today, "08:00"));
    const sure = await publishRaceCard({
      venue: "vaal",
      raceDate: today,
      races: [{ raceNumber: 1, confidence: "high" }],
    });
    const unsure = await publishRaceCard({
      venue: "greyville",
      raceDate: today,
      races: [{ raceNumber: 1, confidence: "low" }],
    });
    await reportOffTimes(sure.venue.id, today, { firstOff: "15:00" });
    await reportOffTimes(unsure.venue.id, today, { firstOff: "12:00" });
    const user = await createSignedInBrowser((await makeUser()).id);
    const isSureFirst = async (sort: string) => {
      const html = await readPage(user, `/?sort=${sort}`);
      return findPosition(html, sure.raceCardId) < findPosition(html, unsure.raceCardId);
    };
    expect(await isSureFirst("soonest")).toBe(false);
    expect(await isSureFirst("confidence")).toBe(true);
  });

  it("ranks tipsters by record, or by sales at an address of its own", async () => {
    const guest = new Browser();
    const record = await readPage(guest, "/?venue=turffontein");
    expect(record).toContain("Last 30 days");
    expect(record).not.toContain("Score = sales");
    const sales = await readPage(guest, "/?venue=turffontein&board=sales");
    expect(sales).toContain("Score = sales × 50 + coins earned × 5 + tips × 20");
    expect(sales).not.toContain("Last 30 days,");
  });

  it("marks the race cards of buyers as opened, and contains no selections", async () => {
    const { raceCardId, creatorId } = await publishRaceCard({
      venue: "fairview",
      races: [
        { raceNumber: 1, horseName: "Undisclosed Dancer", analysis: "An undisclosed reason." },
      ],
    });
    const buyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const buyersBrowser = await createSignedInBrowser(buyer.id);
    expect(await readPage(buyersBrowser, `/race-cards/${raceCardId}`)).toContain(
      "Undisclosed Dancer",
    );
    expect(await readPage(buyersBrowser, "/?venue=fairview")).toContain(">Opened<");
    // Not on the buyer's home page either, which links to the race card.
    const browsers = [
      buyersBrowser,
      new Browser(),
      await createSignedInBrowser((await makeUser()).id),
      await createSignedInBrowser(creatorId),
    ];
    for (const browser of browsers)
      for (const path of ["/?venue=fairview", "/_.data?venue=fairview"]) {
        const html = await readPage(browser, path);
        expect(html).toContain(raceCardId);
        expect(html).not.toContain("Undisclosed");
        expect(html).not.toContain("undisclosed");
      }
  });

  it("is identical for all guests and contains no names of users", async () => {
    await publishRaceCard();
    const user = await makeUser({ name: "Very Private Person", coins: 7 });
    await readPage(await createSignedInBrowser(user.id), "/?venue=kenilworth");
    const [firstResponse, secondResponse] = await Promise.all([
      new Browser().get("/?venue=kenilworth"),
      new Browser({ address: "10.9.9.9" }).get("/?venue=kenilworth"),
    ]);
    expect(firstResponse.headers.get("Set-Cookie")).toBeNull();
    expect(firstResponse.headers.get("ETag")).toBe(secondResponse.headers.get("ETag"));
    const html = await firstResponse.text();
    expect(html).toBe(await secondResponse.text());
    expect(html).not.toContain("Very Private Person");
    expect(html).not.toContain('idempotencyKey" value');
    const userResponse = await (await createSignedInBrowser(user.id)).get("/?venue=kenilworth");
    expect(userResponse.headers.get("Cache-Control")).toBe("no-store");
    expect(await userResponse.text()).toContain("Very Private Person");
  });

  it("counts the tips of today that can still be bought", async () => {
    const today = "2026-12-05";
    freezeClock(instantAt(today, "08:00"));
    const { venue } = await publishRaceCard({ venue: "vaal", raceDate: today, races: [1, 2] });
    await publishRaceCard({ venue: "greyville", raceDate: addDays(today, 1), races: [1, 2, 3] });
    await reportOffTimes(venue.id, today, { firstOff: "12:00" });
    const userBrowser = await createSignedInBrowser((await makeUser()).id);
    const readCounts = async (time: string) => {
      freezeClock(instantAt(today, time));
      const summary = /Today&#x27;s Racing[\s\S]*?<dl[\s\S]*?<\/dl>/.exec(
        await readPage(userBrowser),
      )?.[0];
      return summary?.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    };
    expect(await readCounts("09:00")).toContain("tips available 2 venue 1");
    expect(await readCounts("12:10")).toContain("tip available 1 venue 1");
    expect(await readCounts("12:40")).toContain("tips available 0 venues 0");
  });

  it("lists every race card once across pages", async () => {
    const venue = await findTestVenue("greyville");
    const raceDate = addDays(dateAt(now()), 2);
    const ids: string[] = [];
    for (let index = 0; index < 43; index += 1)
      ids.push((await publishRaceCard({ venue: venue.slug, raceDate })).raceCardId);
    const listedIds: string[] = [];
    let path: string | undefined = `/?day=${raceDate}&venue=greyville`;
    let pageCount = 0;
    while (path && pageCount < 6) {
      pageCount += 1;
      const html: string = await readPage(new Browser(), path);
      listedIds.push(
        ...[...html.matchAll(/<article aria-labelledby="card-([^"]+)"/g)].map(([, id]) => id ?? ""),
      );
      path = /href="([^"#]+)[^>]*rel="next"|rel="next"[^>]*href="([^"#]+)/
        .exec(html)
        ?.slice(1)
        .find(Boolean)
        ?.replaceAll("&amp;", "&");
    }
    expect(pageCount).toBe(5);
    expect(new Set(listedIds).size).toBe(listedIds.length);
    for (const id of ids) expect(listedIds).toContain(id);
  });
});
