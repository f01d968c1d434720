import { beforeEach, describe, expect, it } from "vitest";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { startSession } from "#identity/identity.server.ts";
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

async function signedIn(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(userId));
  return browser;
}

const page = async (browser: Browser, path = "/") => (await browser.get(path)).text();
const positionOf = (html: string, raceCardId: string) => html.indexOf(`race-card-${raceCardId}`);

describe("home", () => {
  it("lists race cards on sale, next off first, and filters them by venue", async () => {
    const today = dateAt(now());
    const tipster = await makeTipster();
    const later = await publishRaceCard({ creatorId: tipster.id, venue: "vaal", raceDate: today });
    const sooner = await publishRaceCard({
      creatorId: tipster.id,
      venue: "scottsville",
      raceDate: today,
    });
    await reportOffTimes(later.venue.id, today, { firstOff: "15:00" });
    await reportOffTimes(sooner.venue.id, today, { firstOff: "13:00" });
    const html = await page(new Browser());
    expect(positionOf(html, sooner.raceCardId)).toBeGreaterThan(0);
    expect(positionOf(html, later.raceCardId)).toBeGreaterThan(positionOf(html, sooner.raceCardId));
    const filtered = await page(new Browser(), "/?venue=vaal");
    expect(positionOf(filtered, later.raceCardId)).toBeGreaterThan(0);
    expect(positionOf(filtered, sooner.raceCardId)).toBe(-1);
    expect(await page(new Browser(), "/?venue=ascot")).toContain("Race cards on sale");
  });

  it("shows the selections to buyers only, not to guests, other users or the author", async () => {
    const { raceCardId, creatorId } = await publishRaceCard({
      venue: "fairview",
      races: [
        { raceNumber: 1, horseName: "Undisclosed Dancer", analysis: "An undisclosed reason." },
      ],
    });
    const reader = await makeUser({ coins: 4 });
    await unlockRaceCardAs(reader.id, { raceCardId });
    const open = await page(await signedIn(reader.id), "/?venue=fairview");
    expect(open).toContain("Undisclosed Dancer");
    expect(open).toContain("An undisclosed reason.");
    const others = [
      new Browser(),
      await signedIn((await makeUser()).id),
      await signedIn(creatorId),
    ];
    for (const browser of others)
      for (const path of ["/?venue=fairview", "/_.data?venue=fairview"]) {
        const html = await page(browser, path);
        expect(html).toContain(raceCardId);
        expect(html).not.toContain("Undisclosed");
        expect(html).not.toContain("undisclosed");
      }
  });

  it("is identical for all guests and contains no names of users", async () => {
    await publishRaceCard();
    const user = await makeUser({ name: "Very Private Person", coins: 7 });
    await page(await signedIn(user.id), "/?venue=kenilworth");
    const [one, other] = await Promise.all([
      new Browser().get("/?venue=kenilworth"),
      new Browser({ address: "10.9.9.9" }).get("/?venue=kenilworth"),
    ]);
    expect(one.headers.get("Set-Cookie")).toBeNull();
    expect(one.headers.get("ETag")).toBe(other.headers.get("ETag"));
    const html = await one.text();
    expect(html).toBe(await other.text());
    expect(html).not.toContain("Very Private Person");
    expect(html).not.toContain('idempotencyKey" value');
    const own = await (await signedIn(user.id)).get("/?venue=kenilworth");
    expect(own.headers.get("Cache-Control")).toBe("no-store");
    expect(await own.text()).toContain("Very Private Person");
  });

  it("counts the tips of today that can still be bought", async () => {
    const today = "2026-12-05";
    freezeClock(instantAt(today, "08:00"));
    const { venue } = await publishRaceCard({ venue: "vaal", raceDate: today, races: [1, 2] });
    await publishRaceCard({ venue: "greyville", raceDate: addDays(today, 1), races: [1, 2, 3] });
    await reportOffTimes(venue.id, today, { firstOff: "12:00" });
    const reader = await signedIn((await makeUser()).id);
    const counted = async (time: string) => {
      freezeClock(instantAt(today, time));
      const figures = /Today&#x27;s Racing[\s\S]*?<dl[\s\S]*?<\/dl>/.exec(await page(reader))?.[0];
      return figures?.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    };
    expect(await counted("09:00")).toContain("tips available 2 venue 1");
    expect(await counted("12:10")).toContain("tip available 1 venue 1");
    expect(await counted("12:40")).toContain("tips available 0 venues 0");
  });

  it("lists every card once across pages", async () => {
    const venue = await findTestVenue("greyville");
    const raceDate = addDays(dateAt(now()), 2);
    const ids: string[] = [];
    for (let index = 0; index < 13; index += 1)
      ids.push((await publishRaceCard({ venue: venue.slug, raceDate })).raceCardId);
    const seen: string[] = [];
    let path: string | undefined = "/?venue=greyville";
    for (let pages = 0; path && pages < 5; pages += 1) {
      const html: string = await page(new Browser(), path);
      seen.push(
        ...[...html.matchAll(/<article aria-labelledby="race-card-([^"]+)"/g)].map(
          ([, id]) => id ?? "",
        ),
      );
      path = /href="(\/\?venue=greyville&amp;after=[^"#]+)/
        .exec(html)?.[1]
        ?.replaceAll("&amp;", "&");
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of ids) expect(seen).toContain(id);
  });
});
