import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { foldSearchText } from "#domain/fold-search-text.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";

/** Each test has its own day. */
let today: CalendarDate = "2027-06-20";
beforeEach(() => {
  today = addDays(today, 2);
  freezeClock(instantAt(today, "08:00"));
});
afterEach(() => freezeClock(null));

async function readSearch(search: string, browser = new Browser()) {
  const response = await browser.get(`/search?${new URLSearchParams({ q: search })}`);
  return { status: response.status, html: await response.text() };
}

const publishHorse = async (horseName: string, creatorId?: string) =>
  await publishRaceCard({
    creatorId,
    raceDate: today,
    races: [{ raceNumber: 1, horseNumber: 2, horseName }],
  });

describe("the public search", () => {
  it("finds tipsters, tracks and answers, also without accents and with extra spaces", async () => {
    const tipster = await makeTipster({ name: "Zoë Ngöma Naps" });
    await findTestVenue();
    for (const search of [tipster.name, "zoe ngoma", "  ZOË   ngoma ", "goma"])
      expect((await readSearch(search)).html, search).toContain(`href="/tipsters/${tipster.slug}"`);
    for (const search of ["kenilw", "KENILWORTH", "Kenilw\u00f3rth"])
      expect((await readSearch(search)).html, search).toContain('href="/tracks/kenilworth"');
    expect((await readSearch("refund")).html).toContain('href="/help?answer=refunds#refunds"');
  });

  it("finds a horse from midnight after its race date and not earlier, even for its buyer", async () => {
    const { raceCardId } = await publishHorse("Quagga Zephyr");
    const buyer = await makeUser({ coins: 4 });
    const browser = new Browser();
    browser.applyCookies(await startSession(buyer.id));
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const link = `href="/race-cards/${raceCardId}"`;
    for (const time of ["08:00", "23:59"]) {
      freezeClock(instantAt(today, time));
      for (const viewer of [new Browser(), browser]) {
        const { html } = await readSearch("quagga", viewer);
        expect(html).not.toContain(link);
        expect(html).not.toContain("Zephyr");
        expect(html).toContain("Nothing found for");
      }
    }
    freezeClock(instantAt(addDays(today, 1)));
    for (const search of ["quagga", "ZEPH", " quagga   zephyr ", "zephyr quagga"]) {
      const { html } = await readSearch(search);
      expect(html, search).toContain(link);
      expect(html, search).toContain("Quagga Zephyr");
      expect(html, search).not.toContain("secret reason");
    }
    expect((await readSearch("uagga")).html).toContain("Nothing found for");
  });

  it("finds a horse as soon as its race has an official result, and no other of the card", async () => {
    const { id: venueId } = await findTestVenue();
    await reportRacesWithRunners(venueId, today);
    const { raceCardId } = await publishRaceCard({
      raceDate: today,
      races: [1, 2].map((raceNumber) => ({
        raceNumber,
        horseNumber: raceNumber + 1,
        horseName: `Horse ${raceNumber + 1}`,
      })),
    });
    const link = `href="/race-cards/${raceCardId}"`;
    expect((await readSearch("horse 2")).html).not.toContain(link);
    const confirm = await createResultConfirmer();
    await confirm(
      { venueId, raceDate: today, raceNumber: 1 },
      {
        order: [
          [2, "5/1"],
          [3, "3/1"],
          [5, "2/1"],
        ],
      },
    );
    expect((await readSearch("horse 2")).html).toContain(link);
    expect((await readSearch("horse 3")).html).not.toContain(link);
  });

  it("finds a horse with accents and punctuation by either spelling", async () => {
    const { raceCardId } = await publishHorse("Señor O’Leary-Fynbos");
    freezeClock(instantAt(addDays(today, 1)));
    const link = `href="/race-cards/${raceCardId}"`;
    for (const search of [
      "senor",
      "SEÑOR",
      "Sen\u0303or O'Leary",
      "leary fynbos",
      "o’leary-fynbos",
    ])
      expect((await readSearch(search)).html, search).toContain(link);
  });

  it("finds no horse of a suspended tipster or a hidden tip, and no suspended tipster", async () => {
    const tipster = await makeTipster();
    const { raceCardId } = await publishHorse("Unlisted Nightjar", tipster.id);
    freezeClock(instantAt(addDays(today, 1)));
    const link = `href="/race-cards/${raceCardId}"`;
    const suspend = (at: string) =>
      pool().query(`update creators set suspended_at = ${at} where user_id = $1`, [tipster.id]);
    expect((await readSearch("nightjar")).html).toContain(link);
    await suspend("now()");
    expect((await readSearch("nightjar")).html).not.toContain(link);
    expect((await readSearch(tipster.name)).html).toContain("Nothing found for");
    await suspend("null");
    await pool().query("update tips set hidden_at = now() where race_card_id = $1", [raceCardId]);
    expect((await readSearch("nightjar")).html).not.toContain(link);
  });

  it.each([
    ["", "Browse the help centre"],
    ["   ", "Browse the help centre"],
    ["ab", "Enter at least 3 letters or digits."],
    ["%%%_", "Enter at least 3 letters or digits."],
    ["x".repeat(61), "Enter at most 60 characters."],
    ["x".repeat(5_000), "Enter at most 60 characters."],
  ])("searches nothing for %j", async (search, message) => {
    const { status, html } = await readSearch(search);
    expect(status).toBe(200);
    expect(html).toContain(message);
    expect(html).not.toContain("Nothing found");
    expect(html).not.toContain('id="tipsters"');
  });

  it.each(["%%%abc", "abc_", "x%enilworth", "kenil_orth"])(
    "treats the wildcards of %j as text",
    async (search) => {
      await findTestVenue();
      const { html } = await readSearch(search);
      expect(html).toContain("Nothing found for");
    },
  );

  it.each([
    '<script>alert("x")</script>',
    "'; drop table tips; --",
    "%_\\ & | ! ( ) : * <-> abc",
    "é 🐎 ' \\' '':* abc",
    "\\' or 1=1",
  ])("escapes %j in the response", async (search) => {
    const { status, html } = await readSearch(search);
    expect(status).toBe(200);
    expect(html).not.toContain('<script>alert("x")');
  });

  it("refuses after too many searches from one address", async () => {
    await findTestVenue();
    await readSearch("kenilworth");
    await pool().query("update rate_limits set points = 100000 where key like 'search:%'");
    const { status, html } = await readSearch("kenilworth");
    expect(status).toBe(429);
    expect(html).toContain("Too many searches");
    expect(html).not.toContain('href="/tracks/kenilworth"');
    await pool().query("delete from rate_limits where key like 'search:%'");
    expect((await readSearch("kenilworth")).status).toBe(200);
  });

  it("is not cached, and folds texts as the database does", async () => {
    const response = await new Browser().get("/search?q=kenilworth");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const texts = [
      "Señor O’Leary-Fynbos (SAF)",
      "Ĳsberg_№ 5!",
      "a[b]\\^`{|}~@z",
      "ÉÈ Ø ß",
      "x.y/z",
    ];
    for (const text of texts) {
      const { rows } = await pool().query("select fold_search_text($1) as folded", [text]);
      expect(rows[0]?.folded).toBe(foldSearchText(text));
    }
  });
});
