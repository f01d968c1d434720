import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAccount, startSession } from "#accounts/accounts.server.ts";
import { grantCoins } from "#accounts/admin/grant-coins.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { closeUserAccount } from "../profile/close-user-account.server.ts";
import { readUserHistory, type UserEvent } from "./read-user-history.server.ts";

const START = instantAt("2027-09-01", "08:00");

let admin: Person;
let browser: Browser;
beforeEach(async () => {
  freezeClock(START);
  admin = await makeAdmin();
  browser = new Browser();
  browser.applyCookies(await startSession(admin.id));
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const later = (minutes: number) => freezeClock(new Date(now().getTime() + minutes * 60_000));

async function readHistory(userId: string, before: Date | null = null) {
  const account = await readAccount(userId, now());
  if (!account) throw new Error("no account");
  return await readUserHistory(account, before);
}

const describeEvent = (event: UserEvent) =>
  event.type === "coins"
    ? `${event.line.kind} ${event.line.amountCoins}`
    : event.type === "audit"
      ? event.action
      : event.type;

const writeNote = (userId: string, fields: Record<string, string>, from = browser) =>
  from.post(`/admin/users/${userId}/note`, fields);

describe("the history of an account", () => {
  it("has the payments, cards, emails, log ins and notes in the order in which they happened", async () => {
    const user = await makeUser();
    later(1);
    await startSession(user.id);
    later(1);
    await makeDemoPurchase({ userId: user.id, coinPackId: "starter_4", at: now() });
    later(1);
    const { raceCardId } = await publishRaceCard({ raceDate: "2027-09-02" });
    await unlockRaceCardAs(user.id, { raceCardId });
    later(1);
    await transaction((tx) =>
      enqueueEmail(tx, {
        to: user.email,
        userId: user.id,
        kind: "coins-granted",
        ...{ subject: "Hello", text: "Hello", html: "Hello" },
      }),
    );
    later(1);
    expect((await writeNote(user.id, { text: "Called about the card" })).status).toBe(200);
    const { events, next } = await readHistory(user.id);
    expect(events.map(describeEvent)).toEqual([
      "write-note",
      "email",
      "unlock -4",
      "purchase 4",
      "order",
      "session",
      ...events.filter(({ type }) => type === "account").map(() => "account"),
    ]);
    expect(next).toBeNull();
    expect(events[2]).toMatchObject({ raceCard: { id: raceCardId } });
    const text = await readVisibleText(await browser.get(`/admin/users/${user.id}`));
    expect(text).toContain("Called about the card");
    expect(text.indexOf("Card opened")).toBeLessThan(text.indexOf("Coins bought"));
  });

  it("has every event once across pages, also those of one instant", async () => {
    const user = await makeUser();
    for (let count = 0; count < 30; count += 1) {
      if (count % 3 === 0) later(1);
      await writeNote(user.id, { text: `Note ${count}` });
    }
    const all: UserEvent[] = [];
    let before: Date | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof readHistory>> = await readHistory(user.id, before);
      all.push(...page.events);
      before = page.next;
      pages += 1;
    } while (before);
    expect(pages).toBe(2);
    const keys = all.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(all.filter(({ type }) => type === "audit")).toHaveLength(30);
    expect(all.map(({ at }) => at.getTime())).toEqual(
      all.map(({ at }) => at.getTime()).sort((one, other) => other - one),
    );
    const first = await (await browser.get(`/admin/users/${user.id}`)).text();
    const olderPath = /href="(\/admin\/users\/[^"]*after=\d+)"/.exec(first)?.[1] ?? "";
    expect(await readVisibleText(await browser.get(olderPath))).toContain("Signed up");
    for (const after of ["9007199254740991", "-1", "nonsense"])
      expect((await browser.get(`/admin/users/${user.id}?after=${after}`)).status).toBe(200);
  });
});

describe("what moves a person's money", () => {
  it("is on their page and in the audit log searched by name: grants, refunds and payouts", async () => {
    const creator = await makeTipster({ name: "Zebulon Quagga" });
    const other = await makeUser();
    const grant = { amountCoins: 8, reason: "The site was down", idempotencyKey: randomUUID() };
    expect(await grantCoins(admin.id, creator.id, grant)).toMatchObject({ ok: true });
    const otherGrant = { ...grant, reason: "Somebody else's reason" };
    expect(await grantCoins(admin.id, other.id, otherGrant)).toMatchObject({ ok: true });
    await makeDemoPurchase({ userId: creator.id, coinPackId: "starter_4", at: now() });
    const { rows } = await pool().query<{ id: string }>(
      "select id from coin_purchases where user_id = $1",
      [creator.id],
    );
    await transaction((tx) =>
      writeAudit(tx, { actorId: admin.id, action: "send-receipt", subject: rows[0]?.id ?? "" }),
    );
    const search = await readVisibleText(await browser.get("/admin/audit?search=zebulon"));
    expect(search).toContain("Granted coins");
    expect(search).toContain("The site was down");
    expect(search).toContain("Resent a receipt");
    expect(search).not.toContain("Somebody else's reason");
    const page = await readVisibleText(await browser.get(`/admin/users/${creator.id}`));
    expect(page).toContain("Granted coins");
    expect(page).toContain("The site was down");
    expect(page).toContain(admin.name);
    expect(page).toContain("Resent a receipt");
    expect(page).not.toContain("Somebody else's reason");
  });
});

describe("a note about a user", () => {
  const readNotes = async (userId: string) =>
    (await readHistory(userId)).events.flatMap((event) => (event.type === "audit" ? [event] : []));

  it("is kept with its author, and a complaint as such", async () => {
    const creator = await makeTipster();
    expect((await writeNote(creator.id, { text: " Two\r\nlines ", kind: "note" })).status).toBe(
      200,
    );
    await writeNote(creator.id, { text: "Same horse in two cards", kind: "complaint" });
    const [complaint, note] = await readNotes(creator.id);
    expect([complaint, note]).toMatchObject([
      { action: "record-complaint", details: { text: "Same horse in two cards" } },
      { action: "write-note", actorName: admin.name, details: { text: "Two\nlines" } },
    ]);
  });

  it("is written once when the form is sent twice or at the same time", async () => {
    const user = await makeUser();
    const note = { text: "Promised an answer by Friday" };
    await Promise.all(Array.from({ length: 4 }, () => writeNote(user.id, note)));
    await writeNote(user.id, note);
    expect(await readNotes(user.id)).toHaveLength(1);
    await writeNote(user.id, { text: "Answered" });
    await writeNote(user.id, note);
    expect(await readNotes(user.id)).toHaveLength(3);
  });

  it("is refused when empty, too long, about nobody or about a closed account", async () => {
    const user = await makeUser();
    for (const text of ["", " \n ", "a".repeat(1001)])
      expect((await writeNote(user.id, { text })).status).toBe(422);
    for (const unknownId of [randomUUID(), "nobody"])
      expect((await writeNote(unknownId, { text: "Note" })).status).toBe(404);
    await closeUserAccount(admin.id, user.id, "Asked for it in writing");
    expect((await writeNote(user.id, { text: "Note" })).status).toBe(409);
    expect((await readNotes(user.id)).map(({ action }) => action)).toEqual(["close-account"]);
    expect(await readVisibleText(await browser.get(`/admin/users/${user.id}`))).not.toContain(
      "Add a note",
    );
  });

  it("is written and read by admins only", async () => {
    const user = await makeUser();
    const own = new Browser();
    own.applyCookies(await startSession(user.id));
    expect((await writeNote(user.id, { text: "About myself" }, own)).status).toBe(403);
    expect((await writeNote(user.id, { text: "Anonymous" }, new Browser())).status).not.toBe(200);
    expect(await readNotes(user.id)).toEqual([]);
    await writeNote(user.id, { text: "Sounded drunk" });
    for (const path of ["/profile", "/profile/data", `/admin/users/${user.id}`])
      expect(await (await own.get(path)).text()).not.toContain("Sounded drunk");
  });
});
