import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
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
import { readWallet } from "#wallet/wallet.server.ts";
import { readMeetingForResults } from "../results/read-race-for-result.server.ts";

const HORSES = ["Harbour Light", "Sea Mist", "Late Entry", "Cold Front", "Red Kite", "Old Song"];
const RUNNERS = HORSES.map((horseName, index) => ({
  number: index + 1,
  horseName,
  jockey: null,
  trainer: null,
  draw: null,
  isScratched: false,
}));
/** Race 3 has no declared runners, and race 4 is off after the evening. */
const TIMES = ["13:00", "13:35", "14:10", "20:30"];

let first: Person;
let second: Person;
let browsers: [Browser, Browser];
let venueId: string;
let raceDate = "2027-07-01";

beforeAll(async () => {
  first = await makeAdmin("Nomsa Radebe");
  second = await makeAdmin("Pieter Botha");
  venueId = (await findTestVenue()).id;
});
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "07:00"));
  await reportRaceDay(
    venueId,
    raceDate,
    TIMES.map((time, index) => ({
      raceNumber: index + 1,
      time,
      runners: index === 2 ? [] : RUNNERS,
    })),
  );
  freezeClock(instantAt(raceDate, "19:00"));
  browsers = [new Browser(), new Browser()];
  browsers[0].applyCookies(await startSession(first.id));
  browsers[1].applyCookies(await startSession(second.id));
});
afterEach(async () => {
  freezeClock(null);
  await expectInvariantsToHold();
});

const path = () => `/admin/results/${venueId}/${raceDate}`;
const SHARED = { source: "NHA", sourceUrl: "https://nha.example/results" };

/** Returns the fields of a race in the form of the meeting. */
const fieldsOf = (raceNumber: number, fields: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries({ status: "official", order: "4 1 6", off: "1303", ...fields }).map(
      ([name, value]) => [`r${raceNumber}-${name}`, value],
    ),
  );
const PRICES = { "horse-1": "4", "price-1": "17/2", "win-1": "9.50", "place-1": "2.60" };
const NAMED = {
  ...{ order: "4 1 6", starters: "7", off: "1412" },
  ...{ "name-1": "Cold Front", "name-2": "Harbour Light" },
};

const enter = (fields: Record<string, string>, browser = browsers[0]) =>
  browser.post(path(), { ...SHARED, ...fields });

async function readResults() {
  const found = await readMeetingForResults({ venueId, raceDate });
  return (found?.races ?? []).map(({ unconfirmed, official }) => unconfirmed ?? official);
}
const readOrders = async () =>
  (await readResults()).map(
    (result) =>
      result?.runners
        .filter(({ position }) => position !== null)
        .map(({ number }) => number)
        .join(" ") ?? null,
  );

describe("entering the results of a meeting", () => {
  it("lists every race: fields for those that are off, none for the others", async () => {
    const page = await browsers[0].get(path());
    const html = await page.clone().text();
    for (const raceNumber of [1, 2, 3]) expect(html).toContain(`name="r${raceNumber}-order"`);
    expect(html).not.toContain('name="r4-order"');
    expect(html).toContain('name="r3-starters"');
    expect(html).not.toContain('name="r1-starters"');
    // Enter does nothing without JavaScript, because the first button of the form is disabled.
    const form = html.slice(html.indexOf(`action="${path()}#end"`));
    const [firstButton] = form.match(/<button[^>]*>/) ?? [];
    expect(firstButton).toContain("disabled");
    const text = await readVisibleText(page);
    expect(text).toContain("Race 4, 20:30");
    expect(text).toContain("Not off yet");
    expect(text).toContain("0 of 4 official");
  });

  it("saves all filled races with prices by horse, then shows what was entered and by whom", async () => {
    const entered = await enter({
      ...fieldsOf(1, PRICES),
      ...fieldsOf(2, { status: "", order: "", off: "1335" }),
      ...fieldsOf(3, NAMED),
    });
    expect([entered.status, entered.headers.get("Location")]).toEqual([
      302,
      `${path()}?saved=1,3#end`,
    ]);
    expect(await readOrders()).toEqual(["4 1 6", null, "4 1 6", null]);
    const [one, , three] = await readResults();
    expect(one?.runners[0]).toMatchObject({
      ...{ number: 4, horseName: "Cold Front" },
      ...{ startingPrice: { numerator: 17, denominator: 2 } },
      ...{ winDividendCents: 950, placeDividendCents: 260 },
    });
    expect(three).toMatchObject({ starters: 7, hasEnteredNames: true, enteredBy: first.id });
    const html = await (await browsers[0].get(`${path()}?saved=1,3`)).text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("Results of races 1 and 3 saved. Another admin must confirm them.");
    expect(text).toContain("You entered it");
    expect(text).toContain("4 Cold Front");
    expect(text).toContain("R9.50");
    expect(html).not.toContain('name="r1-order"');
    // The source of the last entry is filled in for the next race.
    expect(html).toContain('value="https://nha.example/results"');
  });

  it("saves the other races when one is refused, and keeps what was typed beside its error", async () => {
    const refused = await enter({
      ...fieldsOf(1, { order: "4 4 6" }),
      ...fieldsOf(2),
      ...fieldsOf(3, { ...NAMED, "name-2": "" }),
    });
    expect(refused.status).toBe(422);
    expect(await readOrders()).toEqual([null, "4 1 6", null, null]);
    const html = await refused.text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("Result of race 2 saved. Another admin must confirm it.");
    expect(text).toContain("Not saved: races 1 and 3.");
    expect(text).toContain("Enter each horse only once");
    expect(text).toContain("Enter the name of horse 1");
    expect(html).toMatch(/<input(?=[^>]*name="r1-order")(?=[^>]*value="4 4 6")[^>]*>/);
    expect(html).toMatch(/<input(?=[^>]*name="r3-name-1")(?=[^>]*value="Cold Front")[^>]*>/);
    expect(html).not.toContain('name="r2-order"');
  });

  it("saves one race with its button and keeps what was typed for the others", async () => {
    const page = await enter({ ...fieldsOf(1, { order: "6 5 4" }), ...fieldsOf(2), only: "2" });
    expect(page.status).toBe(200);
    expect(await readOrders()).toEqual([null, "4 1 6", null, null]);
    const html = await page.text();
    expect(html).toMatch(/<input(?=[^>]*name="r1-order")(?=[^>]*value="6 5 4")[^>]*>/);
    const last = await enter({ ...fieldsOf(1, { order: "6 5 4" }), only: "1" });
    expect(last.headers.get("Location")).toBe(`${path()}?saved=1#end`);
  });

  it.each([
    [{ "r1-status": "" }, "Select the status of the result"],
    [{ "r1-order": "" }, "Enter the winner."],
    [{ "r1-order": "4 9 6" }, "Horse 9 is not declared"],
    [{ "r1-off": "1 pm" }, "Off time must use the 24-hour clock"],
    [{ "r1-win-2": "6.40" }, "Horse 1 did not win, so it has no win dividend"],
    [{ "r1-price-4": "5/1" }, "No horse is entered for this finishing position"],
    [{ source: "" }, "Enter the source"],
    [{ sourceUrl: "nha" }, "Link must be an address"],
  ])("refuses %j like the form of one race", async (fields, message) => {
    const refused = await enter({ ...fieldsOf(1), ...fields });
    expect(refused.status).toBe(422);
    expect(await readVisibleText(refused)).toContain(message);
    expect(await readOrders()).toEqual([null, null, null, null]);
  });

  it("refuses a race that is not off, one that is unknown, and a form without a race", async () => {
    const early = await enter(fieldsOf(4, { off: "2030" }));
    expect([early.status, await readVisibleText(early)]).toMatchObject([
      409,
      expect.stringContaining("This race is not off yet."),
    ]);
    const unknown = await enter(fieldsOf(9));
    expect([unknown.status, await readVisibleText(unknown)]).toMatchObject([
      404,
      expect.stringContaining("Not saved: race 9."),
    ]);
    for (const fields of [{}, { only: "" }, fieldsOf(1, { status: "", order: "" })]) {
      const empty = await enter(fields);
      expect([empty.status, await readVisibleText(empty)]).toMatchObject([
        422,
        expect.stringContaining("No race is filled in. Nothing was saved."),
      ]);
    }
    for (const only of ["x", "1e1", "-1"])
      expect((await enter({ ...fieldsOf(1), only })).status).toBe(404);
    expect(await readOrders()).toEqual([null, null, null, null]);
  });

  it("enters abandoned and void races", async () => {
    await enter({
      ...fieldsOf(1, { status: "abandoned", order: "" }),
      ...fieldsOf(2, { status: "void", order: "" }),
    });
    expect((await readResults()).map((result) => result?.status)).toEqual([
      ...["abandoned", "void"],
      ...[undefined, undefined],
    ]);
    const text = await readVisibleText(await browsers[0].get(path()));
    expect(text).toContain("Abandoned");
    expect(text).toContain("Void");
  });

  it("enters a race once when the form is sent twice, also at the same time", async () => {
    const fields = { ...fieldsOf(1), ...fieldsOf(2) };
    const answers = [...(await Promise.all([enter(fields), enter(fields)])), await enter(fields)];
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    const { rows } = await pool().query(
      "select count(*)::int as entries from audit_entries where subject = any($1)",
      [[1, 2].map((raceNumber) => `${venueId} ${raceDate} ${raceNumber}`)],
    );
    expect(rows[0].entries).toBe(2);
  });

  it("keeps the entry that was saved first when two admins enter a race at the same time", async () => {
    const answers = await Promise.all([
      enter({ ...fieldsOf(1), ...fieldsOf(2) }),
      enter(
        { ...fieldsOf(1, { order: "6 1 4" }), ...fieldsOf(2, { order: "6 1 4" }) },
        browsers[1],
      ),
    ]);
    const orders = await readOrders();
    // Each race has one entry, by either admin; all refused entries say so.
    expect(orders.slice(0, 2).every((order) => order === "4 1 6" || order === "6 1 4")).toBe(true);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused)
      expect(await readVisibleText(answer)).toContain("Another result of this race was saved");
  });

  it("tells the second of two admins, shows the first entry to nobody else, and keeps what was typed", async () => {
    await enter(fieldsOf(1));
    const page = await browsers[1].get(path());
    const html = await page.text();
    expect(html).toContain("Nomsa Radebe entered it");
    expect(html).not.toContain("winDividendCents");
    const refused = await enter(fieldsOf(1, { order: "6 1 4" }), browsers[1]);
    expect(refused.status).toBe(409);
    const refusedHtml = await refused.text();
    expect(refusedHtml).toContain("Another result of this race was saved and waits");
    expect(refusedHtml).toMatch(/<input(?=[^>]*name="r1-order")(?=[^>]*value="6 1 4")[^>]*>/);
    expect(await readOrders()).toEqual(["4 1 6", null, null, null]);
  });

  it("is for admins only, and knows no other meeting", async () => {
    const [guest, user] = [new Browser(), new Browser()];
    user.applyCookies(await startSession((await makeUser()).id));
    expect((await enter(fieldsOf(1), guest)).status).toBe(302);
    expect((await enter(fieldsOf(1), user)).status).toBe(403);
    expect((await user.get(path())).status).toBe(403);
    expect(await readOrders()).toEqual([null, null, null, null]);
    for (const unknown of [
      `/admin/results/${randomUUID()}/${raceDate}`,
      `/admin/results/x/${raceDate}`,
      `/admin/results/${venueId}/2027-02-30`,
    ])
      expect((await browsers[0].get(unknown)).status).toBe(404);
    const empty = await browsers[0].get(`/admin/results/${venueId}/2026-01-01`);
    expect(await readVisibleText(empty)).toContain("No races reported");
  });
});

/** Returns the second entry of a race in the form of the meeting, of the result that waits now. */
async function secondOf(raceNumber: number, fields: Record<string, string> = {}) {
  const result = (await readResults())[raceNumber - 1];
  return Object.fromEntries(
    Object.entries({
      ...{ result: result?.id ?? "", status: "official", order: "4 1 6", off: "1303" },
      ...{ starters: "6", ...fields },
    }).map(([name, value]) => [`c${raceNumber}-${name}`, value]),
  );
}
const compare = (fields: Record<string, string>, browser = browsers[1]) =>
  browser.post(path(), { ...fields, compare: "yes" });
const confirm = (fields: Record<string, string>, browser = browsers[1]) =>
  browser.post(path(), { ...fields, confirm: "yes" });
const TICKED = { ticked: "yes" };

async function readConfirmed() {
  return (await readResults()).flatMap((result, index) =>
    result?.confirmedAt ? [[index + 1, result.confirmedBy]] : [],
  );
}

describe("confirming the results of a meeting", () => {
  beforeEach(async () => {
    await enter({ ...fieldsOf(1, PRICES), ...fieldsOf(2), ...fieldsOf(3, NAMED) });
  });

  it("compares all second entries, shows what they change, and confirms those that are ticked", async () => {
    freezeClock(instantAt(raceDate, "07:00"));
    const buyer = await makeUser({ coins: 4 });
    const card = await publishRaceCard({
      creatorId: (await makeTipster()).id,
      raceDate,
      races: [
        { raceNumber: 1, horseNumber: 4, horseName: "Cold Front" },
        { raceNumber: 2, horseNumber: 2, horseName: "Sea Mist" },
      ],
    });
    await unlockRaceCardAs(buyer.id, card);
    freezeClock(instantAt(raceDate, "19:00"));
    await enter(fieldsOf(4, { status: "abandoned", order: "" }));
    const open = await (await browsers[1].get(path())).text();
    for (const raceNumber of [1, 2, 3]) expect(open).toContain(`name="c${raceNumber}-order"`);
    expect(open).toContain('name="c3-name-1"');
    // Not even in the data of the page.
    expect(open).not.toContain("winDividendCents");
    const fields = {
      ...(await secondOf(1)),
      ...(await secondOf(2)),
      ...(await secondOf(3, {
        ...{ off: "1412", starters: "7" },
        ...{ "name-1": "Cold Front", "name-2": "Harbour Light" },
      })),
      ...(await secondOf(4, { status: "abandoned", order: "", off: "", starters: "" })),
    };
    const compared = await compare(fields);
    expect(compared.status).toBe(200);
    const html = await compared.text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("Both entries agree: races 1, 2, 3 and 4.");
    expect(text).toContain("1 tip becomes won");
    expect(text).toContain("1 tip becomes lost");
    expect(text).toContain("4 Cold Front");
    // Prices and dividends are compared by eye.
    expect(text).toContain("R9.50");
    expect(html.match(/name="c\d-ticked"/g)).toHaveLength(4);
    expect(await readConfirmed()).toEqual([]);
    const confirmed = await confirm({
      ...fields,
      ...(await secondOf(1, TICKED)),
      ...(await secondOf(2, TICKED)),
      "c4-ticked": "yes",
    });
    // Race 3 was unticked and stays.
    expect(confirmed.status).toBe(200);
    expect(await readVisibleText(confirmed)).toContain("Results of races 1, 2 and 4 confirmed.");
    expect(await readConfirmed()).toEqual([1, 2, 4].map((race) => [race, second.id]));
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 0 });
    await confirm({ ...fields, "c3-ticked": "yes" });
    expect(await readConfirmed()).toHaveLength(4);
  });

  it("leads back to the page once everything that was typed is confirmed", async () => {
    const fields = { ...(await secondOf(1, TICKED)), ...(await secondOf(2, TICKED)) };
    const confirmed = await confirm(fields);
    expect(confirmed.headers.get("Location")).toBe(`${path()}?confirmed=1,2#end`);
    const text = await readVisibleText(await browsers[1].get(`${path()}?confirmed=1,2`));
    expect(text).toContain("Results of races 1 and 2 confirmed.");
    expect(text).toContain("Nomsa Radebe entered it");
    expect(text).toContain("Pieter Botha confirmed it.");
    expect(text).toContain("2 of 4 official");
  });

  it("confirms the other races when one is refused, and shows how the entries differ", async () => {
    const fields = {
      ...(await secondOf(1, { order: "4 6 1", ...TICKED })),
      ...(await secondOf(2, TICKED)),
    };
    const compared = await compare(fields);
    expect(compared.status).toBe(409);
    const comparison = await readVisibleText(compared);
    expect(comparison).toContain("Both entries agree: race 2.");
    expect(comparison).toContain("Position 2: first entry 1, your entry 6");
    const confirmed = await confirm(fields);
    expect(confirmed.status).toBe(409);
    const html = await confirmed.text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("Result of race 2 confirmed. Not confirmed: race 1.");
    expect(html).toMatch(/<input(?=[^>]*name="c1-order")(?=[^>]*value="4 6 1")[^>]*>/);
    expect(await readConfirmed()).toEqual([[2, second.id]]);
  });

  it.each([
    [{ status: "" }, "Select the status of the result"],
    [{ order: "" }, "Enter horse numbers, such as 4 9 7"],
    [{ off: "" }, "Off time must use the 24-hour clock"],
    [{ starters: "" }, "Enter the number of starters"],
    [{ placesPaid: "x" }, "Enter a number, or nothing"],
  ])("refuses %j like the form of one race", async (fields, message) => {
    for (const send of [compare, confirm]) {
      const refused = await send(await secondOf(1, { ...TICKED, ...fields }));
      expect([refused.status, await readVisibleText(refused)]).toMatchObject([
        422,
        expect.stringContaining(message),
      ]);
    }
    expect(await readConfirmed()).toEqual([]);
  });

  it("refuses the admin who entered the results, and offers no fields", async () => {
    expect(await (await browsers[0].get(path())).text()).not.toContain('name="c1-order"');
    for (const send of [compare, confirm]) {
      const refused = await send(await secondOf(1, TICKED), browsers[0]);
      expect([refused.status, await readVisibleText(refused)]).toMatchObject([
        403,
        expect.stringContaining("You entered this result. Another admin must confirm it."),
      ]);
    }
    expect(await readConfirmed()).toEqual([]);
  });

  it("refuses a form without a race, a discarded result, guests and users", async () => {
    const fields = await secondOf(1, TICKED);
    expect(await readVisibleText(await compare({}))).toContain("No race is filled in.");
    expect(await readVisibleText(await confirm(await secondOf(1)))).toContain("No race is ticked.");
    const [guest, user] = [new Browser(), new Browser()];
    user.applyCookies(await startSession((await makeUser()).id));
    expect((await confirm(fields, guest)).status).toBe(302);
    expect((await confirm(fields, user)).status).toBe(403);
    await browsers[0].post(`${path()}/1/discard`, {
      result: fields["c1-result"] ?? "",
      confirmed: "yes",
    });
    const refused = await confirm(fields);
    expect([refused.status, await readVisibleText(refused)]).toMatchObject([
      409,
      expect.stringContaining("This result has been discarded or entered again."),
    ]);
    expect(await readConfirmed()).toEqual([]);
  });

  it("confirms once when the form is sent twice, also at the same time and by two admins", async () => {
    const third = await makeAdmin("Thandi Nkosi");
    const other = new Browser();
    other.applyCookies(await startSession(third.id));
    const fields = { ...(await secondOf(1, TICKED)), ...(await secondOf(2, TICKED)) };
    await Promise.all([confirm(fields), confirm(fields)]);
    expect(await readConfirmed()).toEqual([1, 2].map((race) => [race, second.id]));
    expect((await confirm(fields)).status).toBe(302);
    const late = await confirm(fields, other);
    expect([late.status, await readVisibleText(late)]).toMatchObject([
      409,
      expect.stringContaining("Another admin confirmed this result already."),
    ]);
    const { rows } = await pool().query(
      `select count(*)::int as entries from audit_entries
       where action = 'confirm-race-result' and subject = any($1)`,
      [[1, 2].map((raceNumber) => `${venueId} ${raceDate} ${raceNumber}`)],
    );
    expect(rows[0].entries).toBe(2);
  });
});
