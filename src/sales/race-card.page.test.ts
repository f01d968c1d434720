import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import {
  makeAdmin,
  makeUser,
  publishRaceCard,
  type RaceToPublish,
  reportOffTimes,
  reportRaceDay,
} from "#test/factories.ts";
import { createResultConfirmer } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { readPublicTips } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";

const RACE_DATE = "2026-11-22";
const SECRET = { raceNumber: 1, horseName: "Hidden Horse", analysis: "A hidden analysis." };

let raceCard: Awaited<ReturnType<typeof publishRaceCard>>;
let path = "";

beforeEach(async () => {
  freezeClock(instantAt("2026-11-21", "08:00"));
  raceCard = await publishRaceCard({ raceDate: RACE_DATE, races: [SECRET, 2] });
  await reportOffTimes(raceCard.venue.id, RACE_DATE, { firstOff: "13:00", races: 2 });
  path = `/race-cards/${raceCard.raceCardId}`;
});
afterEach(() => freezeClock(null));

async function createBuyer(coins: number) {
  const user = await makeUser({ coins });
  const browser = new Browser();
  browser.applyCookies(await startSession(user.id));
  return { user, browser };
}

describe("submitting the form of a race card page", () => {
  it("opens the race card and shows the balance and every selection", async () => {
    const { user, browser } = await createBuyer(10);
    const html = await (
      await browser.post(path, { idempotencyKey: "once", acknowledgedRacesRun: "0" })
    ).text();
    expect(html).toContain("2 races available");
    expect(html).toContain("6 coins remaining");
    expect(html).toContain("Hidden Horse");
    expect(html).toContain("A hidden analysis.");
    expect((await readWallet(user.id)).balanceCoins).toBe(6);
  });

  it("charges 4 coins once when it is submitted repeatedly from several windows", async () => {
    const { user, browser } = await createBuyer(10);
    await Promise.all(
      ["a", "a", "b"].map((idempotencyKey) => browser.post(path, { idempotencyKey })),
    );
    await browser.post(path, { idempotencyKey: "a" });
    expect((await readWallet(user.id)).balanceCoins).toBe(6);
  });

  it("redirects a guest to the sign-in form and back", async () => {
    const response = await new Browser().post(path, { idempotencyKey: "once" });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/login?return=${encodeURIComponent(path)}`);
  });

  it("shows the refusal and charges nothing", async () => {
    const poorBuyer = await createBuyer(3);
    const html = await (await poorBuyer.browser.post(path, {})).text();
    expect(html).toContain("A race card costs 4 coins\u00a0· R40. You have 3 coins.");
    expect(html).toContain('href="/buy-coins"');
    expect(html).not.toContain("Hidden Horse");
    expect((await readWallet(poorBuyer.user.id)).balanceCoins).toBe(3);

    const authorBrowser = new Browser();
    authorBrowser.applyCookies(await startSession(raceCard.creatorId));
    expect(await (await authorBrowser.post(path, {})).text()).toContain(
      "This is your own race card",
    );

    freezeClock(instantAt(RACE_DATE, "14:00"));
    const lateBuyer = await createBuyer(10);
    expect(await (await lateBuyer.browser.post(path, {})).text()).toContain("no longer on sale");
    expect((await readWallet(lateBuyer.user.id)).balanceCoins).toBe(10);
    expect((await lateBuyer.browser.post("/race-cards/nothing", {})).status).toBe(404);
  });

  it("asks for confirmation when races have been run, then opens the race card", async () => {
    freezeClock(instantAt(RACE_DATE, "13:10"));
    const { user, browser } = await createBuyer(10);
    const confirmationPage = await (await browser.post(path, { acknowledgedRacesRun: "0" })).text();
    expect(confirmationPage).toContain("1 of 2 races run");
    expect(confirmationPage).toContain('name="acknowledgedRacesRun" value="1"');
    expect((await readWallet(user.id)).balanceCoins).toBe(10);
    expect(await (await browser.post(path, { acknowledgedRacesRun: "1" })).text()).toContain(
      "Hidden Horse",
    );
    expect((await readWallet(user.id)).balanceCoins).toBe(6);
  });
});

describe("a race card page before it is opened", () => {
  it("shows the record, the last race card at this track without analyses, and the price at the bottom", async () => {
    const { creatorId, venue } = raceCard;
    const publishOn = async (raceDate: string, track: string, horseName: string) => {
      freezeClock(instantAt(raceDate, "08:00"));
      const races = [{ raceNumber: 1, horseName, analysis: "A sold analysis." }];
      return await publishRaceCard({ creatorId, raceDate, venue: track, races });
    };
    const other = venue.slug === "vaal" ? "kenilworth" : "vaal";
    await publishOn("2026-11-18", venue.slug, "Older Horse");
    const last = await publishOn("2026-11-19", venue.slug, "Copper Kettle");
    await publishOn("2026-11-20", other, "Elsewhere Horse");
    freezeClock(instantAt(RACE_DATE, "08:00"));
    await enterTipResultAsTwo((await makeAdmin()).id, {
      tipId:
        (await readPublicTips({ at: now(), raceCardIds: [last.raceCardId] })).tips[0]?.id ?? "",
      result: "lost",
      reason: "Judge",
    });
    const { user, browser } = await createBuyer(4);
    const text = await readVisibleText(await browser.get(path));
    expect(text).toContain("No official results yet.");
    expect(text).toContain("Too few tips to rank");
    expect(text).toMatch(/Last time at .*, Thu, 19 Nov/);
    expect(text).toContain("Published 19 Nov 2026, 08:00");
    expect(text).toMatch(/Copper Kettle.*Lost/i);
    expect(text).toContain("2 races to come");
    for (const hidden of ["Older Horse", "Elsewhere Horse", "A sold analysis.", "Hidden Horse"])
      expect(text).not.toContain(hidden);

    await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
    const opened = await readVisibleText(await browser.get(path));
    expect(opened).not.toContain("Last time at");
    expect(opened).not.toContain("2 races to come");
  });
});

describe("a race card page after the sale", () => {
  it("shows the analysis of the next race only, and strikes off the races run", async () => {
    const { user, browser } = await createBuyer(4);
    await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
    const readRows = async () => {
      const html = await (await browser.get(path)).text();
      return [...html.matchAll(/<details( open="")?[^>]*>.*?<\/details>/gs)]
        .filter(([row]) => row.includes(">Number "))
        .map(([row, open]) => ({ isOpen: Boolean(open), isRun: row.includes("(run)") }));
    };
    expect(await readRows()).toEqual([
      { isOpen: true, isRun: false },
      { isOpen: false, isRun: false },
    ]);
    freezeClock(instantAt(RACE_DATE, "13:00"));
    expect(await readRows()).toEqual([
      { isOpen: false, isRun: true },
      { isOpen: true, isRun: false },
    ]);
    freezeClock(instantAt(RACE_DATE, "18:00"));
    expect(await readRows()).toEqual([
      { isOpen: false, isRun: true },
      { isOpen: false, isRun: true },
    ]);
  });

  it("shows a hidden race card to its buyers only", async () => {
    const { user, browser } = await createBuyer(4);
    const opened = await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
    freezeClock(new Date(now().getTime() + 60_000));
    const admin = await makeAdmin();
    for (const tip of opened.ok ? opened.tips : []) await hideTip(admin.id, tip.id);
    expect(await (await browser.get(path)).text()).toContain("A hidden analysis.");
    expect((await new Browser().get(path)).status).toBe(404);
  });

  it("shows that a race card is void, and the returned coins once they are credited", async () => {
    const { user, browser } = await createBuyer(4);
    await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
    expect(await (await browser.get(path)).text()).toContain("Unlocked");
    const admin = await makeAdmin();
    const params = { raceCardId: raceCard.raceCardId, reason: "Meeting abandoned" };
    expect(await voidRaceCardAsTwo(admin.id, params)).toMatchObject({ ok: true, voided: 2 });
    for (const page of [path, "/my-cards"]) {
      const html = await (await browser.get(page)).text();
      expect(html).toContain("Every race on this race card is void.");
      expect(html).not.toContain("to your wallet");
      expect(html).not.toContain("Unlocked");
      expect(html).not.toMatch(/Race 1 at/);
    }
    await drainQueue([returnCoins]);
    for (const page of [path, "/my-cards"])
      expect(await (await browser.get(page)).text()).toContain(
        "Every race on this race card is void. We have returned your 4 coins to your wallet.",
      );
  });

  it("shows a buyer how many coins were returned for void races", async () => {
    const { user, browser } = await createBuyer(4);
    const opened = await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
    const admin = await makeAdmin();
    const tipId = opened.ok ? (opened.tips[0]?.id ?? "") : "";
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
    await drainQueue([returnCoins]);
    const other = await createBuyer(4);
    for (const page of [path, "/my-cards"]) {
      const text = "We have returned 2 coins of 4 to your wallet for void races.";
      expect(await (await browser.get(page)).text()).toContain(text);
      expect(await (await other.browser.get(page)).text()).not.toContain("We have returned");
    }
  });

  it("shows an unconfirmed meeting until its race day is reported", async () => {
    const open = await publishRaceCard({ raceDate: "2026-11-24", races: [1], venue: "vaal" });
    const { browser } = await createBuyer(4);
    const guest = new Browser();
    const pages = async () => [
      await (await browser.get(`/race-cards/${open.raceCardId}`)).text(),
      await (await guest.get(`/unlock/${open.raceCardId}`)).text(),
    ];
    const readConfirmed = async () => {
      const response = await guest.get("/api/race-cards?venue=vaal&date=2026-11-24");
      const { raceCards } = (await response.json()) as {
        raceCards: { id: string; meetingConfirmed: boolean }[];
      };
      return raceCards.find(({ id }) => id === open.raceCardId)?.meetingConfirmed;
    };
    for (const page of await pages()) expect(page).toContain("Meeting not confirmed");
    expect(await readConfirmed()).toBe(false);
    await reportOffTimes(open.venue.id, "2026-11-24", { races: 8 });
    for (const page of await pages()) expect(page).not.toContain("Meeting not confirmed");
    expect(await readConfirmed()).toBe(true);
  });

  it("shows no selection between the last off and midnight, then selections without analyses", async () => {
    freezeClock(instantAt(RACE_DATE, "23:59"));
    const evening = await (await new Browser().get(`${path}?tipster=evening`)).text();
    expect(evening).toContain("No longer on sale");
    expect(evening).toContain("All races have started.");
    expect(evening).not.toContain("Hidden Horse");
    freezeClock(instantAt("2026-11-23", "00:00"));
    const { tips } = await readPublicTips({ at: now(), raceCardIds: [raceCard.raceCardId] });
    expect(tips).toHaveLength(2);
    const morning = await (await new Browser().get(`${path}?tipster=morning`)).text();
    expect(morning).toContain("Hidden Horse");
    expect(morning).not.toContain("A hidden analysis.");
  });

  it("does not promise results for a race card that is off sale because its tipster is suspended", async () => {
    await suspendCreator((await makeAdmin()).id, raceCard.creatorId);
    const page = async () =>
      await readVisibleText(await new Browser().get(`${path}?suspended=${now().getTime()}`));
    expect(await page()).toContain("This tipster's race cards are not on sale at the moment.");
    freezeClock(instantAt("2026-11-23", "00:00"));
    const nextDay = await page();
    expect(nextDay).toContain("This tipster's race cards are not on sale at the moment.");
    expect(nextDay).not.toContain("Public");
    expect(nextDay).not.toContain("become public");
  });
});

describe("the page of a race card without a selection to sell", () => {
  const NEXT_DAY = "2026-11-23";
  const reason = "Meeting abandoned";
  let pages = 0;
  let cardPath = "";
  let card: typeof raceCard;

  beforeEach(async () => {
    await publishAt("vaal", [SECRET]);
  });

  async function publishAt(venue: string, races: RaceToPublish[]) {
    card = await publishRaceCard({ raceDate: RACE_DATE, venue, races });
    cardPath = `/race-cards/${card.raceCardId}`;
  }

  /** Reads a page as a guest, each time with another parameter, because pages of guests are cached. */
  async function readAsGuest(target = cardPath) {
    pages += 1;
    const response = await new Browser().get(`${target}?tipster=unsold-${pages}`);
    expect(response.status).toBe(200);
    return await readVisibleText(response);
  }
  /** Returns everything that a guest and a user without the race card receive. */
  async function readEverything() {
    pages += 1;
    const { browser } = await createBuyer(4);
    const bodies = [cardPath, `${cardPath}.data`].flatMap((target) => [
      new Browser().get(`${target}?tipster=unsold-${pages}`),
      browser.get(target),
    ]);
    return (await Promise.all(bodies.map(async (body) => await (await body).text()))).join("");
  }
  /** Reports two races at the track with runners, of which one horse number is scratched. */
  async function reportRunners(scratched: number) {
    await reportRaceDay(
      card.venue.id,
      RACE_DATE,
      [1, 2].map((raceNumber) => ({
        raceNumber,
        time: `1${raceNumber}:00`,
        surface: "turf" as const,
        distanceMetres: 1200,
        runners: [1, 2, 3, 4].map((number) => ({
          number,
          horseName: `Horse ${number} of ${raceNumber}`,
          jockey: null,
          trainer: null,
          draw: null,
          isScratched: number === scratched,
        })),
      })),
    );
  }
  async function openAsCreator() {
    const browser = new Browser();
    browser.applyCookies(await startSession(card.creatorId));
    const response = await browser.get(cardPath);
    expect(response.status).toBe(200);
    return await readVisibleText(response);
  }

  it("says that it is void, names the horse from the reveal on, and never the analysis", async () => {
    await voidRaceCardAsTwo((await makeAdmin()).id, { raceCardId: card.raceCardId, reason });
    for (const at of ["2026-11-21T08:00", `${RACE_DATE}T23:59`]) {
      freezeClock(instantAt(at.slice(0, 10), at.slice(11)));
      const text = await readAsGuest();
      expect(text).toContain("No longer on sale");
      expect(text).toContain("Every race on this race card is void.");
      expect(text).not.toMatch(/Off times|All races run|locked|Open race card/);
      expect(await readEverything()).not.toMatch(/Hidden Horse|hidden analysis/);
      expect(await openAsCreator()).toMatch(/Your card.*Every race on this race card is void\./);
    }
    freezeClock(instantAt(NEXT_DAY, "00:00"));
    const text = await readAsGuest();
    expect(text).toMatch(/Hidden Horse.*Void/);
    expect(text).toContain("Every race on this race card is void.");
    expect(await openAsCreator()).toMatch(/Hidden Horse.*Void/);
    expect(await readEverything()).not.toContain("hidden analysis");
  });

  it("names the horse of a race with an official result on the day, and of an abandoned race at midnight", async () => {
    const races = [1, 2].map((raceNumber) => ({
      raceNumber,
      horseNumber: 2,
      horseName: `Horse 2 of ${raceNumber}`,
      analysis: "A hidden analysis.",
    }));
    await publishAt("scottsville", races);
    await reportRunners(2);
    const confirm = await createResultConfirmer();
    const race = { venueId: card.venue.id, raceDate: RACE_DATE };
    await confirm(
      { ...race, raceNumber: 1 },
      {
        order: [
          [1, "5/1"],
          [3, "3/1"],
          [4, "2/1"],
        ],
      },
    );
    await confirm({ ...race, raceNumber: 2 }, { order: [], status: "abandoned" });
    freezeClock(instantAt(RACE_DATE, "20:00"));
    for (const text of [await readAsGuest(), await openAsCreator()]) {
      expect(text).toContain("Every race on this race card is void.");
      expect(text).toMatch(/Horse 2 of 1.*Void/);
    }
    expect(await readEverything()).not.toMatch(/Horse 2 of 2|hidden analysis/);
    freezeClock(instantAt(NEXT_DAY, "00:00"));
    expect(await readAsGuest()).toMatch(/Horse 2 of 1.*Horse 2 of 2/);
    expect(await readEverything()).not.toContain("hidden analysis");
  });

  it("says that its horses are scratched without naming them", async () => {
    await publishAt("turffontein", [{ ...SECRET, horseNumber: 2, horseName: "Horse 2 of 1" }]);
    await reportRunners(2);
    const text = await readAsGuest();
    expect(text).toContain("Every selection on this race card is scratched or void.");
    expect(text).toContain("Scratched");
    expect(await readEverything()).not.toMatch(/Horse 2 of 1|hidden analysis/);
    expect(await openAsCreator()).toContain(
      "Every selection on this race card is scratched or void.",
    );
  });

  it("is found by its creator only while every selection is hidden", async () => {
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1",
      [card.raceCardId],
    );
    for (const { id } of rows) await hideTip((await makeAdmin()).id, id);
    const { browser } = await createBuyer(4);
    for (const at of [instantAt("2026-11-21", "08:00"), instantAt(NEXT_DAY, "00:00")]) {
      freezeClock(at);
      expect((await browser.get(cardPath)).status).toBe(404);
      expect((await new Browser().get(cardPath)).status).toBe(404);
      expect((await new Browser().get(`/unlock/${card.raceCardId}`)).status).toBe(404);
      expect(await openAsCreator()).toContain("We have hidden every selection on this race card.");
    }
  });

  it("shows no selection of a suspended tipster", async () => {
    const admin = await makeAdmin();
    await voidRaceCardAsTwo(admin.id, { raceCardId: card.raceCardId, reason });
    await suspendCreator(admin.id, card.creatorId);
    freezeClock(instantAt(NEXT_DAY, "00:00"));
    expect(await readAsGuest()).toContain("are not on sale at the moment.");
    expect(await readEverything()).not.toContain("Hidden Horse");
  });

  it("leads a guest who wants to buy it to the race cards on sale", async () => {
    await voidRaceCardAsTwo((await makeAdmin()).id, { raceCardId: card.raceCardId, reason });
    const response = await new Browser().get(`/unlock/${card.raceCardId}`);
    expect(response.status).toBe(200);
    const text = await readVisibleText(response);
    expect(text).toContain("This race card is no longer on sale");
    expect(text).toContain("See race cards on sale");
  });
});
