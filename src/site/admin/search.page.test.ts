import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { listApplications } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { appendToLog, readTipEntries, startLog } from "#proof/proof.server.ts";
import { Browser } from "#test/browser.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";

const DAY = "2026-12-16";

beforeEach(() => freezeClock(instantAt(DAY, "08:00")));
afterEach(() => freezeClock(null));

async function openAsAdmin(): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeAdmin()).id));
  return browser;
}

const search = async (text: string, browser?: Browser) =>
  await (browser ?? (await openAsAdmin())).get(
    `/admin/search?${new URLSearchParams({ search: text })}`,
  );

/** Expects the search to lead straight to a page. */
async function expectToOpen(text: string, path: string): Promise<void> {
  const response = await search(text);
  expect({ text, status: response.status, to: response.headers.get("Location") }).toEqual({
    text,
    status: 302,
    to: path,
  });
}

/** Expects the page of results to have a link. */
async function expectToList(text: string, path: string): Promise<void> {
  const response = await search(text);
  expect({ text, status: response.status }).toEqual({ text, status: 200 });
  expect(await response.text(), text).toContain(`href="${path}"`);
}

describe("the search of the admin area", () => {
  it("opens a person by id and by email address, and lists people by name", async () => {
    const person = await makeUser({ name: "Thandeka Quibell" });
    const path = `/admin/users/${person.id}`;
    await expectToOpen(person.id, path);
    await expectToOpen(` ${person.id.toUpperCase()} `, path);
    await expectToOpen(person.email.toUpperCase(), path);
    await expectToList("thandeka quib", path);
    await expectToList(person.email.slice(0, -4), path);
  });

  it("opens a tipster by display name and lists them by the beginning of a word", async () => {
    const tipster = await makeTipster({ name: "Zebulon Gallops" });
    await expectToOpen("zebulon gallops", `/admin/users/${tipster.id}`);
    await expectToList("gallo", `/admin/users/${tipster.id}`);
  });

  it("opens an application by phone number, however it is written", async () => {
    const displayName = "Quillon Silks";
    await new Browser().post("/tipster-auth?mode=apply", {
      email: `${randomUUID()}@example.test`,
      fullName: "Sipho Dlamini",
      displayName,
      phoneNumber: "082 311 4477",
      experienceYears: "",
      specialization: "",
      favouriteTracks: "",
      bio: "",
    });
    const { applications } = await listApplications({ search: displayName });
    const path = `/admin/tipsters/applications/${applications[0]?.id}`;
    for (const number of ["0823114477", "+27 82 311 4477", "(082) 311-4477"])
      await expectToOpen(number, path);
    await expectToOpen(applications[0]?.id ?? "", path);
    await expectToList(displayName, path);
    expect(await (await search("311 4477")).text()).not.toContain(path);
  });

  it("opens a purchase by receipt, order, payment and session number, and lists it by a part of that", async () => {
    const buyer = await makeUser();
    const { orderId, sessionId } = await makeDemoPurchase({
      userId: buyer.id,
      coinPackId: "value_8",
      at: instantAt(DAY, "07:00"),
    });
    const { rows } = await pool().query<{ id: string; paymentId: string }>(
      `select id, payment_id as "paymentId" from coin_purchases where order_id = $1`,
      [orderId],
    );
    const path = `/admin/purchases/${rows[0]?.id}`;
    for (const reference of [rows[0]?.id, orderId, rows[0]?.paymentId, sessionId])
      await expectToOpen(reference ?? "", path);
    await expectToList(sessionId.slice(0, -2), path);
    // Without its beginning, and with a wildcard, an id is not found.
    for (const text of [sessionId.slice(4), `${sessionId.slice(0, 12)}%`])
      expect(await (await search(text)).text()).not.toContain(path);
  });

  it("opens the person of an order that was not paid", async () => {
    const buyer = await makeUser();
    const sessionId = `cs_test_${randomUUID()}`;
    const { rows } = await pool().query<{ id: string }>(
      `insert into orders (user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, status,
         provider, session_id, created_at, updated_at)
       values ($1, 'value_8', 'Value', 8, 8000, $2, 'expired', 'stripe', $2, now(), now()) returning id`,
      [buyer.id, sessionId],
    );
    await expectToOpen(rows[0]?.id ?? "", `/admin/users/${buyer.id}`);
    await expectToOpen(sessionId, `/admin/users/${buyer.id}`);
  });

  it("opens a race card by its address and a tip by its id, and lists cards by track and day", async () => {
    const { raceCardId } = await publishRaceCard({ venue: "fairview", raceDate: DAY, races: [4] });
    const path = `/admin/race-cards/${raceCardId}`;
    await expectToOpen(raceCardId, path);
    await expectToOpen(`https://furlong.example/race-cards/${raceCardId}?from=mail`, path);
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1",
      [raceCardId],
    );
    await expectToOpen(rows[0]?.id ?? "", `${path}#race-4`);
    for (const text of ["fairview 16 Dec", "Fairview 2026-12-16", "today", "fair today"])
      await expectToList(text, path);
    expect(await (await search("fairview 15 Dec")).text()).not.toContain(path);
    await expectToList(
      "fairview",
      `/admin/venues/${(await findTestVenue("fairview")).id}/race-days`,
    );
  });

  it("shows the races of a day by track, also those with an official result", async () => {
    const { id: venueId } = await findTestVenue("vaal");
    await reportRacesWithRunners(venueId, DAY, { races: 2 });
    const confirm = await createResultConfirmer();
    await confirm(
      { venueId, raceDate: DAY, raceNumber: 1 },
      {
        order: [
          [2, "5/1"],
          [3, "3/1"],
          [5, "2/1"],
        ],
      },
    );
    for (const text of ["vaal 16 december", "16/12/2026"]) {
      const html = await (await search(text)).text();
      for (const raceNumber of [1, 2])
        expect(html, text).toContain(`href="/admin/results/${venueId}/${DAY}/${raceNumber}"`);
      expect(html, text).toContain("official");
    }
    expect(await (await search("vaal 17 december")).text()).toContain(
      `href="/admin/venues/${venueId}/race-days/2026-12-17"`,
    );
  });

  it("opens what an entry of the log is about", async () => {
    await startLog();
    const { raceCardId } = await publishRaceCard({ raceDate: DAY, races: [2] });
    while ((await appendToLog()) > 0);
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1",
      [raceCardId],
    );
    const tipId = rows[0]?.id ?? "";
    const logIndex = (await readTipEntries([tipId])).get(tipId)?.logIndex;
    for (const text of [`#${logIndex}`, `entry ${logIndex}`])
      await expectToOpen(text, `/admin/race-cards/${raceCardId}#race-2`);
    await expectToList(String(logIndex), `/admin/race-cards/${raceCardId}#race-2`);
    expect(await (await search("entry 999999999999")).text()).toContain("Nothing found");
  });

  it.each([
    ["", "A name, email address"],
    ["%%% ", "Enter at least one letter or digit."],
    ["x".repeat(101), "Enter at most 100 characters."],
    ["x".repeat(5_000), "Enter at most 100 characters."],
    ["zzqx'--\u0000", "Nothing found for “zzqx'--”"],
    [randomUUID(), "Nothing found for"],
  ])("answers %j with a message", async (text, message) => {
    const response = await search(text);
    expect(response.status).toBe(200);
    expect(await readVisibleText(response)).toContain(message);
  });

  it("is refused to guests and users", async () => {
    const person = await makeUser();
    const guest = await search(person.email, new Browser());
    expect(guest.headers.get("Location")).toContain("/admin?return=");
    const browser = new Browser();
    browser.applyCookies(await startSession(person.id));
    const refused = await search(person.email, browser);
    expect(refused.status).toBe(403);
  });
});
