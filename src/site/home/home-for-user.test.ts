import { beforeEach, describe, expect, it } from "vitest";
import { grantRole, startSession } from "#accounts/accounts.server.ts";
import { endUserSessions } from "#accounts/sessions.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { OWNER_HEADER } from "#platform/offline.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { LIST_PATH } from "#ui/list-path.ts";

/** Each test has its own day, so that its race cards are the only ones of today. */
let today = "2026-12-01";
beforeEach(async () => {
  today = addDays(today, 1);
  freezeClock(instantAt(today, "08:00"));
  await publishUpdate("race-cards");
});
const publishForToday = (options: Parameters<typeof publishRaceCard>[0] = {}) =>
  publishRaceCard({ raceDate: today, ...options });

async function createSignedInBrowser(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(userId));
  return browser;
}

async function readHome(browser: Browser, path = "/") {
  const response = await browser.get(path);
  return { response, text: await response.text() };
}

const REQUEST_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=:[0-9a-f]{8}-)/g;
const listKeys = (page: string) => [...new Set(page.match(REQUEST_ID))];

describe("the home page of a user", () => {
  it("shows each of two users only their own name, balance and keys", async () => {
    await publishForToday();
    const people = [
      await makeUser({ name: "First Private Person", coins: 70_001 }),
      await makeUser({ name: "Second Private Person", coins: 90_002 }),
    ];
    const browsers = await Promise.all(people.map(({ id }) => createSignedInBrowser(id)));
    const keys = new Set<string>();
    let count = 0;
    for (const path of ["/", "/_.data"])
      await Promise.all(
        Array.from({ length: 20 }, async (_, turn) => {
          const { text, response } = await readHome(browsers[turn % 2] as Browser, path);
          const [own, other] = turn % 2 === 0 ? ["First", "Second"] : ["Second", "First"];
          const [coins, otherCoins] = turn % 2 === 0 ? ["70001", "90002"] : ["90002", "70001"];
          expect(text).toContain(`${own} Private Person`);
          expect(text).toContain(coins);
          expect(text).not.toContain(`${other} Private Person`);
          expect(text.replaceAll("\u00a0", "")).not.toContain(otherCoins);
          for (const person of people) {
            expect(text).not.toContain(person.id);
            expect(text).not.toContain(person.email);
          }
          expect(response.headers.get("Cache-Control")).toBe("no-store");
          const [key, ...more] = listKeys(text);
          expect(more).toEqual([]);
          keys.add(key ?? "");
          count += 1;
        }),
      );
    expect(keys.size).toBe(count);
    const guest = await (await new Browser().get("/")).text();
    expect(guest).not.toContain("Private Person");
    expect(guest).not.toContain('idempotencyKey" value');
  });

  it("shows a balance that has changed since the last request", async () => {
    const user = await makeUser({ coins: 20_000 });
    const browser = await createSignedInBrowser(user.id);
    expect((await readHome(browser)).text).toContain("20000 coins");
    await grantTestCoins(user.id, 5);
    const { text } = await readHome(browser);
    expect(text).toContain("20005 coins");
    expect(text).not.toContain("20000 coins");
    expect((await readHome(browser, "/_.data")).text).toContain("20005");
  });

  it("marks a race card as opened for its buyer, and contains its tips for nobody", async () => {
    const { raceCardId, creatorId } = await publishForToday({
      races: [{ raceNumber: 1, horseName: "Undisclosed Dancer", analysis: "Undisclosed reason." }],
    });
    const buyer = await makeUser({ coins: 4 });
    const browser = await createSignedInBrowser(buyer.id);
    expect((await readHome(browser)).text).not.toContain("Undisclosed");
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const others = await Promise.all(
      [(await makeUser()).id, creatorId].map((id) => createSignedInBrowser(id)),
    );
    // To the buyer of a race card of today, "/" shows My day.
    for (const path of [LIST_PATH, LIST_PATH.replace("/", "/_.data")])
      for (let turn = 0; turn < 2; turn += 1) {
        const opened = (await readHome(browser, path)).text;
        expect(opened).not.toContain("Undisclosed");
        if (path === LIST_PATH) expect(opened).toContain(">Opened<");
        for (const other of others)
          expect((await readHome(other, path)).text).not.toMatch(/Undisclosed|>Opened</);
      }
  });

  it("marks a creator's own race card for that creator only", async () => {
    const [first, second] = [await makeTipster(), await makeTipster()];
    for (const { id } of [first, second]) await publishForToday({ creatorId: id });
    for (const { id } of [first, second, first]) {
      const browser = await createSignedInBrowser(id);
      const { text } = await readHome(browser);
      expect(text).toContain("Your card");
    }
  });

  it("shows the navigation of the user's roles, also after a role was granted", async () => {
    const user = await makeUser({ coins: 4 });
    const browser = await createSignedInBrowser(user.id);
    const admin = await createSignedInBrowser((await makeAdmin()).id);
    const isAdminPage = async (reader: Browser) =>
      (await readHome(reader)).text.includes('href="/admin"');
    expect([await isAdminPage(admin), await isAdminPage(browser)]).toEqual([true, false]);
    await transaction((tx) => grantRole(tx, { userId: user.id, role: "admin", actorId: null }));
    expect(await isAdminPage(browser)).toBe(true);
  });

  it("is not sent once the session has ended", async () => {
    const user = await makeUser({ name: "Signed Out Person" });
    const browser = await createSignedInBrowser(user.id);
    const { response } = await readHome(browser);
    expect(response.headers.get(OWNER_HEADER)).not.toBe("none");
    await endUserSessions((await makeAdmin()).id, user.id);
    for (const path of ["/", "/_.data"]) {
      const guest = await browser.get(path);
      const text = await guest.text();
      expect(text).not.toContain("Signed Out Person");
      expect(text).not.toContain(listKeys(text)[0] ?? 'idempotencyKey" value');
      expect(guest.headers.get(OWNER_HEADER)).toBe("none");
    }
  });

  it("shows a race card published while the page was rendered in the next response", async () => {
    const browser = await createSignedInBrowser((await makeUser()).id);
    const pending = readHome(browser);
    const { raceCardId } = await publishForToday();
    await publishUpdate("race-cards");
    await pending;
    expect((await readHome(browser)).text).toContain(raceCardId);
  });
});
