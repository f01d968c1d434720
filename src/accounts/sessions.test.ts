import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { auditEntries } from "#platform/audit/tables.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { database, pool, transaction } from "#platform/database.server.ts";
import { rateLimits } from "#platform/tables.server.ts";
import { Browser } from "#test/browser.ts";
import { grantTestCoins, makeUser, type Person } from "#test/factories.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { deleteExpired } from "./delete-expired.server.ts";
import { hashPassword } from "./password/password-hash.server.ts";
import { closeAccount } from "./profile/close-account.server.ts";
import { grantRole, revokeRole } from "./roles.server.ts";
import { readSessionToken } from "./session-token.server.ts";
import { startSession } from "./sessions.server.ts";
import { signOutEverywhere } from "./sign-in/sign-out.server.ts";
import { sessions, users } from "./tables.server.ts";
import { findViewerByRequest } from "./viewer.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;
const PASSWORD = "steady as she goes";
let passwordHash: string | null;
let user: Person;
let browser: Browser;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  user = await makeUser({ passwordHash });
  browser = new Browser();
  browser.applyCookies(await startSession(user.id));
});
afterEach(() => freezeClock(null));

const afterDays = (days: number) => freezeClock(new Date(NOON.getTime() + days * DAY_MS));
const me = () => browser.get("/api/me");

describe("a session", () => {
  it("returns the viewer with coins and roles", async () => {
    await grantTestCoins(user.id, 12);
    const response = await me();
    expect(await response.json()).toEqual({
      user: { id: user.id, name: user.name, email: user.email, coins: 12, roles: ["user"] },
    });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("expires 30 days after the last use", async () => {
    for (const day of [20, 40, 60, 80]) {
      afterDays(day);
      expect((await me()).status, `day ${day}`).toBe(200);
    }
    afterDays(110);
    expect((await me()).status).toBe(401);
  });

  it("is extended at most once a day", async () => {
    const expiry = async () =>
      (await database().select().from(sessions).where(eq(sessions.userId, user.id)))[0]?.expiresAt;
    freezeClock(new Date(NOON.getTime() + DAY_MS / 2));
    await me();
    expect(await expiry()).toEqual(new Date(NOON.getTime() + 30 * DAY_MS));
    afterDays(1.5);
    await me();
    expect(await expiry()).toEqual(new Date(NOON.getTime() + 31.5 * DAY_MS));
  });

  it("requires a valid signature on the cookie", async () => {
    const [row] = await database().select().from(sessions).where(eq(sessions.userId, user.id));
    const token = row?.token ?? "";
    expect(readSessionToken(browser.request())).toBe(token);
    for (const value of [
      token,
      `${token}.`,
      `${token}.${btoa("x".repeat(32))}`,
      `.${token}`,
      "%",
    ]) {
      const browserWithForgedCookie = new Browser();
      browserWithForgedCookie.cookies.set("furlong", value);
      expect(readSessionToken(browserWithForgedCookie.request())).toBeNull();
      expect((await browserWithForgedCookie.get("/api/me")).status).toBe(401);
    }
  });

  it("is resolved from its token in SQL", async () => {
    const owner = async (at: Date) =>
      (
        await pool().query("select session_user_id($1, $2) as id", [
          readSessionToken(browser.request()),
          at,
        ])
      ).rows[0].id;
    expect(await owner(NOON)).toBe(user.id);
    expect(await owner(new Date(NOON.getTime() + 30 * DAY_MS))).toBeNull();
  });
});

describe("signing out", () => {
  it("deletes the session, so that a replayed cookie is refused", async () => {
    const thief = new Browser();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    const response = await browser.postJson("/api/sign-out", {});
    expect(response.status).toBe(200);
    expect(response.headers.get("Clear-Site-Data")).toBe('"storage"');
    expect(browser.cookies.has("furlong")).toBe(false);
    expect((await thief.get("/api/me")).status).toBe(401);
    expect(await findViewerByRequest(thief.request())).toBeNull();
  });

  it("requires a POST; opening the page does not sign out", async () => {
    expect((await browser.get("/logout")).status).toBe(200);
    expect((await me()).status).toBe(200);
    const response = await browser.post("/logout", {});
    expect(await response.text()).toContain("Back to Racing Tips");
    expect(response.headers.get("Clear-Site-Data")).toContain("storage");
    expect((await me()).status).toBe(401);
  });

  it("deletes every cookie except the known-browser cookie", async () => {
    browser.cookies.set("furlong-registered", "mark");
    browser.cookies.set("furlong-order-0123456789ab", "handle");
    browser.cookies.set("set-by-a-script", "yes");
    browser.cookies.set("furlong-known", "mark.signature");
    await browser.post("/logout", {});
    expect([...browser.cookies.keys()]).toEqual(["furlong-known"]);
  });

  it.each([
    ["/logout", 200, "we couldn&#x27;t end the session on our server"],
    ["/logout.data", 200, '"ok",false'],
    ["/api/sign-out", 503, "your session has not ended"],
  ])("clears the browser when %s cannot end the session", async (path, status, text) => {
    browser.cookies.set("set-by-a-script", "yes");
    browser.cookies.set("furlong-known", "mark.signature");
    vi.spyOn(pool(), "query").mockRejectedValue(new Error("unexpected") as never);
    vi.spyOn(pool(), "connect").mockRejectedValue(new Error("unexpected") as never);
    const response = await browser.post(path, {}).finally(() => vi.restoreAllMocks());
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
    expect(response.headers.get("Clear-Site-Data")).toBe('"storage"');
    expect([...browser.cookies.keys()]).toEqual(["furlong-known"]);
  });

  it("is idempotent, even without a session", async () => {
    await browser.postJson("/api/sign-out", {});
    expect((await browser.postJson("/api/sign-out", {})).status).toBe(200);
  });

  it("ends all sessions of the user, and no others, when signing out everywhere", async () => {
    const otherUser = await makeUser();
    const [secondBrowser, otherUsersBrowser] = [new Browser(), new Browser()];
    secondBrowser.applyCookies(await startSession(user.id));
    otherUsersBrowser.applyCookies(await startSession(otherUser.id));
    await signOutEverywhere(user.id, browser.request());
    expect((await me()).status).toBe(401);
    expect((await secondBrowser.get("/api/me")).status).toBe(401);
    expect((await otherUsersBrowser.get("/api/me")).status).toBe(200);
  });
});

describe("a role", () => {
  const admin = "tipster" as const;

  it("takes effect with the next request, is granted once and audited", async () => {
    const grant = () =>
      transaction((tx) => grantRole(tx, { userId: user.id, role: admin, actorId: null }));
    await Promise.all([grant(), grant(), grant()]);
    const viewer = await findViewerByRequest(browser.request());
    expect(viewer?.roles).toEqual(["user", "tipster"]);
    const entries = await database()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, user.id));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ action: "grant-role", details: { role: "tipster" } });
  });

  it("ends the sessions when revoked, once", async () => {
    await transaction((tx) => grantRole(tx, { userId: user.id, role: admin, actorId: null }));
    const revoke = () =>
      transaction((tx) => revokeRole(tx, { userId: user.id, role: admin, actorId: null }));
    await revoke();
    expect((await me()).status).toBe(401);
    browser.applyCookies(await startSession(user.id));
    await revoke();
    expect((await me()).status).toBe(200);
    expect((await findViewerByRequest(browser.request()))?.roles).toEqual(["user"]);
  });
});

describe("closing an account", () => {
  it("deletes the personal data and retains the id", async () => {
    await transaction((tx) => closeAccount(tx, user.id));
    expect((await me()).status).toBe(401);
    const [row] = await database().select().from(users).where(eq(users.id, user.id));
    expect(JSON.stringify(row)).not.toContain(user.name);
    expect(JSON.stringify(row)).not.toContain(user.email);
    expect(row?.closedAt).toEqual(NOON);
    const response = await browser.postJson("/api/sign-in", {
      email: user.email,
      password: PASSWORD,
    });
    expect(response.status).toBe(401);
  });

  it("refuses session cookies of a closed account", async () => {
    await database().update(users).set({ closedAt: NOON }).where(eq(users.id, user.id));
    expect((await me()).status).toBe(401);
  });
});

describe("deleting expired rows", () => {
  it("deletes expired sessions and rate limits, and no others", async () => {
    const old = await makeUser();
    await startSession(old.id);
    afterDays(29);
    browser.applyCookies(await startSession(user.id));
    await browser.postJson("/api/sign-in", { email: "nobody@example.test", password: "wrong" });
    afterDays(31);
    await deleteExpired.run({}, { isLast: false });
    expect(await database().select().from(sessions).where(eq(sessions.userId, old.id))).toEqual([]);
    expect((await me()).status).toBe(200);
    expect(await database().select().from(rateLimits)).toEqual([]);
  });

  it("deletes the other expired data when one kind fails, and that kind in the next run", async () => {
    const run = () => deleteExpired.run({}, { isLast: false });
    await browser.postJson("/api/sign-in", { email: "nobody@example.test", password: "wrong" });
    afterDays(31);
    const condition = `old.user_id = '${user.id}'`;
    await expect(
      withRefusedWrites({ table: "sessions", write: "delete", condition }, run),
    ).rejects.toThrow("sessions");
    expect(await database().select().from(rateLimits)).toEqual([]);
    const readSessions = () =>
      database().select().from(sessions).where(eq(sessions.userId, user.id));
    expect(await readSessions()).toHaveLength(1);
    await run();
    expect(await readSessions()).toEqual([]);
  });
});
