import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import { startSession } from "#identity/identity.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { readMeetingForResults } from "#racing/racing.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeAdmin, makeUser, type Person, reportRaceDay } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";

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
    expect(html).not.toContain("Placed horses");
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
