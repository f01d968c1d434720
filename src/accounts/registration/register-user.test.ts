import { count, eq } from "drizzle-orm";
import * as v from "valibot";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailToken, readEmailsTo } from "#test/emails.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { emailInput } from "../accounts.input.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { credentials, sessions, userRoles, users } from "../tables.server.ts";
import { findUserByEmail } from "../users.server.ts";
import { registerUser } from "./register-user.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
let userCount = 0;
let addressCount = 0;

beforeEach(() => {
  userCount += 1;
  addressCount += 1;
  freezeClock(NOON);
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const email = () => `sipho${userCount}@example.test`;
const clientAddress = () => `10.0.0.${addressCount}`;

function register(given: Partial<Parameters<typeof registerUser>[0]> = {}, from = clientAddress()) {
  return registerUser(
    { name: "Sipho Dlamini", email: email(), password: "a long shot", ...given },
    { request: new Browser().request(), clientAddress: from },
  );
}

async function accounts(address: string): Promise<number> {
  const [row] = await database()
    .select({ accounts: count() })
    .from(users)
    .where(eq(users.email, address));
  return row?.accounts ?? 0;
}

describe("an address", () => {
  it.each(["a@closed.invalid", "A@CLOSED.INVALID ", "a@b.invalid"])(
    "refuses the undeliverable address %s",
    (address) => {
      expect(v.safeParse(emailInput, address).success).toBe(false);
    },
  );

  it.each([
    "a@invalid.co.za",
    "invalid@example.test",
    "a@example.xn--p1ai",
    "a@xn--mnchen-3ya.example.xn--vermgensberatung-pwb",
    `${"a".repeat(64)}@example.test`,
    `a@${"b".repeat(63)}.test`,
    "a@b.co",
  ])("accepts %s", (address) => {
    expect(v.safeParse(emailInput, address).success).toBe(true);
  });

  it.each([
    `${"a".repeat(65)}@example.test`,
    `a@${"b".repeat(64)}.test`,
    "a@example-.test",
    "a@-example.test",
    "a@example.xn--",
    "a@example.xn--p1ai-",
    "a@example.t1",
    "a\u200Bb@example.test",
  ])("refuses %s", (address) => {
    expect(v.safeParse(emailInput, address).success).toBe(false);
  });

  it("is accepted with the invisible characters that were pasted around it", () => {
    expect(v.parse(emailInput, "\uFEFF\u200B A@example.test\u202C\u00A0")).toBe("a@example.test");
  });
});

describe("registering", () => {
  it("creates an unconfirmed account with an empty wallet and records agreement to the terms", async () => {
    expect(await register()).toMatchObject({ ok: true });
    const [user] = await database().select().from(users).where(eq(users.email, email()));
    expect(user).toMatchObject({ name: "Sipho Dlamini", emailVerified: false, agreedAt: NOON });
    expect(await readWallet(user!.id)).toEqual({ balanceCoins: 0, owedCoins: 0, isFrozen: false });
  });

  it("sends one link to confirm and one to report a registration by someone else", async () => {
    await register();
    const sentEmails = await readEmailsTo(email());
    expect(sentEmails.map(({ kind }) => kind)).toEqual(["confirm-email"]);
    expect(sentEmails[0]?.text).toMatch(/\/auth-callback\?token=\S{40,}/);
    expect(sentEmails[0]?.text).toMatch(/\/not-my-account\?token=\S{40,}/);
  });

  it("does not sign in before the address is confirmed", async () => {
    const result = await register();
    expect(result.ok && result.headers.getSetCookie().join()).not.toMatch(/^furlong=/);
    expect(await database().select().from(sessions)).toEqual([]);
    const attempted = await signIn({
      email: email(),
      password: "a long shot",
      request: new Browser().request(),
      clientAddress: clientAddress(),
    });
    expect(attempted).toEqual({ ok: false, refusal: "not-confirmed" });
    expect(await database().select().from(sessions)).toEqual([]);
  });

  it("stores the password only as an argon2id hash", async () => {
    await register({ password: "Klipdrift 1911" });
    const user = await findUserByEmail(email());
    const [credential] = await database()
      .select()
      .from(credentials)
      .where(eq(credentials.userId, user!.id));
    expect(credential?.password).toMatch(/^\$argon2id\$/);
    for (const table of [
      "users",
      "credentials",
      "email_links",
      "emails",
      "rate_limits",
      "sessions",
    ]) {
      const { rows } = await pool().query(
        `select count(*)::int as found from ${table} t where t::text like '%Klipdrift%'`,
      );
      expect(rows[0].found, table).toBe(0);
    }
  });

  it("refuses common passwords in any case, and an address that has an account", async () => {
    for (const password of ["password", "PassWord1", "123456", "qwerty"])
      expect(await register({ password }), password).toEqual({
        ok: false,
        refusal: "weak-password",
      });
    expect(await accounts(email())).toBe(0);

    await register();
    expect(await register({ password: "another one" })).toEqual({
      ok: false,
      refusal: "email-taken",
    });
  });

  it("notifies the account owner of a repeated registration and changes nothing", async () => {
    await register();
    await database().update(users).set({ emailVerified: true }).where(eq(users.email, email()));
    await register({ name: "Mallory", password: "mallory's own" });
    expect((await readEmailsTo(email())).map(({ kind }) => kind)).toEqual([
      "confirm-email",
      "already-registered",
    ]);
    expect(await findUserByEmail(email())).toMatchObject({ name: "Sipho Dlamini" });
    const result = await signIn({
      email: email(),
      password: "mallory's own",
      request: new Browser().request(),
      clientAddress: clientAddress(),
    });
    expect(result).toEqual({ ok: false, refusal: "wrong-credentials" });
  });

  it("sends an address at most three emails an hour", async () => {
    for (let i = 0; i < 6; i += 1) await register();
    expect(await readEmailsTo(email())).toHaveLength(3);
    freezeClock(new Date(NOON.getTime() + 60 * 60 * 1000));
    await register();
    expect(await readEmailsTo(email())).toHaveLength(4);
  });

  it("allows 20 registrations in 15 minutes per client address, counting an IPv6 /64 as one", async () => {
    const networks = ["10.7.7.7", "2001:db8:7:7::1"];
    for (const clientAddress of networks) {
      for (let i = 0; i < 20; i += 1)
        expect(await register({ password: "password" }, clientAddress)).toMatchObject({
          refusal: "weak-password",
        });
      expect(await register({}, clientAddress), clientAddress).toEqual({
        ok: false,
        refusal: "too-many-attempts",
      });
    }
    expect(await register({}, "2001:db8:7:7:ffff::2")).toMatchObject({
      refusal: "too-many-attempts",
    });
    expect(await register({}, "2001:db8:7:8::1")).toMatchObject({ ok: true });
    freezeClock(new Date(NOON.getTime() + 15 * 60 * 1000));
    expect(await register({}, "10.7.7.7")).toMatchObject({ ok: true });
  });

  it("creates one account when ten requests arrive together, and confirms those within the limit of emails", async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => register()));
    expect(await accounts(email())).toBe(1);
    const accepted = results.filter((result) => result.ok).length;
    expect(accepted).toBeGreaterThanOrEqual(1);
    const sent = (await readEmailsTo(email())).length;
    expect(sent).toBeGreaterThanOrEqual(accepted);
    expect(sent).toBeLessThanOrEqual(4);
  });

  it("creates one account when the form is sent twice at once, and accepts both", async () => {
    const results = await Promise.all([register(), register()]);
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await accounts(email())).toBe(1);
    expect(await readEmailsTo(email())).toHaveLength(2);
  });
});

describe("a registration sent again before the address is confirmed", () => {
  const fields = () => ({
    name: "Sipho Dlamini",
    email: email(),
    password: "a long shot",
    agreed: "on",
  });
  const submit = (browser: Browser, changes: Partial<ReturnType<typeof fields>> = {}) =>
    browser.post("/login?mode=register", { ...fields(), ...changes });
  const isSignedIn = async (browser: Browser) => (await browser.get("/api/me")).status === 200;

  it("succeeds with the same password, and its link signs in the browser that sent it", async () => {
    // The response with the cookie of the first browser is lost.
    await submit(new Browser({ address: clientAddress() }));
    const browser = new Browser({ address: clientAddress() });
    const response = await submit(browser, { name: "Sipho M. Dlamini" });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/check-your-email"]);
    expect(await accounts(email())).toBe(1);
    expect(await findUserByEmail(email())).toMatchObject({ name: "Sipho M. Dlamini" });
    expect(await (await browser.get("/check-your-email")).text()).toContain(email());
    await browser.post("/auth-callback", {
      token: await findEmailToken("/auth-callback", email()),
    });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("is refused with another password, whose browser is not signed in", async () => {
    await submit(new Browser({ address: clientAddress() }));
    const browser = new Browser({ address: clientAddress() });
    const response = await submit(browser, { password: "another one" });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain(
      "Email already registered. Please try logging in instead.",
    );
    await browser.post("/auth-callback", {
      token: await findEmailToken("/auth-callback", email()),
    });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("is refused with the right password after five wrong ones", async () => {
    await register();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await register({ password: `wrong guess ${attempt}` })).toMatchObject({ ok: false });
    expect(await register()).toEqual({ ok: false, refusal: "email-taken" });
  });

  it("is refused once the address is confirmed, even with the same password", async () => {
    await register();
    await database().update(users).set({ emailVerified: true }).where(eq(users.email, email()));
    expect(await register()).toEqual({ ok: false, refusal: "email-taken" });
    expect((await readEmailsTo(email())).map(({ kind }) => kind)).toEqual([
      "confirm-email",
      "already-registered",
    ]);
  });

  it("reports the limit when three emails were sent within the hour", async () => {
    for (let sent = 0; sent < 3; sent += 1) expect(await register()).toMatchObject({ ok: true });
    expect(await register()).toMatchObject({ ok: false, refusal: "too-many-emails" });
    expect(await readEmailsTo(email())).toHaveLength(3);
  });
});

describe("the registration form", () => {
  const fields = () => ({
    name: " Sipho Dlamini ",
    email: ` Sipho${userCount}@Example.TEST `,
    password: "  spaces stay  ",
    agreed: "on",
  });

  it("lower-cases the address and ignores unknown fields", async () => {
    const browser = new Browser({ address: clientAddress() });
    const response = await browser.post("/login?mode=register", {
      ...fields(),
      role: "admin",
      roles: "admin",
      coins: "500",
      emailVerified: "true",
      email_verified: "true",
      isApproved: "true",
      id: "00000000-0000-7000-8000-000000000000",
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/check-your-email");
    const user = await findUserByEmail(email());
    expect(user).toMatchObject({ name: "Sipho Dlamini", emailVerified: false });
    expect(user?.id).not.toContain("00000000-0000-7000");
    expect(await database().select().from(userRoles)).toEqual([]);
    expect((await readWallet(user!.id)).balanceCoins).toBe(0);
  });

  it("redirects to a page that shows the address only to the registering browser", async () => {
    const browser = new Browser({ address: clientAddress() });
    await browser.post("/login?mode=register", { ...fields(), return: "/race-cards/1?x=2" });
    for (const _ of ["at first", "read again"]) {
      const page = await (await browser.get("/check-your-email")).text();
      expect(page).toContain("Please check your email for the confirmation link!");
      expect(page).toMatch(/<h1[^>]*>Check Your Email<\/h1>/);
      expect(page).toContain(email());
      // The login link preserves the return target.
      expect(page).toContain('href="/login?return=%2Frace-cards%2F1%3Fx%3D2"');
    }
    const otherPage = await (await new Browser().get("/check-your-email")).text();
    expect(otherPage).toContain("Check Your Email");
    expect(otherPage).not.toContain(email());
  });

  it("does not trim the password", async () => {
    const browser = new Browser({ address: clientAddress() });
    await browser.post("/login?mode=register", fields());
    await database().update(users).set({ emailVerified: true }).where(eq(users.email, email()));
    const withPassword = (password: string) =>
      browser.postJson("/api/sign-in", { email: email(), password });
    expect((await withPassword("spaces stay")).status).toBe(401);
    expect((await withPassword("  spaces stay  ")).status).toBe(200);
  });

  it("shows a message for each invalid field", async () => {
    const browser = new Browser({ address: clientAddress() });
    const readMessage = async (change: Partial<ReturnType<typeof fields>>) => {
      const input = { ...fields(), ...change };
      if (!input.agreed) Reflect.deleteProperty(input, "agreed");
      const response = await browser.post("/login?mode=register", input);
      return { status: response.status, text: await response.text() };
    };
    const cases = [
      [{ name: "  " }, "Please enter your full name"],
      [{ email: "sipho@" }, "Please enter a valid email address"],
      [{ password: "12345" }, "Password must be at least 6 characters long"],
      [{ password: "x".repeat(129) }, "Password must be at most 128 characters long"],
      [{ password: "dragon" }, "Password is too weak. Please use a stronger password."],
      [{ agreed: "" }, "Please confirm that you are 18 or older and agree to the terms"],
    ] as const;
    for (const [change, words] of cases) {
      const { status, text } = await readMessage(change);
      expect(status, words).toBe(422);
      expect(text).toContain(words);
      expect(text).not.toContain(fields().password.trim());
    }
    expect(await accounts(email())).toBe(0);
    await readMessage({});
    expect((await readMessage({ password: "another one" })).text).toContain(
      "Email already registered. Please try logging in instead.",
    );
  });
});
