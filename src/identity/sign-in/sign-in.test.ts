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

const NOON = new Date("2026-11-20T10:00:00Z");
const PASSWORD = "steady as she goes";
let passwordHash: string | null;
let person: Person;
let addresses = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  person = await makeUser({ passwordHash });
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const secondsLater = (seconds: number) => freezeClock(new Date(NOON.getTime() + seconds * 1000));
/** Every try from somewhere else, unless a test says otherwise. */
const elsewhere = () => {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

async function tryIt(
  password: string,
  {
    browser = new Browser(),
    email = person.email,
    restrictTo,
    clientAddress = elsewhere(),
  }: {
    browser?: Browser;
    email?: string;
    restrictTo?: Exclude<Role, "user">;
    clientAddress?: string;
  } = {},
) {
  const request = browser.request();
  const answer = await signIn({ email, password, restrictTo, request, clientAddress });
  if (answer.ok) browser.take(answer.headers);
  return answer.ok ? ("ok" as const) : answer.refusal;
}

async function sessionsOf(userId: string) {
  return await database().select().from(sessions).where(eq(sessions.userId, userId));
}

describe("signing in", () => {
  it("with the right password begins one session for 30 days of the product's own time", async () => {
    const browser = new Browser();
    expect(await tryIt(PASSWORD, { browser })).toBe("ok");
    const [session, ...more] = await sessionsOf(person.id);
    expect(more).toEqual([]);
    expect(session?.createdAt).toEqual(NOON);
    expect(session?.expiresAt).toEqual(new Date("2026-12-20T10:00:00Z"));
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("with a wrong one, or as nobody, says the same and begins nothing", async () => {
    expect(await tryIt("not it at all")).toBe("wrong-credentials");
    expect(await tryIt("not it at all", { email: "nobody@example.test" })).toBe(
      "wrong-credentials",
    );
    expect(await sessionsOf(person.id)).toEqual([]);
  });

  it("takes as long for an unknown address as for a known one", async () => {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 15; i += 1) {
      const other = await makeUser({ passwordHash });
      for (const [times, email] of [
        [known, other.email],
        [unknown, `x${other.email}`],
      ] as const) {
        const start = performance.now();
        await tryIt("not it at all", { email });
        times.push(performance.now() - start);
      }
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[7] ?? 0;
    const ratio = median(known) / median(unknown);
    // Without a hash for the unknown it is above five, on a busy machine too.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it("is not possible for an account without a password", async () => {
    const invited = await makeUser();
    expect(await tryIt("", { email: invited.email })).toBe("wrong-credentials");
    expect(await tryIt("null", { email: invited.email })).toBe("wrong-credentials");
  });

  it("again gives the browser a new token, and the old one is worth nothing", async () => {
    const browser = new Browser();
    await tryIt(PASSWORD, { browser });
    const before = new Browser();
    for (const [name, value] of browser.cookies) before.cookies.set(name, value);
    await tryIt(PASSWORD, { browser });
    expect(await sessionsOf(person.id)).toHaveLength(1);
    expect((await before.get("/api/me")).status).toBe(401);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("five times at once from five browsers begins five sessions", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => tryIt(PASSWORD)));
    expect(answers).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(await sessionsOf(person.id)).toHaveLength(5);
  });
});

describe("a door", () => {
  it("lets in who has its role, and nobody else, whatever their password", async () => {
    expect(await tryIt(PASSWORD, { restrictTo: "tipster" })).toBe("not-permitted");
    expect(await sessionsOf(person.id)).toEqual([]);
    await transaction((tx) => grantRole(tx, { userId: person.id, role: "tipster", actorId: null }));
    expect(await tryIt("wrong password", { restrictTo: "tipster" })).toBe("wrong-credentials");
    expect(await tryIt(PASSWORD, { restrictTo: "admin" })).toBe("not-permitted");
    expect(await tryIt(PASSWORD, { restrictTo: "tipster" })).toBe("ok");
  });
});

describe("limits on wrong passwords", () => {
  async function fail(times: number, given: Parameters<typeof tryIt>[1] = {}) {
    for (let i = 0; i < times; i += 1)
      expect(await tryIt(`wrong ${i}`, given)).toBe("wrong-credentials");
  }

  it("allow five from wherever they come, then one a minute, right or wrong", async () => {
    await fail(5);
    expect(await tryIt(PASSWORD)).toBe("too-many-attempts");
    secondsLater(59);
    expect(await tryIt(PASSWORD)).toBe("too-many-attempts");
    secondsLater(60);
    expect(await tryIt("wrong again")).toBe("wrong-credentials");
    expect(await tryIt(PASSWORD)).toBe("too-many-attempts");
    secondsLater(120);
    expect(await tryIt(PASSWORD)).toBe("ok");
  });

  it("are no lock: trying all the time does not push the next try away", async () => {
    await fail(5);
    for (let second = 1; second < 60; second += 10) {
      secondsLater(second);
      expect(await tryIt("hammering")).toBe("too-many-attempts");
    }
    secondsLater(61);
    expect(await tryIt(PASSWORD)).toBe("ok");
  });

  it("leave the owner alone in a browser that has signed in before", async () => {
    const own = new Browser();
    await tryIt(PASSWORD, { browser: own });
    own.cookies.delete("furlong");
    await fail(5);
    expect(await tryIt("a stranger")).toBe("too-many-attempts");
    expect(await tryIt(PASSWORD, { browser: own })).toBe("ok");
    await fail(5, { browser: own });
    expect(await tryIt(PASSWORD, { browser: own })).toBe("too-many-attempts");
  });

  it("do not trust a mark that was made up or belongs to another address", async () => {
    const own = new Browser();
    await tryIt(PASSWORD, { browser: own });
    const victim = await makeUser({ passwordHash });
    await fail(5, { email: victim.email });
    expect(await tryIt(PASSWORD, { browser: own, email: victim.email })).toBe("too-many-attempts");
    const forger = new Browser();
    forger.cookies.set("furlong-known", "mark.c2lnbmF0dXJl");
    expect(await tryIt(PASSWORD, { browser: forger, email: victim.email })).toBe(
      "too-many-attempts",
    );
  });

  it("hold when twenty tries come at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => tryIt(`wrong ${i}`)));
    expect(answers.filter((answer) => answer === "wrong-credentials")).toHaveLength(5);
    expect(answers.filter((answer) => answer === "too-many-attempts")).toHaveLength(15);
  });

  it("are not used up while the server is too busy to look", async () => {
    let isOver = false;
    const flood = Array.from({ length: 60 }, async () => {
      while (!isOver) if (!(await hashPassword("flood"))) await setTimeout(1);
    });
    for (let i = 0; i < 8; i += 1) expect(await tryIt(PASSWORD)).toBe("busy");
    isOver = true;
    await Promise.all(flood);
    expect(await tryIt(PASSWORD)).toBe("ok");
  });

  it("begin anew after the right password", async () => {
    await fail(4);
    expect(await tryIt(PASSWORD)).toBe("ok");
    await fail(5);
    expect(await tryIt(PASSWORD)).toBe("too-many-attempts");
  });

  it("count 200 tries in a quarter of an hour from one client address", async () => {
    const clientAddress = "192.0.2.200";
    for (let batch = 0; batch < 20; batch += 1) {
      const tries = Array.from({ length: 10 }, (_, i) =>
        tryIt("x".repeat(200), { email: `many${batch}.${i}@example.test`, clientAddress }),
      );
      expect(new Set(await Promise.all(tries))).toEqual(new Set(["wrong-credentials"]));
    }
    expect(await tryIt(PASSWORD, { clientAddress })).toBe("too-many-attempts");
    expect(await tryIt(PASSWORD)).toBe("ok");
    secondsLater(15 * 60);
    expect(await tryIt(PASSWORD, { clientAddress })).toBe("ok");
  });
});

describe("POST /api/sign-in", () => {
  it("answers the user and the session cookie, HttpOnly and SameSite=Lax", async () => {
    const browser = new Browser({ address: elsewhere() });
    const answer = await browser.postJson("/api/sign-in", {
      email: person.email.toUpperCase(),
      password: PASSWORD,
      roles: ["admin"],
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      user: { id: person.id, name: person.name, email: person.email, coins: 0, roles: ["user"] },
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^furlong=[^;]+; .*Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("answers 401, 400, 403, 429 with how long to wait", async () => {
    const browser = new Browser({ address: elsewhere() });
    const ask = (body: unknown) => browser.postJson("/api/sign-in", body);
    expect((await ask({ email: person.email })).status).toBe(400);
    expect((await ask("[")).status).toBe(400);
    expect((await ask({ email: { $gt: "" }, password: PASSWORD })).status).toBe(400);
    const unconfirmed = await makeUser({ passwordHash, verified: false });
    expect((await ask({ email: unconfirmed.email, password: PASSWORD })).status).toBe(403);
    for (let i = 0; i < 5; i += 1)
      expect((await ask({ email: person.email, password: "wrong" })).status).toBe(401);
    const limited = await ask({ email: person.email, password: PASSWORD });
    expect(limited.status).toBe(429);
    expect(limited.headers.get("Retry-After")).toBe("60");
    expect(await limited.json()).toEqual({
      error: "Too many attempts. Please wait 60 seconds and try again.",
    });
  });
});

describe("the login form", () => {
  const post = (browser: Browser, fields: Record<string, string>) => browser.post("/login", fields);

  it("works without scripts: it signs in and leads on to where one wanted to go", async () => {
    const browser = new Browser({ address: elsewhere() });
    const answer = await post(browser, {
      email: person.email,
      password: PASSWORD,
      return: "/my-cards",
    });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain("Login successful");
    expect(text).toMatch(/http-equiv="refresh" content="3;url=\/my-cards"/i);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("leads nobody to another site", async () => {
    const browser = new Browser({ address: elsewhere() });
    for (const target of ["//evil.test/", "https://evil.test/", "/\\evil.test"]) {
      const answer = await post(browser, {
        email: person.email,
        password: PASSWORD,
        return: target,
      });
      expect(await answer.text()).not.toContain("url=//evil");
    }
  });

  it("says what is wrong in the product's words, and shows the address again but no password", async () => {
    const browser = new Browser({ address: elsewhere() });
    const wrong = await post(browser, { email: person.email, password: "not it at all" });
    expect(wrong.status).toBe(401);
    const text = await wrong.text();
    expect(text).toContain("Invalid email or password. Please check your credentials.");
    expect(text).toContain(`value="${person.email}"`);
    expect(text).not.toContain("not it at all");
    const unconfirmed = await makeUser({ passwordHash, verified: false });
    const early = await post(browser, { email: unconfirmed.email, password: PASSWORD });
    expect(await early.text()).toContain(
      "Please confirm your email address before logging in. Check your inbox (and spam folder) for the confirmation link.",
    );
  });

  it("is refused when another site sends it", async () => {
    const browser = new Browser();
    const answer = await browser.post(
      "/login",
      { email: person.email, password: PASSWORD },
      { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" },
    );
    expect(answer.status).toBe(403);
    expect(browser.cookies.size).toBe(0);
  });
});
