import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { grantRole } from "../roles.server.ts";
import { sessions } from "../tables.server.ts";
import type { Role } from "../viewer.server.ts";
import { signIn } from "./sign-in.server.ts";
import { describeSignInRefusal } from "./sign-in-refusal.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const PASSWORD = "steady as she goes";
let passwordHash: string | null;
let user: Person;
let addressCount = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  user = await makeUser({ passwordHash });
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const setSecondsLater = (seconds: number) => freezeClock(new Date(NOON.getTime() + seconds * 1000));
/** Returns a new client address, so that attempts are not limited by address. */
const newAddress = () => {
  addressCount += 1;
  return `10.${addressCount >> 16}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
};

async function attempt(
  password: string,
  {
    browser = new Browser(),
    email = user.email,
    restrictTo,
    clientAddress = newAddress(),
  }: {
    browser?: Browser;
    email?: string;
    restrictTo?: Exclude<Role, "user">;
    clientAddress?: string;
  } = {},
) {
  const request = browser.request();
  const result = await signIn({ email, password, restrictTo, request, clientAddress });
  if (result.ok) browser.applyCookies(result.headers);
  return result.ok ? ("ok" as const) : result.refusal;
}

async function listSessions(userId: string) {
  return await database().select().from(sessions).where(eq(sessions.userId, userId));
}

describe("signing in", () => {
  it("starts one 30-day session with the right password", async () => {
    const browser = new Browser();
    expect(await attempt(PASSWORD, { browser })).toBe("ok");
    const [session, ...more] = await listSessions(user.id);
    expect(more).toEqual([]);
    expect(session?.createdAt).toEqual(NOON);
    expect(session?.expiresAt).toEqual(new Date("2026-12-20T10:00:00Z"));
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("responds the same to a wrong password and an unknown address", async () => {
    expect(await attempt("not it at all")).toBe("wrong-credentials");
    expect(await attempt("not it at all", { email: "nobody@example.test" })).toBe(
      "wrong-credentials",
    );
    expect(await listSessions(user.id)).toEqual([]);
  });

  it("refuses an account without a password", async () => {
    const invited = await makeUser();
    expect(await attempt("", { email: invited.email })).toBe("wrong-credentials");
    expect(await attempt("null", { email: invited.email })).toBe("wrong-credentials");
  });

  it("replaces the browser's session token when the user signs in again", async () => {
    const browser = new Browser();
    await attempt(PASSWORD, { browser });
    const previousBrowser = new Browser();
    for (const [name, value] of browser.cookies) previousBrowser.cookies.set(name, value);
    await attempt(PASSWORD, { browser });
    expect(await listSessions(user.id)).toHaveLength(1);
    expect((await previousBrowser.get("/api/me")).status).toBe(401);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("starts five sessions for five concurrent browsers", async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => attempt(PASSWORD)));
    expect(results).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(await listSessions(user.id)).toHaveLength(5);
  });
});

describe("a restricted sign-in form", () => {
  it("admits only users with its role", async () => {
    expect(await attempt(PASSWORD, { restrictTo: "tipster" })).toBe("not-permitted");
    expect(await listSessions(user.id)).toEqual([]);
    await transaction((tx) => grantRole(tx, { userId: user.id, role: "tipster", actorId: null }));
    expect(await attempt("wrong password", { restrictTo: "tipster" })).toBe("wrong-credentials");
    expect(await attempt(PASSWORD, { restrictTo: "admin" })).toBe("not-permitted");
    expect(await attempt(PASSWORD, { restrictTo: "tipster" })).toBe("ok");
  });
});

describe("limits on wrong passwords", () => {
  async function fail(times: number, given: Parameters<typeof attempt>[1] = {}) {
    for (let i = 0; i < times; i += 1)
      expect(await attempt(`wrong ${i}`, given)).toBe("wrong-credentials");
  }

  it("allow five attempts from any address, then one a minute", async () => {
    await fail(5);
    expect(await attempt(PASSWORD)).toBe("too-many-attempts");
    setSecondsLater(59);
    expect(await attempt(PASSWORD)).toBe("too-many-attempts");
    setSecondsLater(60);
    expect(await attempt("wrong again")).toBe("wrong-credentials");
    expect(await attempt(PASSWORD)).toBe("too-many-attempts");
    setSecondsLater(120);
    expect(await attempt(PASSWORD)).toBe("ok");
  });

  it("do not extend the wait when attempts continue", async () => {
    await fail(5);
    for (let second = 1; second < 60; second += 10) {
      setSecondsLater(second);
      expect(await attempt("hammering")).toBe("too-many-attempts");
    }
    setSecondsLater(61);
    expect(await attempt(PASSWORD)).toBe("ok");
  });

  it("count a known browser separately", async () => {
    const ownersBrowser = new Browser();
    await attempt(PASSWORD, { browser: ownersBrowser });
    ownersBrowser.cookies.delete("furlong");
    await fail(5);
    expect(await attempt("a stranger")).toBe("too-many-attempts");
    expect(await attempt(PASSWORD, { browser: ownersBrowser })).toBe("ok");
    await fail(5, { browser: ownersBrowser });
    expect(await attempt(PASSWORD, { browser: ownersBrowser })).toBe("too-many-attempts");
  });

  it("reject a forged known-browser cookie and one of another address", async () => {
    const ownersBrowser = new Browser();
    await attempt(PASSWORD, { browser: ownersBrowser });
    const victim = await makeUser({ passwordHash });
    await fail(5, { email: victim.email });
    expect(await attempt(PASSWORD, { browser: ownersBrowser, email: victim.email })).toBe(
      "too-many-attempts",
    );
    const browserWithForgedCookie = new Browser();
    browserWithForgedCookie.cookies.set("furlong-known", "mark.c2lnbmF0dXJl");
    expect(await attempt(PASSWORD, { browser: browserWithForgedCookie, email: victim.email })).toBe(
      "too-many-attempts",
    );
  });

  it("hold when twenty attempts arrive together", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => attempt(`wrong ${i}`)));
    expect(results.filter((result) => result === "wrong-credentials")).toHaveLength(5);
    expect(results.filter((result) => result === "too-many-attempts")).toHaveLength(15);
  });

  it("do not count attempts while the hash queue is full", async () => {
    let isOver = false;
    const flood = Array.from({ length: 60 }, async () => {
      while (!isOver) if (!(await hashPassword("flood"))) await setTimeout(1);
    });
    for (let i = 0; i < 8; i += 1) expect(await attempt(PASSWORD)).toBe("busy");
    isOver = true;
    await Promise.all(flood);
    expect(await attempt(PASSWORD)).toBe("ok");
  });

  it("reset after the right password", async () => {
    await fail(4);
    expect(await attempt(PASSWORD)).toBe("ok");
    await fail(5);
    expect(await attempt(PASSWORD)).toBe("too-many-attempts");
  });

  it("allow 200 attempts in 15 minutes per client address", async () => {
    const clientAddress = "192.0.2.200";
    for (let batch = 0; batch < 20; batch += 1) {
      const tries = Array.from({ length: 10 }, (_, i) =>
        attempt("x".repeat(200), { email: `many${batch}.${i}@example.test`, clientAddress }),
      );
      expect(new Set(await Promise.all(tries))).toEqual(new Set(["wrong-credentials"]));
    }
    expect(await attempt(PASSWORD, { clientAddress })).toBe("too-many-attempts");
    expect(await attempt(PASSWORD)).toBe("ok");
    setSecondsLater(15 * 60);
    expect(await attempt(PASSWORD, { clientAddress })).toBe("ok");
  });
});

describe("POST /api/sign-in", () => {
  it("returns the user and an HttpOnly, SameSite=Lax session cookie", async () => {
    const browser = new Browser({ address: newAddress() });
    const response = await browser.postJson("/api/sign-in", {
      email: user.email.toUpperCase(),
      password: PASSWORD,
      roles: ["admin"],
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      user: { id: user.id, name: user.name, email: user.email, coins: 0, roles: ["user"] },
    });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^furlong=[^;]+; .*Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("returns 400, 401, 403, and 429 with Retry-After", async () => {
    const browser = new Browser({ address: newAddress() });
    const send = (body: unknown) => browser.postJson("/api/sign-in", body);
    expect((await send({ email: user.email })).status).toBe(400);
    expect((await send("[")).status).toBe(400);
    expect((await send({ email: { $gt: "" }, password: PASSWORD })).status).toBe(400);
    const unconfirmed = await makeUser({ passwordHash, verified: false });
    expect((await send({ email: unconfirmed.email, password: PASSWORD })).status).toBe(403);
    for (let i = 0; i < 5; i += 1)
      expect((await send({ email: user.email, password: "wrong" })).status).toBe(401);
    const limited = await send({ email: user.email, password: PASSWORD });
    expect(limited.status).toBe(429);
    expect(limited.headers.get("Retry-After")).toBe("60");
    expect(await limited.json()).toEqual({
      error: "Too many attempts. Please wait 60 seconds and try again.",
    });
  });
});

describe("the login form", () => {
  const post = (browser: Browser, fields: Record<string, string>) => browser.post("/login", fields);

  it("signs in and redirects to the return target without JavaScript", async () => {
    const browser = new Browser({ address: newAddress() });
    const response = await post(browser, {
      email: user.email,
      password: PASSWORD,
      return: "/my-cards",
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain("Login successful");
    expect(text).toMatch(/http-equiv="refresh" content="3;url=\/my-cards"/i);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("does not redirect to another site", async () => {
    const browser = new Browser({ address: newAddress() });
    for (const target of ["//evil.test/", "https://evil.test/", "/\\evil.test"]) {
      const response = await post(browser, {
        email: user.email,
        password: PASSWORD,
        return: target,
      });
      expect(await response.text()).not.toContain("url=//evil");
    }
  });

  it("shows the error and the address again, but not the password", async () => {
    const browser = new Browser({ address: newAddress() });
    const rejectedLogin = await post(browser, { email: user.email, password: "not it at all" });
    expect(rejectedLogin.status).toBe(401);
    const text = await rejectedLogin.text();
    expect(text).toContain("Invalid email or password. Please check your credentials.");
    expect(text).toContain(`value="${user.email}"`);
    expect(text).not.toContain("not it at all");
    const unconfirmed = await makeUser({ passwordHash, verified: false });
    const early = await post(browser, { email: unconfirmed.email, password: PASSWORD });
    expect(await early.text()).toContain(
      "Please confirm your email address before logging in. Check your inbox (and spam folder) for the confirmation link.",
    );
  });

  it("refuses cross-site requests", async () => {
    const browser = new Browser();
    const response = await browser.post(
      "/login",
      { email: user.email, password: PASSWORD },
      { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" },
    );
    expect(response.status).toBe(403);
    expect(browser.cookies.size).toBe(0);
  });
});

describe("a refused login", () => {
  it("has a message, a status and a waiting time, and the words of a form of its own", () => {
    expect(describeSignInRefusal({ ok: false, refusal: "busy" })).toEqual({
      message: "We are very busy right now. Please try again in a few seconds.",
      status: 503,
      headers: { "Retry-After": "5" },
    });
    expect(
      describeSignInRefusal({ ok: false, refusal: "too-many-attempts", retryAfterSeconds: 60 }),
    ).toMatchObject({ status: 429, headers: { "Retry-After": "60" } });
    const refused = { ok: false, refusal: "not-confirmed" } as const;
    expect(describeSignInRefusal(refused)).toMatchObject({
      message: expect.stringContaining("confirm your email address"),
      status: 403,
      headers: undefined,
    });
    expect(describeSignInRefusal(refused, { "not-confirmed": "Own words" }).message).toBe(
      "Own words",
    );
  });
});
