import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { countNewUsers, startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { makeDemoPurchase, readDayTakings } from "#payments/payments.server.ts";
import type { AlertKind } from "#platform/alert-kinds.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { checkAllInvariants, checkRecentInvariants } from "#platform/integrity/integrity.server.ts";
import { readMeetings } from "#racing/racing.server.ts";
import { countSalesOfRaceCards, readDaySales, unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  findTestVenue,
  makeAdmin,
  makeUser,
  publishRaceCard,
  reportOffTimes,
  reportRaceDay,
} from "#test/factories.ts";
import { reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import {
  countOverdueRaceCards,
  listOverdueRaceCards,
  listScratchedSelections,
} from "#tips/tips.server.ts";
import { countTasks } from "./count-tasks.server.ts";
import { listActivity } from "./list-activity.server.ts";

const DATE = "2026-12-16";
const at = (time: string, date = DATE) => instantAt(date, time);

afterEach(() => freezeClock(null));

async function signInAdmin(): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeAdmin()).id));
  return browser;
}

/** Returns the task lists of Today and of the pages that a link with this parameter leads to. */
async function readTaskPages(browser: Browser, parameter: string): Promise<string[]> {
  const pages: string[] = [];
  for (let path: string | undefined = "/admin"; path; ) {
    const html: string = await (await browser.get(path)).text();
    pages.push(/<table.*?<\/table>/s.exec(html)?.[0] ?? "");
    path = new RegExp(`href="(/admin\\?${parameter}=[^"]+)"`).exec(html)?.[1];
  }
  return pages;
}

describe("the figures of a day", () => {
  it("count what was taken since midnight in South Africa, and a week ago up to the same time", async () => {
    const buyer = await makeUser();
    const buy = (instant: Date) =>
      makeDemoPurchase({ userId: buyer.id, coinPackId: "value_8", at: instant });
    await buy(at("23:59", "2026-12-15"));
    await buy(at("00:00"));
    await buy(at("09:15"));
    await buy(at("08:00", "2026-12-09"));
    await buy(at("20:00", "2026-12-09"));
    const { today, lastWeek, hours } = await readDayTakings(at("12:00"));
    expect(today.purchases).toBe(2);
    expect(lastWeek.purchases).toBe(1);
    expect(today.amountCents).toBe(2 * lastWeek.amountCents);
    const price = lastWeek.amountCents;
    expect(hours[0]).toEqual({ hour: 0, amountCents: price, usualCents: 0 });
    expect(hours[8]).toEqual({ hour: 8, amountCents: 0, usualCents: Math.round(price / 4) });
    expect(hours[9]).toEqual({ hour: 9, amountCents: price, usualCents: 0 });
    expect(hours[20]?.usualCents).toBe(Math.round(price / 4));
  });

  it("count opened race cards and new accounts of the day only", async () => {
    freezeClock(at("09:00"));
    const buyer = await makeUser({ coins: 8 });
    const { raceCardId } = await publishRaceCard({ raceDate: DATE });
    freezeClock(at("10:00"));
    const before = await readDaySales(at("09:59"));
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const after = await readDaySales(at("10:00"));
    expect(after.sales).toBe(before.sales + 1);
    expect(after.priceCents).toBe(before.priceCents + 4000);
    expect(after.keptCents).toBe(before.keptCents + 1200);
    expect((await readDaySales(at("10:00", "2026-12-23"))).salesLastWeek).toBe(after.sales);
    expect(await countSalesOfRaceCards([raceCardId])).toEqual(new Map([[raceCardId, 1]]));
    expect((await countNewUsers(at("00:00"))).users).toBeGreaterThan(0);
    expect((await countNewUsers(at("00:00", "2026-12-17"))).users).toBe(0);
  });
});

describe("what is to be done", () => {
  it("lists overdue results once for each race card", async () => {
    freezeClock(at("08:00"));
    const { raceCardId } = await publishRaceCard({ raceDate: DATE, races: [1, 2, 5] });
    const listOverdue = async (date: string) =>
      (await listOverdueRaceCards(at("09:00", date), 50)).filter(
        (raceCard) => raceCard.raceCardId === raceCardId,
      );
    expect(await listOverdue("2026-12-19")).toEqual([]);
    expect(await listOverdue("2026-12-20")).toMatchObject([{ raceNumbers: [1, 2, 5] }]);
    const later = at("09:00", "2026-12-20");
    expect(await countOverdueRaceCards(later)).toBe(
      (await listOverdueRaceCards(later, 1000)).length,
    );
  });

  it("shows a scratched selection with the number of its buyers, and none without buyers", async () => {
    freezeClock(at("08:00"));
    const runner = {
      number: 2,
      horseName: "Secret Horse 1",
      jockey: null,
      trainer: null,
      draw: null,
    };
    const declare = async (venueId: string, isScratched: boolean) =>
      await reportRaceDay(venueId, DATE, [
        { raceNumber: 1, time: "14:00", runners: [{ ...runner, isScratched }] },
      ]);
    const races = [{ raceNumber: 1, horseNumber: 2, horseName: "Secret Horse 1" }];
    const sold = await publishRaceCard({ venue: "greyville", raceDate: DATE, races });
    const unsold = await publishRaceCard({ venue: "greyville", raceDate: DATE, races });
    await declare(sold.venue.id, false);
    const buyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(buyer.id, sold);
    freezeClock(at("09:00"));
    await declare(sold.venue.id, true);
    const listed = (await listScratchedSelections(at("10:00"), 50)).map(
      ({ raceCardId }) => raceCardId,
    );
    expect(listed).toEqual(expect.arrayContaining([sold.raceCardId, unsold.raceCardId]));
    freezeClock(at("10:00"));
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    const html = await (await browser.get("/admin")).text();
    expect(html).toContain(`href="/admin/race-cards/${sold.raceCardId}#race-1"`);
    expect(html).not.toContain(unsold.raceCardId);
    expect(await listScratchedSelections(at("10:00", "2026-12-17"), 50)).toEqual([]);
  });

  it("shows the state of each race of today's meetings", async () => {
    freezeClock(at("08:00"));
    const { venue } = await publishRaceCard({ venue: "vaal", raceDate: DATE });
    await reportOffTimes(venue.id, DATE, { firstOff: "13:00", races: 3 });
    const readStates = async (time: string) =>
      (await readMeetings(DATE, at(time)))
        .find(({ venueId }) => venueId === venue.id)
        ?.races.map(({ state }) => state);
    expect(await readStates("12:59")).toEqual(["to-come", "to-come", "to-come"]);
    expect(await readStates("13:00")).toEqual(["due", "to-come", "to-come"]);
    expect(await readMeetings("2026-12-17", at("12:00"))).toEqual([]);
  });
});

describe("the page", () => {
  it("shows what happened last: purchases, opened race cards and new accounts, each with its page", async () => {
    freezeClock(at("11:00"));
    const buyer = await makeUser({ name: "Thandeka Nkosi", coins: 4 });
    const { raceCardId } = await publishRaceCard({ venue: "scottsville", raceDate: DATE });
    freezeClock(at("11:02"));
    await unlockRaceCardAs(buyer.id, { raceCardId });
    await makeDemoPurchase({ userId: buyer.id, coinPackId: "value_8", at: at("11:01") });
    const events = await listActivity();
    expect(events.length).toBeLessThanOrEqual(8);
    expect(events[0]).toMatchObject({ at: at("11:02"), path: `/admin/race-cards/${raceCardId}` });
    expect(events[0]?.text).toMatch(/^Thandeka Nkosi opened Scottsville, .* 16 Dec.*, by /);
    expect(events[1]?.text).toBe("Thandeka Nkosi paid R70.00");
    expect(events.find(({ path }) => path === `/admin/users/${buyer.id}`)?.text).toMatch(
      /^Thandeka Nkosi signed up/,
    );
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    expect(await (await browser.get("/admin")).text()).toContain("Thandeka Nkosi paid R70.00");
  });

  it("lists the unconfirmed results of a meeting once, to be confirmed by another admin", async () => {
    freezeClock(at("08:00"));
    const { id: venueId } = await findTestVenue("fairview");
    await reportRacesWithRunners(venueId, DATE, { races: 2, runners: 3 });
    freezeClock(at("19:00"));
    const [first, second] = [new Browser(), new Browser()];
    for (const browser of [first, second])
      browser.applyCookies(await startSession((await makeAdmin()).id));
    const path = `/admin/results/${venueId}/${DATE}`;
    for (const raceNumber of [2, 1])
      await first.post(`${path}/${raceNumber}`, {
        ...{ status: "official", order: "1 2 3", nonRunners: "", off: "", placesPaid: "" },
        ...{ source: "NHA", sourceUrl: "" },
      });
    const readTasks = async (browser: Browser) =>
      /<table.*?<\/table>/s.exec(await (await browser.get("/admin")).text())?.[0] ?? "";
    const own = await readTasks(first);
    expect(own).toContain("races 1 and 2");
    expect(own).toContain("entered by you: another admin confirms");
    expect(own).toContain(">Open<");
    const others = await readTasks(second);
    expect(others.split(`href="${path}"`)).toHaveLength(2);
    expect(others).toContain(">Confirm<");
  });

  it("lists five overdue race cards and links to the others", async () => {
    freezeClock(at("08:00"));
    for (let index = 0; index < 6; index += 1) await publishRaceCard({ raceDate: DATE });
    freezeClock(at("09:00", "2026-12-23"));
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    const html = await (await browser.get("/admin")).text();
    expect(html.match(/Results overdue/g)).toHaveLength(5);
    expect(await readVisibleText(await browser.get("/admin"))).toMatch(/All tips without a result/);
  });

  it("lists disputes first and the oldest alerts before newer ones, and leads to the others", async () => {
    const browser = await signInAdmin();
    const raise = async (time: string, kind: AlertKind, message: string) => {
      freezeClock(at(time));
      await raiseAlert({ kind, subject: randomUUID(), message });
    };
    await raise("04:00", "transfer-failed", "Today 0 failed.");
    await raise("05:00", "dispute", "Today 1 is disputed.");
    await raise("05:30", "dispute", "Today 2 is disputed.");
    for (let index = 3; index <= 41; index += 1)
      await raise(
        `06:${index}`.replace(/:(\d)$/, ":0$1"),
        "transfer-failed",
        `Today ${index} failed.`,
      );
    try {
      const pages = (await readTaskPages(browser, "alerts")).map((page) =>
        [...page.matchAll(/Today (\d+) (?:failed|is disputed)/g)].map(([, index]) => Number(index)),
      );
      expect(pages[0]?.slice(0, 3)).toEqual([1, 2, 0]);
      expect(pages.flat()).toEqual([
        1,
        2,
        0,
        ...Array.from({ length: 39 }, (_, index) => index + 3),
      ]);
      expect(pages.length).toBeGreaterThanOrEqual(3);
      const last = await (await browser.get(`/admin?alerts=${randomUUID()}`)).text();
      expect(last).toContain("Back to the start");
    } finally {
      await pool().query("delete from alerts where message like 'Today %'");
    }
  });

  it("shows a failed full check until the next full check passes, also after a recent one", async () => {
    freezeClock(at("01:00"));
    const { id, email } = await makeUser();
    const setEmail = (address: string) =>
      pool().query("update users set email = $2 where id = $1", [id, address]);
    const check = async (job: typeof checkAllInvariants, time: string) => {
      freezeClock(at(time));
      await job.run({}, { isLast: true });
    };
    const browser = await signInAdmin();
    const readStatus = async () => {
      const text = await readVisibleText(await browser.get("/admin"));
      const shown = text.split("No open account has an email address that is reserved").length - 1;
      return { shown, failures: (await countTasks()).failures };
    };
    await check(checkAllInvariants, "03:09");
    const before = await readStatus();
    expect(before.shown).toBe(0);
    await setEmail(`${id}@closed.invalid`);
    try {
      await check(checkAllInvariants, "03:10");
      // As a failed check and as an alert.
      const failed = { shown: 2, failures: before.failures + 1 };
      expect(await readStatus()).toEqual(failed);
      await check(checkRecentInvariants, "03:15");
      expect(await readStatus()).toEqual(failed);
      expect(await (await browser.get("/admin")).text()).not.toContain("Integrity checks passed");
    } finally {
      await setEmail(email);
    }
    await pool().query("delete from alerts where kind = 'integrity'");
    await check(checkRecentInvariants, "03:16");
    expect(await readStatus()).toEqual({ shown: 1, failures: before.failures + 1 });
    await check(checkAllInvariants, "03:20");
    expect(await readStatus()).toEqual(before);
  });

  it("lists the oldest failed emails, leads to the others, and dismisses one", async () => {
    freezeClock(at("12:00"));
    const browser = await signInAdmin();
    const ids: string[] = [];
    for (let index = 0; index <= 21; index += 1) {
      const { rows } = await pool().query(
        `insert into emails (recipient, kind, subject, text, created_at, failed_at, failure)
         values ('nobody@example.test', 'welcome', 'Hallo', 't', $1, $1, $2) returning id`,
        [new Date(now().getTime() - 60_000 * (60 - index)), `No mailbox ${index}!`],
      );
      ids.push(rows[0].id);
    }
    const readPages = async () =>
      (await readTaskPages(browser, "emails")).map((page) =>
        [...page.matchAll(/No mailbox (\d+)!/g)].map(([, index]) => Number(index)),
      );
    const all = Array.from({ length: 22 }, (_, index) => index);
    expect(await readPages()).toEqual([all.slice(0, 20), all.slice(20)]);
    const { emails } = await countTasks();
    for (const status of [200, 200])
      expect((await browser.post(`/admin/emails/${ids[0]}/dismiss`, {})).status).toBe(status);
    expect(await readPages()).toEqual([all.slice(1, 21), all.slice(21)]);
    expect((await countTasks()).emails).toBe(emails - 1);
  });

  it("shows the day, its figures and the totals", async () => {
    freezeClock(at("12:00"));
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    const text = await readVisibleText(await browser.get("/admin"));
    expect(text).toContain("Wednesday, 16 December");
    for (const label of [
      "Taken today",
      "Failed payments",
      "Do now",
      "Today's meetings",
      "Customers' money",
    ])
      expect(text).toContain(label);
    expect(text).toContain("Total Users");
  });
});
