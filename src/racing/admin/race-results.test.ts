import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, formatDate, instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { readEarningsSummary } from "#payouts/payouts.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
  reportRaceDay,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResults } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { deleteVenue } from "../delete-venue.server.ts";
import { toSecondEntry } from "../results/confirm-race-result.server.ts";
import { readRaceForResult } from "../results/read-race-for-result.server.ts";
import { readOfficialResults } from "../results/read-results.server.ts";

const HORSES = ["Harbour Light", "Sea Mist", "Late Entry", "Cold Front", "Red Kite", "Old Song"];

let first: Person;
let second: Person;
let browsers: [Browser, Browser];
let venueId: string;
let raceDate = "2027-03-01";

beforeAll(async () => {
  first = await makeAdmin("Nomsa Radebe");
  second = await makeAdmin("Pieter Botha");
  browsers = [new Browser(), new Browser()];
  venueId = (await findTestVenue()).id;
});
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  const runners = HORSES.map((horseName, index) => ({
    number: index + 1,
    horseName,
    jockey: null,
    trainer: null,
    draw: null,
    isScratched: false,
  }));
  await reportRaceDay(venueId, raceDate, [
    { raceNumber: 1, time: "13:00", runners },
    { raceNumber: 2, time: "13:35", runners },
  ]);
});
afterEach(async () => {
  freezeClock(null);
  await expectInvariantsToHold();
});

/** Sets the clock to after the last race and signs both admins in. */
async function startEvening(): Promise<void> {
  freezeClock(instantAt(raceDate, "19:00"));
  browsers[0].applyCookies(await startSession(first.id));
  browsers[1].applyCookies(await startSession(second.id));
}

const path = (raceNumber: number, page = "") =>
  `/admin/results/${venueId}/${raceDate}/${raceNumber}${page}`;

const ENTRY = {
  status: "official",
  order: "4 1 6",
  "price-1": "17/2",
  "win-1": "973.11",
  "place-1": "2.60",
  "place-2": "R1,90",
  nonRunners: "2",
  off: "1303",
  placesPaid: "",
  source: "NHA",
  sourceUrl: "https://nha.example/results",
};

const enter = (raceNumber: number, changes: Record<string, string> = {}) =>
  browsers[0].post(path(raceNumber), { ...ENTRY, ...changes });

async function readUnconfirmedResultId(raceNumber: number): Promise<string> {
  const { rows } = await pool().query(
    `select r.id from race_results r join race_days d on d.id = r.race_day_id
     where d.venue_id = $1 and d.race_date = $2 and r.race_number = $3 and r.confirmed_at is null`,
    [venueId, raceDate, raceNumber],
  );
  return rows[0]?.id ?? "";
}

async function confirm(
  raceNumber: number,
  fields: Record<string, string> = {},
  browser = browsers[1],
) {
  const nonRunners = await readNonRunners(raceNumber);
  return await browser.post(path(raceNumber, "/confirm"), {
    result: await readUnconfirmedResultId(raceNumber),
    order: "4 1 6",
    status: "official",
    nonRunners: nonRunners.join(" "),
    off: "1303",
    starters: String(HORSES.length - nonRunners.length),
    placesPaid: "",
    surface: "",
    ...fields,
  });
}

/** Returns the non-runners of the newest result of a race. */
async function readNonRunners(raceNumber: number): Promise<number[]> {
  const race = await readRaceForResult({ venueId, raceDate, raceNumber });
  const newest = race?.unconfirmed ?? race?.confirmed[0];
  return newest ? [...toSecondEntry(newest).nonRunners] : [];
}

describe("entering and confirming race results without JavaScript", () => {
  it("saves a result, then opens the next race, then returns to the list", async () => {
    await startEvening();
    const list = await readVisibleText(await browsers[0].get("/admin/results"));
    expect(list).toContain("Race 1");
    const entered = await enter(1);
    expect([entered.status, entered.headers.get("Location")]).toEqual([302, `${path(2)}?saved=1`]);
    const next = await readVisibleText(await browsers[0].get(`${path(2)}?saved=1`));
    expect(next).toContain("Result of race 1 saved. Another admin must confirm it.");
    expect((await enter(2)).headers.get("Location")).toBe("/admin/results?saved=2");
    const [page] = await Promise.all([browsers[0].get(path(1))]);
    const html = await page.text();
    expect(html).toContain('value="4 1 6"');
    expect(html).toContain('value="17/2"');
    expect(html).toContain('value="973.11"');
    expect(html).toContain('value="13:03"');
  });

  it("starts without a status, and is refused without one, entered and confirmed", async () => {
    await startEvening();
    const expectNoStatus = async (page: Response) => {
      const html = await page.text();
      expect(html).toContain('<option value="" selected="">Select the status</option>');
      // The surface is not reported.
      expect(html.match(/<option [^>]*selected=""[^>]*>/g)).toEqual(
        Array(2).fill('<option value="" selected="">'),
      );
    };
    const expectRefused = async (page: Response) => {
      expect(page.status).toBe(422);
      expect(await readVisibleText(page)).toContain("Select the status of the result");
    };
    await expectNoStatus(await browsers[0].get(path(1)));
    await expectRefused(await enter(1, { status: "" }));
    await enter(1);
    await expectNoStatus(await browsers[1].get(path(1, "/confirm")));
    await expectRefused(await confirm(1, { status: "" }));
    await expectRefused(await confirm(1, { status: "", confirmed: "yes" }));
    for (const [fields, message] of [
      [{ order: "" }, "Enter horse numbers, such as 4 9 7"],
      [{ nonRunners: "two" }, "Enter horse numbers, such as 4 9 7"],
      [{ off: "" }, "Off time must use the 24-hour clock"],
      [{ starters: "" }, "Enter the number of starters"],
      [{ placesPaid: "x" }, "Enter a number, or nothing"],
    ] as const) {
      const refused = await confirm(1, { ...fields, confirmed: "yes" });
      expect([refused.status, await readVisibleText(refused)]).toMatchObject([
        422,
        expect.stringContaining(message),
      ]);
    }
    expect(await readUnconfirmedResultId(1)).not.toBe("");
  });

  it("is refused twice, and overwrites nothing, when the admin saved another entry in another tab", async () => {
    await startEvening();
    await enter(1);
    const saved = await readUnconfirmedResultId(1);
    let replaces = "";
    for (let press = 1; press <= 2; press += 1) {
      const refused = await enter(1, { order: "6 1 4", replaces });
      expect(refused.status).toBe(409);
      replaces = (await refused.text()).match(/name="replaces" value="([^"]*)"/)?.[1] ?? "none";
    }
    expect(await readUnconfirmedResultId(1)).toBe(saved);
  });

  it("includes the date in its links, because the same race may be unconfirmed on two dates", async () => {
    await startEvening();
    await enter(1);
    const html = await (await browsers[1].get("/admin/results")).text();
    const race = (number: number) => `race ${number}, Kenilworth, ${formatDate(raceDate)}`;
    expect(html).toContain(`aria-label="Confirm ${race(1)}"`);
    expect(html).toContain(`aria-label="Enter ${race(2)}"`);
    expect(html).toContain(`aria-label="Race 1, Kenilworth, ${formatDate(raceDate)}"`);
  });

  it("hides the first entry from the second admin until both entries agree", async () => {
    await startEvening();
    await enter(1, { placesPaid: "3" });
    for (const page of ["", "/confirm"])
      for (const suffix of ["", ".data"]) {
        const response = await browsers[1].get(`${path(1, page)}${suffix}`);
        expect(response.status).toBe(200);
        const content = await response.text();
        expect(content, `${page}${suffix}`).not.toMatch(/4 1 6|startingPrice/);
        // Matches whole values, because an id or a key can contain the same characters.
        expect(content, `${page}${suffix}`).not.toMatch(/(?<![\w+/-])(17\/2|973\.?11)(?![\w+/-])/);
      }
    const different = await confirm(1, { order: "4 6 1", placesPaid: "3", nonRunners: "" });
    expect(different.status).toBe(409);
    const text = await readVisibleText(different);
    expect(text).toContain("Position 2: first entry 1, your entry 6");
    expect(text).toContain("Position 3: first entry 6, your entry 1");
    expect(text).toContain("Non-runners: first entry 2, your entry nothing");
    expect(text).not.toMatch(/17\/2|973\.11/);
    expect(await readOfficialResults({ venueId, raceDate })).toEqual([]);
  });

  it("shows the whole result once both entries agree, confirms it and settles the tips", async () => {
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 4, horseName: "Cold Front", tipType: "win" },
        { raceNumber: 2, horseNumber: 2, horseName: "Sea Mist", tipType: "win" },
      ],
    });
    await startEvening();
    await enter(1);
    await enter(2);
    const compared = await confirm(1);
    expect(compared.status).toBe(200);
    const text = await readVisibleText(compared);
    // The button with the first three is above the table, so that focusing it hides neither.
    expect(text).toMatch(
      /1 4 Cold Front 2 1 Harbour Light 3 6 Old Song .*Confirm result.*R973\.11/,
    );
    for (const shown of ["Both entries agree", "4 Cold Front", "17/2", "R973.11", "Non-runner"])
      expect(text).toContain(shown);
    expect(await readOfficialResults({ venueId, raceDate })).toEqual([]);
    const confirmed = await confirm(1, { confirmed: "yes" });
    expect(confirmed.headers.get("Location")).toBe(`${path(2, "/confirm")}?confirmed=1`);
    expect((await confirm(2, { confirmed: "yes" })).headers.get("Location")).toBe(
      "/admin/results?confirmed=2",
    );
    expect(await readOfficialResults({ venueId, raceDate })).toMatchObject([
      { raceNumber: 1, confirmedBy: second.id },
      { raceNumber: 2, confirmedBy: second.id },
    ]);
    const { rows } = await pool().query(
      "select race_number, result from tips where race_card_id = $1 order by race_number",
      [card.raceCardId],
    );
    expect(rows).toEqual([
      { race_number: 1, result: "won" },
      { race_number: 2, result: "void" },
    ]);
    const official = await readVisibleText(await browsers[0].get(path(1)));
    expect(official).toContain("Official result");
    expect(official).toContain("Entered by Nomsa Radebe, confirmed by Pieter Botha");
  });

  it("asks both admins for the names of the placed horses where no runners are declared", async () => {
    await reportRaceDay(venueId, raceDate, [
      { raceNumber: 1, time: "13:00" },
      { raceNumber: 2, time: "13:35" },
      { raceNumber: 3, time: "14:10" },
    ]);
    const races = ["Cold Front", "Red Kite"].map((horseName) => [
      { raceNumber: 3, horseNumber: 4, horseName, tipType: "win" as const },
    ]);
    const [card, unclear] = [
      await publishRaceCard({ venue: "kenilworth", raceDate, races: races[0] }),
      await publishRaceCard({ venue: "kenilworth", raceDate, races: races[1] }),
    ];
    const buyer = await makeUser({ coins: 8 });
    await unlockRaceCardAs(buyer.id, unclear);
    await startEvening();
    const entry = { off: "1412", starters: "7", nonRunners: "", order: "4 1=6", "win-1": "4.00" };
    const names = { "name-1": "Cold Front", "name-2": "Harbour Light", "name-3": "D'Étoile" };
    const form = await (await browsers[0].get(path(3))).text();
    expect(form).toContain('name="name-1"');
    const { "name-3": _, ...twoNames } = names;
    const unnamed = await enter(3, { ...entry, ...twoNames });
    expect(unnamed.status).toBe(422);
    const text = await unnamed.text();
    expect(text).toContain("Enter the name of horse 6");
    expect(text).toMatch(/<input[^>]*name="name-2"[^>]*value="Harbour Light"/);
    const long = await enter(3, { ...entry, ...names, "name-3": "x".repeat(100) });
    expect(long.status).toBe(422);
    expect(await long.text()).toContain("Horse must be at most 60 characters long");
    expect((await enter(3, { ...entry, ...names })).status).toBe(302);

    const second = { order: "4 1=6", nonRunners: "", off: "1412", starters: "7" };
    const page = await (await browsers[1].get(path(3, "/confirm"))).text();
    expect(page).toContain('name="name-1"');
    expect(page).not.toContain("Cold Front");
    const missing = await confirm(3, { ...second, ...twoNames });
    expect(missing.status).toBe(422);
    expect(await missing.text()).toContain("Enter the name of horse 6");
    const other = await confirm(3, { ...second, ...names, "name-3": "Old Song" });
    expect(other.status).toBe(409);
    expect(await readVisibleText(other)).toContain(
      "Name of horse 6: first entry D'Étoile, your entry Old Song",
    );
    const misspelt = { ...second, ...names, "name-1": "COLD FRNT (SAF)", "name-3": "detoile" };
    const review = await (await confirm(3, misspelt)).text();
    expect(review).toMatch(/name="name-3" value="detoile"/);
    expect((await confirm(3, { ...misspelt, confirmed: "yes" })).status).toBe(302);
    expect(await readOfficialResults({ venueId, raceDate })).toMatchObject([
      {
        hasEnteredNames: true,
        runners: [{ horseName: "Cold Front" }, { horseName: "Harbour Light" }, {}],
      },
    ]);
    const { rows } = await pool().query(
      "select race_card_id, result from tips where race_card_id = any ($1)",
      [[card.raceCardId, unclear.raceCardId]],
    );
    expect(Object.fromEntries(rows.map((row) => [row.race_card_id, row.result]))).toEqual({
      [card.raceCardId]: "won",
      [unclear.raceCardId]: "void",
    });
    await drainQueue(jobs());
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 8 });
  });

  it("refuses confirmation by the admin who entered the result, and of a replaced result", async () => {
    await startEvening();
    await enter(1);
    const own = await confirm(1, { confirmed: "yes" }, browsers[0]);
    expect(own.status).toBe(403);
    expect(await readVisibleText(own)).toContain("Another admin must confirm it.");
    const replaced = await readUnconfirmedResultId(1);
    await enter(1, { replaces: replaced, order: "4 1 5" });
    const outdated = await confirm(1, { result: replaced, confirmed: "yes" });
    expect(outdated.status).toBe(409);
    expect(await readOfficialResults({ venueId, raceDate })).toEqual([]);
  });

  it("corrects a confirmed result with a reason, and settles the tips again", async () => {
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [{ raceNumber: 1, horseNumber: 4, horseName: "Cold Front", tipType: "win" }],
    });
    await startEvening();
    await enter(1);
    await confirm(1, { confirmed: "yes" });
    const withoutReason = await enter(1, { order: "1 4 6" });
    expect(withoutReason.status).toBe(422);
    expect(await readVisibleText(withoutReason)).toContain("Enter the reason for the correction");
    await enter(1, { order: "1 4 6", reason: "The declared result was amended." });
    expect((await confirm(1, { order: "1 4 6", confirmed: "yes" })).status).toBe(302);
    const { rows } = await pool().query("select result from tips where race_card_id = $1", [
      card.raceCardId,
    ]);
    expect(rows).toEqual([{ result: "lost" }]);
    const text = await readVisibleText(await browsers[0].get(path(1)));
    expect(text).toContain("Reason for the correction: The declared result was amended.");
    expect(text).toContain("Version 1, since corrected");
  });

  it("keeps prices with their horses in a correction, and shows what it changes before it is confirmed", async () => {
    const buyer = await makeUser({ coins: 4 });
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 4, horseName: "Cold Front", tipType: "win" },
        { raceNumber: 2, horseNumber: 4, horseName: "Cold Front", tipType: "win" },
      ],
    });
    await unlockRaceCardAs(buyer.id, card);
    const other = await makeTipster();
    const races = [{ raceNumber: 1, horseNumber: 1, horseName: "Harbour Light" }];
    await publishRaceCard({ creatorId: other.id, raceDate, races });
    await startEvening();
    await enter(1, { "price-2": "18/10", "price-3": "evens", nonRunners: "" });
    const firstPreview = await readVisibleText(await confirm(1));
    expect(firstPreview).toContain("1 tip becomes won 1 tip becomes lost");
    expect(firstPreview).toContain("No coins go back to buyers");
    expect(firstPreview).not.toContain("Changes from the official result");
    await confirm(1, { confirmed: "yes" });

    const html = await (await browsers[0].get(path(1))).text();
    expect(html).toMatch(/name="horse-1" value="4"/);
    // The form is sent without JavaScript: the rows still name the horses of the first order.
    await enter(1, {
      ...{ order: "1 6 3", disqualified: "4", nonRunners: "", reason: "Objection upheld" },
      ...{ "horse-1": "4", "win-1": "", "place-1": "" },
      ...{ "horse-2": "1", "price-2": "18/10", "horse-3": "6", "price-3": "evens" },
    });
    const preview = await readVisibleText(await confirm(1, { order: "1 6 3" }));
    for (const change of [
      "Horse 1, position 2 1",
      "Horse 6, position 3 2",
      "Horse 4, position 1 Disqualified",
      "Horse 4, tote win R973.11 –",
      "Horse 4, tote place R2.60 –",
      "Horse 3, position Unplaced 3",
      "1 tip changes from won to lost",
      "1 tip changes from lost to won",
    ])
      expect(preview).toContain(change);
    expect(preview).not.toContain("starting price");
    expect((await confirm(1, { order: "1 6 3", confirmed: "yes" })).status).toBe(302);
    const [official] = await readOfficialResults({ venueId, raceDate });
    expect(
      official?.runners.flatMap(({ number, startingPrice }) =>
        startingPrice ? [[number, startingPrice.numerator]] : [],
      ),
    ).toEqual([
      [1, 18],
      [6, 1],
      [4, 17],
    ]);

    await enter(2, { nonRunners: "4", order: "2 1 6", "price-1": "", "win-1": "", "place-1": "" });
    const voidPreview = await readVisibleText(await confirm(2, { order: "2 1 6" }));
    expect(voidPreview).toContain("1 tip becomes void");
    expect(voidPreview).toContain("2 coins go back to buyers, for 1 sale");
    expect(voidPreview).toContain("Tipsters earn R14.00 less");
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 0 });
    const { rows } = await pool().query(
      "select result from tips where race_card_id = $1 and race_number = 2",
      [card.raceCardId],
    );
    expect(rows).toEqual([{ result: null }]);
    await confirm(2, { order: "2 1 6", confirmed: "yes" });
    await drainQueue(jobs());
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 2 });
    expect(await readEarningsSummary(tipster.id)).toMatchObject({ totalCents: 1400 });
  });

  it("restores the earning when a corrected result names a horse that was a non-runner", async () => {
    const buyer = await makeUser({ coins: 4 });
    const races = [{ raceNumber: 1, horseNumber: 2, horseName: "Sea Mist" }];
    const card = await publishRaceCard({ raceDate, races });
    await unlockRaceCardAs(buyer.id, card);
    await startEvening();
    await enter(1);
    await confirm(1, { confirmed: "yes" });
    await drainQueue(jobs());
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({ totalCents: 0 });
    await enter(1, { nonRunners: "", reason: "Sea Mist ran unplaced." });
    expect((await confirm(1, { confirmed: "yes" })).status).toBe(302);
    await drainQueue(jobs());
    expect(await readEarningsSummary(card.creatorId)).toMatchObject({ totalCents: 2800 });
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 4 });
  });

  it("discards an unconfirmed result after a confirmation", async () => {
    await startEvening();
    await enter(1);
    const fields = { result: await readUnconfirmedResultId(1), back: path(1) };
    const confirmationPage = await browsers[1].post(path(1, "/discard"), fields);
    expect(await readVisibleText(confirmationPage)).toContain("This result is not confirmed yet.");
    expect(await readUnconfirmedResultId(1)).not.toBe("");
    await browsers[1].post(path(1, "/discard"), { ...fields, confirmed: "yes" });
    expect(await readUnconfirmedResultId(1)).toBe("");
  });

  it.each([
    [{ order: "four" }, "Enter horse numbers with spaces between them, such as 4 9 7"],
    [{ order: "4 1" }, "Enter at least the first 3."],
    [{ order: "4 1 9" }, "Horse 9 is not declared."],
    [{ order: "4 1 4" }, "Enter each horse only once"],
    [{ "price-1": "five" }, "Starting price must be a fraction such as 5/1, or evens"],
    [{ "win-1": "x" }, "Dividend must be an amount for R1 such as 6.40"],
    [{ "place-6": "1.10" }, "No horse is entered for this finishing position"],
    [{ placesPaid: "9" }, "Places paid must be from 0 to 6"],
    [{ source: "" }, "Enter the source"],
    [{ off: "25:00" }, "Off time must use the 24-hour clock, such as 14:05"],
  ])("keeps the entered values and shows an error for %j", async (changes, message) => {
    await startEvening();
    const refused = await enter(1, changes as unknown as Record<string, string>);
    expect(refused.status).toBe(422);
    const html = await refused.clone().text();
    expect(await readVisibleText(refused)).toContain(message);
    expect(html).toContain('value="https://nha.example/results"');
    expect(await readUnconfirmedResultId(1)).toBe("");
  });

  it("returns 404 for a race that is not reported", async () => {
    await startEvening();
    for (const page of ["", "/confirm"])
      for (const raceNumber of [9, 99])
        expect((await browsers[0].get(path(raceNumber, page))).status).toBe(404);
    expect((await browsers[0].get(`/admin/results/x/${raceDate}/1`)).status).toBe(404);
  });

  it("lists an unconfirmed result in the audit log", async () => {
    await startEvening();
    await enter(1);
    const audit = await readVisibleText(
      await browsers[1].get("/admin/audit?act=enter-race-result"),
    );
    expect(audit).toMatch(/Entered a race result.*Kenilworth, .*, race 1/);
  });

  it("hides the first entry from other admins in the audit log until it is confirmed", async () => {
    await startEvening();
    await enter(1);
    const readLog = async (browser: Browser, suffix = "") => {
      const subject = encodeURIComponent(`${venueId} ${raceDate} 1`);
      const url = `/admin/audit${suffix}?act=enter-race-result&subject=${subject}`;
      return await (await browser.get(url)).text();
    };
    expect(await readLog(browsers[0])).toContain("4 1 6");
    for (const suffix of ["", ".data"]) {
      const log = await readLog(browsers[1], suffix);
      expect(log).toContain("shown once it is confirmed");
      expect(log).not.toMatch(/4 1 6|(?<![\w+/-])NHA(?![\w+/-])/);
    }
    await confirm(1, { confirmed: "yes" });
    expect(await readLog(browsers[1])).toContain("4 1 6");
  });

  it("hides the status of an abandoned race from the admin who confirms it", async () => {
    await startEvening();
    await enter(1, { status: "abandoned", order: "", nonRunners: "", off: "" });
    expect(await readUnconfirmedResultId(1)).not.toBe("");
    for (const page of ["/admin/results.data", "/admin/attention.data", `${path(1)}.data`])
      expect(await (await browsers[1].get(page)).text(), page).not.toContain('"abandoned"');
  });

  it("fills in the places paid again only if they are not the tote's usual ones", async () => {
    await startEvening();
    await enter(1);
    const readPlaces = async () =>
      /<input[^>]*name="placesPaid"[^>]*>/.exec(await (await browsers[0].get(path(1))).text())?.[0];
    expect(await readPlaces()).toContain('value=""');
    await enter(1, {
      placesPaid: "4",
      order: "4 1 6 3",
      replaces: await readUnconfirmedResultId(1),
    });
    expect(await readPlaces()).toContain('value="4"');
  });

  it("refuses the confirmation of a result that was replaced after the comparison", async () => {
    await startEvening();
    await enter(1);
    const reviewed = await (await confirm(1)).text();
    const shownId = await readUnconfirmedResultId(1);
    expect(reviewed).toContain(`value="${shownId}"`);
    await enter(1, { "win-1": "5.00", replaces: shownId });
    const refused = await confirm(1, { result: shownId, confirmed: "yes" });
    expect(refused.status).toBe(409);
    expect(await readUnconfirmedResultId(1)).not.toBe("");
  });
});

describe("the confirmation of a result", () => {
  it("settles two races with the same tipsters and buyers at the same time", async () => {
    const buyers = [await makeUser({ coins: 8 }), await makeUser({ coins: 8 })];
    for (const races of [
      [1, 2],
      [2, 1],
    ]) {
      const card = await publishRaceCard({
        creatorId: (await makeTipster()).id,
        raceDate,
        races: races.map((raceNumber, index) => ({
          raceNumber,
          horseNumber: index === 0 ? 2 : 4,
          horseName: index === 0 ? "Sea Mist" : "Cold Front",
        })),
      });
      for (const buyer of buyers) await unlockRaceCardAs(buyer.id, card);
    }
    await startEvening();
    // Sea Mist is a non-runner of both races, so each void race returns half of a race card.
    await enter(1);
    await enter(2);
    const responses = await Promise.all([1, 2].map((race) => confirm(race, { confirmed: "yes" })));
    expect(responses.map(({ status }) => status)).toEqual([302, 302]);
    await drainQueue(jobs());
    for (const buyer of buyers)
      expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 4 });
  });

  it("retries missing coin returns when it is sent again", async () => {
    const buyer = await makeUser({ coins: 4 });
    const races = [{ raceNumber: 1, horseNumber: 2, horseName: "Sea Mist" }];
    await unlockRaceCardAs(buyer.id, await publishRaceCard({ raceDate, races }));
    await startEvening();
    await enter(1);
    const fields = { result: await readUnconfirmedResultId(1), confirmed: "yes" };
    await confirm(1, fields);
    await pool().query("delete from jobs.job where name = 'return-coins'");
    await confirm(1, fields);
    await drainQueue(jobs());
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 4 });
  });

  it("preserves the input when the database refuses it", async () => {
    await startEvening();
    await enter(1);
    await pool().query(`create trigger test_failure before update on race_results
      for each row execute function refuse_change()`);
    let response: Response;
    try {
      response = await confirm(1, { order: "4 1 6", confirmed: "yes" });
    } finally {
      await pool().query("drop trigger test_failure on race_results");
    }
    expect(response.status).toBe(500);
    const page = await response.text();
    expect(page).toContain("Failed to confirm the result");
    expect(page).toMatch(/<input[^>]*name="order"[^>]*value="4 1 6"/);
    expect((await confirm(1, { confirmed: "yes" })).status).toBe(302);
  });

  it("warns how many tips a changed surface makes void, until it is corrected", async () => {
    const report = (surface: "turf" | "polytrack") =>
      reportRaceDay(venueId, raceDate, [
        { raceNumber: 1, time: "13:00", surface },
        { raceNumber: 2, time: "13:35" },
      ]);
    const WARNING = "Surface changed to polytrack: 1 tip becomes void";
    const readPage = async (raceNumber: number) =>
      await readVisibleText(await browsers[1].get(path(raceNumber, "/confirm")));
    await report("turf");
    const races = [{ raceNumber: 1, horseNumber: 5, horseName: "Red Kite" }];
    await publishRaceCard({ creatorId: (await makeTipster()).id, raceDate, races });
    freezeClock(instantAt(raceDate, "08:00"));
    await report("polytrack");
    await startEvening();
    await enter(1);
    await enter(2);
    expect(await readPage(1)).toContain(WARNING);
    // A race that was not run voids every tip, whatever its surface.
    expect(
      await readVisibleText(await confirm(1, { status: "abandoned", order: "" })),
    ).not.toContain("Surface changed");
    // Also below the result that is about to be confirmed.
    expect(await readVisibleText(await confirm(1))).toContain(WARNING);
    expect(await readPage(2)).not.toContain("Surface changed");
    await report("turf");
    expect(await readPage(1)).not.toContain("Surface changed");
  });
});

describe("the race card page", () => {
  it("shows the official results of its races with their source, and hides unconfirmed results", async () => {
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [{ raceNumber: 1, horseNumber: 5, horseName: "Red Kite", tipType: "win" }],
    });
    // Pages of users are not cached.
    const readPage = async () =>
      await (await browsers[1].get(`/race-cards/${card.raceCardId}`)).text();
    await startEvening();
    await enter(1);
    await enter(2);
    const before = await readPage();
    expect(before).not.toContain("Official results");
    expect(before).not.toContain("Red Kite");
    await confirm(1, { confirmed: "yes" });
    await confirm(2, { confirmed: "yes" });
    const page = await readPage();
    const text = await readVisibleText(new Response(page));
    for (const shown of [
      "1 Cold Front (4)",
      "2 Harbour Light (1)",
      "3 Old Song (6)",
      "Non-runners: 2",
    ])
      expect(text).toContain(shown);
    expect(page).toContain('href="https://nha.example/results"');
    // Race 2 is not on this race card.
    expect(text.split("Cold Front (4)")).toHaveLength(2);
    // The selection, which was unplaced, is public with the result.
    expect(page).toContain("Red Kite");
    expect(page).not.toContain("Entered by one person");
  });

  it("shows which horses were equal, that a result was corrected, and why", async () => {
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [{ raceNumber: 1, horseNumber: 5, horseName: "Red Kite", tipType: "win" }],
    });
    await startEvening();
    await enter(1);
    await confirm(1, { confirmed: "yes" });
    const correction = { order: "1=4 6", reason: "The judge called a dead heat." };
    await enter(1, correction);
    await confirm(1, { order: "4=1 6", confirmed: "yes" });
    const text = await readVisibleText(await new Browser().get(`/race-cards/${card.raceCardId}`));
    expect(text).toContain("1= Harbour Light (1) · 1= Cold Front (4) · 3 Old Song (6)");
    expect(text).toContain("Corrected: The judge called a dead heat.");
  });
});

describe("a meeting of which one race is void", () => {
  it("shows the results of the other races on the race card page", async () => {
    const [tipster, buyer] = [await makeTipster(), await makeUser({ coins: 4 })];
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 5, horseName: "Red Kite" },
        { raceNumber: 2, horseNumber: 5, horseName: "Red Kite" },
      ],
    });
    await unlockRaceCardAs(buyer.id, card);
    await startEvening();
    await enter(1);
    await enter(2, { status: "void", order: "" });
    await confirm(1, { confirmed: "yes" });
    await confirm(2, { status: "void", order: "", confirmed: "yes" });
    await drainQueue(jobs());
    const buyerBrowser = new Browser();
    buyerBrowser.applyCookies(await startSession(buyer.id));
    const readPage = async (browser: Browser) =>
      await readVisibleText(await browser.get(`/race-cards/${card.raceCardId}`));
    // Of the remaining races of the race card.
    expect(await readPage(new Browser())).toContain("1 Cold Front (4)");
    const text = await readPage(buyerBrowser);
    expect(text).toContain("1 Cold Front (4)");
    expect(text).toMatch(/Void\s+Source: NHA/);
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 2 });
  });
});

describe("an abandoned meeting", () => {
  const enterAbandoned = (fields: Record<string, string> = {}) =>
    browsers[0].post(`/admin/results/${venueId}/${raceDate}/abandoned`, {
      firstRaceNumber: "1",
      source: "NHA",
      sourceUrl: "",
      ...fields,
    });
  const ABANDONED = { status: "abandoned", order: "", confirmed: "yes" };

  it("is entered from a given race onwards, is confirmed per race and returns coins to buyers", async () => {
    const [tipster, buyer] = [await makeTipster(), await makeUser({ coins: 4 })];
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 4, horseName: "Cold Front" },
        { raceNumber: 2, horseNumber: 1, horseName: "Harbour Light" },
      ],
    });
    await unlockRaceCardAs(buyer.id, card);
    await startEvening();
    const page = await readVisibleText(
      await browsers[0].get(`/admin/results/${venueId}/${raceDate}/abandoned`),
    );
    expect(page).toContain("Abandoned meeting: Kenilworth");
    expect((await enterAbandoned()).headers.get("Location")).toBe("/admin/results?saved=1,2");
    expect(await readVisibleText(await browsers[0].get("/admin/results?saved=1,2"))).toContain(
      "Results of races 1 and 2 saved.",
    );
    expect((await enterAbandoned()).status).toBe(409);
    const differing = await confirm(1, { confirmed: "yes" });
    expect(await readVisibleText(differing)).toContain(
      "Status: first entry abandoned, your entry official",
    );
    expect((await confirm(1, ABANDONED)).headers.get("Location")).toBe(
      `${path(2, "/confirm")}?confirmed=1`,
    );
    await confirm(2, ABANDONED);
    await drainQueue(jobs());
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 4 });
    // The void race card is no longer public, but its buyers can still read it.
    const buyerBrowser = new Browser();
    buyerBrowser.applyCookies(await startSession(buyer.id));
    const text = await readVisibleText(await buyerBrowser.get(`/race-cards/${card.raceCardId}`));
    expect(text).toContain("Abandoned Source: NHA");
  });

  it("can still be entered for a deleted venue, as its other results and changes", async () => {
    const card = await publishRaceCard({
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 4, horseName: "Cold Front" },
        { raceNumber: 2, horseNumber: 1, horseName: "Harbour Light" },
      ],
    });
    await deleteVenue(first.id, venueId);
    try {
      await reportRaceDay(venueId, raceDate, [
        { raceNumber: 1, time: "13:01" },
        { raceNumber: 2, time: "13:35" },
      ]);
      await startEvening();
      const days = `/admin/venues/${venueId}/race-days`;
      const pages = [days, `${days}/${raceDate}`, `${days}/${raceDate}/races/1`];
      const meeting = `/admin/results/${venueId}/${raceDate}`;
      for (const page of [...pages, meeting, `${meeting}/abandoned`, path(1)])
        expect((await browsers[0].get(page)).status, page).toBe(200);
      await enter(1);
      await confirm(1, { confirmed: "yes" });
      await enterAbandoned({ firstRaceNumber: "2" });
      await confirm(2, ABANDONED);
    } finally {
      await pool().query("update venues set deleted_at = null where id = $1", [venueId]);
    }
    const { rows } = await pool().query(
      "select result from tips where race_card_id = $1 order by race_number",
      [card.raceCardId],
    );
    expect(rows).toEqual([{ result: "won" }, { result: "void" }]);
  });

  it("starts at the race that the admin selects: none is preselected", async () => {
    await startEvening();
    const html = await (
      await browsers[0].get(`/admin/results/${venueId}/${raceDate}/abandoned`)
    ).text();
    const select = /<select[^>]*name="firstRaceNumber"[\s\S]*?<\/select>/.exec(html)?.[0];
    expect(select).toContain("Select a race");
    expect(select).toContain("Race 1");
    expect(select).not.toMatch(/<option value="1"[^>]*selected/);
    const refused = await enterAbandoned({ firstRaceNumber: "" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("Select the first race that was not run");
  });

  it("does not change races with a result", async () => {
    await startEvening();
    await enter(1);
    expect((await enterAbandoned()).headers.get("Location")).toBe("/admin/results?saved=2");
    const { rows } = await pool().query(
      `select r.race_number, r.status from race_results r join race_days d on d.id = r.race_day_id
       where d.venue_id = $1 and d.race_date = $2 order by 1`,
      [venueId, raceDate],
    );
    expect(rows).toEqual([
      { race_number: 1, status: "official" },
      { race_number: 2, status: "abandoned" },
    ]);
  });

  it("is refused without a source, with an invalid link, and at an unknown venue", async () => {
    await startEvening();
    const withoutSource = await enterAbandoned({ source: " " });
    expect(withoutSource.status).toBe(422);
    expect(await readVisibleText(withoutSource)).toContain("Enter the source");
    expect((await enterAbandoned({ sourceUrl: "javascript:alert(1)" })).status).toBe(422);
    const path = `/admin/results/${randomUUID()}/${raceDate}/abandoned`;
    expect((await browsers[0].get(path)).status).toBe(404);
  });
});

describe("a buyer of a race card", () => {
  it("sees whether a result is official or the tipster's claim, and a claim that an official result contradicts", async () => {
    const tipster = await makeTipster();
    const card = await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 1, horseName: "Harbour Light", tipType: "win" },
        { raceNumber: 2, horseNumber: 4, horseName: "Cold Front", tipType: "win" },
      ],
    });
    const buyer = await makeUser({ coins: 4 });
    const opened = await unlockRaceCardAs(buyer.id, { raceCardId: card.raceCardId });
    if (!opened.ok) throw new Error(opened.refusal);
    await startEvening();
    const marks = opened.tips.map(({ id }) => ({ tipId: id, result: "won" as const }));
    expect(await markResults(tipster.id, marks)).toMatchObject({ ok: true });
    const browser = new Browser();
    browser.applyCookies(await startSession(buyer.id));
    const readPages = async () =>
      await Promise.all(
        ["/my-cards", `/race-cards/${card.raceCardId}`].map(async (page) =>
          readVisibleText(await browser.get(page)),
        ),
      );
    for (const text of await readPages()) {
      expect(text.match(/as marked by the tipster/g)).toHaveLength(2);
      expect(text).not.toContain("tipster marked won");
    }

    await enter(1);
    await confirm(1, { confirmed: "yes" });
    for (const text of await readPages()) {
      expect(text.match(/as marked by the tipster/g)).toHaveLength(1);
      expect(text.match(/tipster marked won/g)).toHaveLength(1);
    }
    const [contradicted, claimed] = [
      { result: "lost", isClaim: false, isOfficial: true, claimedResult: "won" },
      { result: "won", isClaim: true, isOfficial: false, claimedResult: "won" },
    ];
    freezeClock(instantAt(addDays(raceDate, 1), "09:00"));
    for (const reader of [browser, new Browser()]) {
      const response = await reader.get(`/api/race-cards?date=${raceDate}`);
      const { raceCards } = await response.json();
      const found = raceCards.find(({ id }: { id: string }) => id === card.raceCardId);
      const tips = [...found.tips].sort((a, b) => a.raceNumber - b.raceNumber);
      expect(tips).toMatchObject([contradicted, claimed]);
    }
  });
});
