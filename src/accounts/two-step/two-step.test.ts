import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { database, transaction, violatedConstraint } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeTipster, makeUser, type Person } from "#test/factories.ts";
import { createRegistrationCookie } from "../browser-cookies.server.ts";
import { createEmailLink } from "../email-links.server.ts";
import { setPassword } from "../password/credentials.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { createPasswordLink, resetPassword } from "../password/reset-password.server.ts";
import { closeAccount } from "../profile/close-account.server.ts";
import { confirmEmail } from "../registration/confirm-email.server.ts";
import { grantRole } from "../roles.server.ts";
import { startSession } from "../sessions.server.ts";
import { recoveryCodes, sessions, twoStepKeys } from "../tables.server.ts";
import { findViewerById } from "../viewer.server.ts";
import { computeCode, currentStep, findStep } from "./one-time-code.server.ts";
import { readTwoStep } from "./recovery-codes.server.ts";
import { turnOnTwoStep } from "./turn-on-two-step.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const PASSWORD = "steady as she goes";
const LOGIN_PAGES = ["/login", "/admin/sign-in", "/tipster-auth", "/analyst"];
let passwordHash: string | null;
let admin: Person;
let browser: Browser;
let browserCount = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  // A user who may use every login page.
  admin = await makeTipster({ kind: "analyst" });
  await transaction(async (tx) => {
    await setPassword(tx, admin.id, passwordHash ?? "");
    for (const role of ["admin", "tipster"] as const)
      await grantRole(tx, { userId: admin.id, role, actorId: null });
  });
  browser = createOtherBrowser();
});
afterEach(() => freezeClock(null));

const later = (seconds: number) => freezeClock(new Date(NOON.getTime() + seconds * 1000));
const isSignedIn = async (who: Browser) => (await who.get("/api/me")).status === 200;

function createOtherBrowser(): Browser {
  browserCount += 1;
  return new Browser({ address: `10.9.${browserCount >> 8}.${browserCount & 255}` });
}

async function createSignedInBrowser(): Promise<Browser> {
  const browser = createOtherBrowser();
  browser.applyCookies(await startSession(admin.id));
  return browser;
}

/** Returns the displayed key without spaces, and the encrypted key of the form. */
async function readDisplayedKey(by: Browser) {
  const page = await (await by.post("/admin/two-step/set-up", { password: PASSWORD })).text();
  const key = (/<code[^>]*>([A-Z2-7 ]{39})<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const encryptedKey = /name="encryptedKey" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return { key, encryptedKey, page };
}

async function turnOn(by?: Browser) {
  const own = by ?? (await createSignedInBrowser());
  const { key, encryptedKey } = await readDisplayedKey(own);
  const code = computeCode(key, currentStep());
  const response = await own.post("/admin/two-step/confirm", { encryptedKey, code });
  const page = await response.text();
  return {
    key,
    code,
    encryptedKey,
    own,
    page,
    status: response.status,
    codes: findRecoveryCodes(page),
  };
}

const findRecoveryCodes = (page: string) => page.match(/(?:\d{6} ){5}\d{6}(?=<)/g) ?? [];

async function submitPassword(at: Browser, loginPage = "/admin/sign-in"): Promise<Response> {
  const field = loginPage === "/analyst" ? "accessCode" : "password";
  return await at.post(loginPage, { email: admin.email, [field]: PASSWORD });
}

const verifyCode = (at: Browser, code: string) =>
  at.post("/login/code", { code, return: "/admin" });

describe("a one-time code", () => {
  // Test vectors of RFC 6238, appendix B, shortened to six digits.
  const KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  it.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("matches the RFC 6238 test vector at second %d", (second, code) => {
    freezeClock(new Date(second * 1000));
    expect(computeCode(KEY, currentStep())).toBe(code);
    expect(findStep(KEY, code)).toBe(currentStep());
  });

  it("is accepted at most one step early or late", () => {
    const code = computeCode(KEY, currentStep());
    for (const [seconds, isTaken] of [
      [-60, false],
      [-30, true],
      [30, true],
      [60, false],
    ] as const) {
      later(seconds);
      expect(findStep(KEY, code) !== null).toBe(isTaken);
    }
  });
});

describe("turning on two-step login", () => {
  it("shows the key and QR code, verifies a code, and shows ten recovery codes once", async () => {
    const adminBrowser = await createSignedInBrowser();
    const otherBrowser = await createSignedInBrowser();
    expect(await (await adminBrowser.get("/admin/two-step")).text()).toContain("Set up");
    const { key, encryptedKey, page } = await readDisplayedKey(adminBrowser);
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(page).toMatch(/<svg role="img"[^>]*><path d="M\d+ \d+h1v1h-1z/);
    expect(await readTwoStep(admin.id)).toBeNull();
    const response = await adminBrowser.post("/admin/two-step/confirm", {
      encryptedKey,
      code: computeCode(key, currentStep()),
    });
    expect(new Set(findRecoveryCodes(await response.text())).size).toBe(10);
    expect(await readTwoStep(admin.id)).toEqual({ since: NOON, remainingRecoveryCodes: 10 });
    expect(await isSignedIn(adminBrowser)).toBe(true);
    expect(await isSignedIn(otherBrowser)).toBe(false);
    const auditEntries = (await readAudit({})).entries.filter((each) => each.actorId === admin.id);
    expect(auditEntries.map((each) => each.action)).toEqual(["turn-on-two-step"]);
    expect((await readEmailsTo(admin.email)).map(({ subject }) => subject)).toEqual([
      "Two-step login is on",
    ]);
    const status = await (await adminBrowser.get("/admin/two-step")).text();
    expect(status).toContain("10 recovery codes are left.");
    expect(findRecoveryCodes(status)).toEqual([]);
  });

  it("stores the key encrypted and recovery codes hashed", async () => {
    const { key, codes } = await turnOn();
    const rows = JSON.stringify([
      await database().select().from(twoStepKeys),
      await database().select().from(recoveryCodes),
      await readEmailsTo(admin.email),
    ]);
    expect(rows).not.toContain(key);
    for (const code of codes) expect(rows).not.toContain(code.replaceAll(" ", ""));
  });

  it("refuses a wrong password, a wrong code, another user's key and an expired key", async () => {
    const adminBrowser = await createSignedInBrowser();
    const rejectedResponse = await adminBrowser.post("/admin/two-step/set-up", {
      password: "not it",
    });
    expect(rejectedResponse.status).toBe(401);
    expect(await rejectedResponse.text()).not.toContain("encryptedKey");
    const { key, encryptedKey } = await readDisplayedKey(adminBrowser);
    const rejectedCode = await adminBrowser.post("/admin/two-step/confirm", {
      encryptedKey,
      code: "000000",
    });
    expect(rejectedCode.status).toBe(422);
    // The same key is shown again.
    expect((await rejectedCode.text()).replaceAll(" ", "")).toContain(key);
    const stranger = await findViewerById((await makeUser({ passwordHash })).id);
    if (!stranger) throw new Error("nobody");
    const code = computeCode(key, currentStep());
    expect(
      await turnOnTwoStep(stranger, { encryptedKey, code }, adminBrowser.request()),
    ).toMatchObject({
      refusal: "setup-key-expired",
    });
    later(16 * 60);
    const expiredCode = computeCode(key, currentStep());
    expect(
      (await adminBrowser.post("/admin/two-step/confirm", { encryptedKey, code: expiredCode }))
        .status,
    ).toBe(410);
    expect(await readTwoStep(admin.id)).toBeNull();
  });

  it("is limited to admins", async () => {
    const user = await makeUser({ passwordHash });
    const knownBrowser = createOtherBrowser();
    knownBrowser.applyCookies(await startSession(user.id));
    for (const path of ["", "/set-up", "/confirm", "/recovery-codes", "/off"]) {
      const input = { password: PASSWORD, code: "123456" };
      expect((await knownBrowser.get(`/admin/two-step${path}`)).status).toBe(403);
      if (path) expect((await knownBrowser.post(`/admin/two-step${path}`, input)).status).toBe(403);
      if (path)
        expect((await createOtherBrowser().post(`/admin/two-step${path}`, input)).status).toBe(302);
    }
    expect(await readTwoStep(user.id)).toBeNull();
  });

  it("turns on once when several requests arrive together", async () => {
    const adminBrowser = await createSignedInBrowser();
    const { key, encryptedKey } = await readDisplayedKey(adminBrowser);
    const input = { encryptedKey, code: computeCode(key, currentStep()) };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => adminBrowser.post("/admin/two-step/confirm", input)),
    );
    expect(responses.map((each) => each.status).sort()).toEqual([200, 409, 409, 409]);
    expect((await adminBrowser.post("/admin/two-step/confirm", input)).status).toBe(409);
    expect(await readTwoStep(admin.id)).toMatchObject({ remainingRecoveryCodes: 10 });
    expect(await readEmailsTo(admin.email)).toHaveLength(1);
  });
});

describe("signing in with two-step login", () => {
  it.each(LOGIN_PAGES)(
    "does not start a session with the password alone at %s",
    async (loginPage) => {
      await turnOn();
      const response = await submitPassword(browser, loginPage);
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toMatch(/^\/login\/code\?return=/);
      expect(await isSignedIn(browser)).toBe(false);
      const rejectedLogin = await browser.post(loginPage, {
        email: admin.email,
        password: "not it at all",
        accessCode: "not it at all",
      });
      expect(rejectedLogin.status).toBe(401);
    },
  );

  it("starts the session after the code and redirects to the form's target", async () => {
    const { key } = await turnOn();
    later(60);
    const location = (await submitPassword(browser)).headers.get("Location") ?? "";
    expect(await (await browser.get(location)).text()).toContain("Enter your code");
    const response = await verifyCode(browser, computeCode(key, currentStep()));
    expect(response.headers.get("Location")).toBe("/admin");
    expect((await browser.get("/admin/users")).status).toBe(200);
    expect([...browser.cookies.keys()].some((name) => name.includes("password-given"))).toBe(false);
  });

  it("accepts password and code together in the JSON API", async () => {
    const { key } = await turnOn();
    later(60);
    const send = (more: object) =>
      browser.postJson("/api/sign-in", { email: admin.email, password: PASSWORD, ...more });
    const without = await send({});
    expect(without.status).toBe(401);
    expect(await without.json()).toEqual({
      error: "Enter the code from your authenticator app as well.",
    });
    expect((await send({ code: "000000" })).status).toBe(401);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await send({ code: computeCode(key, currentStep()) })).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("accepts each code once, even concurrently, and no earlier code", async () => {
    const { key, code: first } = await turnOn();
    // The code that turned two-step login on is already used.
    await submitPassword(browser);
    expect((await verifyCode(browser, first)).status).toBe(401);
    later(60);
    const code = computeCode(key, currentStep());
    const four = [
      createOtherBrowser(),
      createOtherBrowser(),
      createOtherBrowser(),
      createOtherBrowser(),
    ];
    for (const each of four) await submitPassword(each);
    const responses = await Promise.all(four.map((each) => verifyCode(each, code)));
    expect(responses.map((each) => each.status).sort()).toEqual([302, 401, 401, 401]);
    await submitPassword(browser);
    expect((await verifyCode(browser, computeCode(key, currentStep() - 1))).status).toBe(401);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("refuses a code without a recent correct password", async () => {
    const { key } = await turnOn();
    later(60);
    const response = await verifyCode(browser, computeCode(key, currentStep()));
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("Please log in with your password first.");
    // A password entered more than ten minutes ago, a forged cookie and a changed password are
    // refused.
    await submitPassword(browser);
    later(60 + 11 * 60);
    expect((await verifyCode(browser, computeCode(key, currentStep()))).status).toBe(401);
    browser.cookies.set("furlong-password-given", "v1.made-up");
    expect((await verifyCode(browser, computeCode(key, currentStep()))).status).toBe(401);
    await submitPassword(browser);
    const link = await transaction((tx) => createPasswordLink(tx, admin.id));
    const token = new URL(link, "http://localhost").searchParams.get("token") ?? "";
    expect(await resetPassword(token, "quite another one")).toMatchObject({ ok: true });
    expect((await verifyCode(browser, computeCode(key, currentStep()))).status).toBe(401);
  });

  it("allows five wrong codes, then limits all browsers except the owner's known one", async () => {
    const { key, own } = await turnOn();
    later(60);
    await submitPassword(own);
    expect((await verifyCode(own, computeCode(key, currentStep()))).status).toBe(302);
    later(120);
    for (let count = 0; count < 5; count += 1) {
      const guessing = createOtherBrowser();
      await submitPassword(guessing);
      expect((await verifyCode(guessing, "000000")).status).toBe(401);
    }
    await submitPassword(browser);
    const correctCode = computeCode(key, currentStep());
    const rejectedResponse = await verifyCode(browser, correctCode);
    expect(rejectedResponse.status).toBe(429);
    expect(Number(rejectedResponse.headers.get("Retry-After"))).toBeGreaterThan(0);
    // Guessing does not lock the owner out.
    await submitPassword(own);
    expect((await verifyCode(own, correctCode)).status).toBe(302);
    later(185);
    expect((await verifyCode(browser, computeCode(key, currentStep()))).status).toBe(302);
  });

  /** Submits wrong codes and returns the response statuses. */
  async function guess(times: number, at = browser): Promise<number[]> {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) {
      await submitPassword(at);
      statuses.push((await verifyCode(at, "000000")).status);
    }
    return statuses;
  }
  const warnings = async (email = admin.email) =>
    (await readEmailsTo(email)).filter(
      ({ subject }) => subject === "Five wrong codes for your account",
    );

  it("doubles the wait after five wrong codes, up to an hour", async () => {
    await turnOn();
    let at = 120;
    later(at);
    expect(await guess(6)).toEqual([401, 401, 401, 401, 401, 429]);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      later(at + minutes * 60 - 1);
      await submitPassword(browser);
      const early = await verifyCode(browser, "000000");
      expect([early.status, early.headers.get("Retry-After")], `${minutes}`).toEqual([429, "1"]);
      at += minutes * 60;
      later(at);
      expect(await guess(2), `${minutes}`).toEqual([401, 429]);
    }
  });

  it("resets the count a day after the last wrong code, not before", async () => {
    await turnOn();
    const day = 24 * 60 * 60;
    later(120);
    expect(await guess(5)).not.toContain(429);
    later(120 + day - 1);
    expect(await guess(2)).toEqual([401, 429]);
    later(120 + day - 1 + day);
    expect(await guess(6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it("resets the count after a correct code", async () => {
    const { key } = await turnOn();
    later(120);
    await guess(4);
    await submitPassword(browser);
    const correctCode = computeCode(key, currentStep());
    expect((await verifyCode(browser, correctCode)).status).toBe(302);
    // This browser is now known and counted separately from the account.
    expect(await guess(4, createOtherBrowser())).toEqual([401, 401, 401, 401]);
    expect(await warnings()).toEqual([]);
  });

  it("emails only the owner, once, at the fifth wrong code", async () => {
    const otherUser = await makeUser();
    await turnOn();
    later(120);
    await guess(4);
    expect(await warnings()).toEqual([]);
    expect(await guess(4)).toEqual([401, 429, 429, 429]);
    const [sentEmail, ...more] = await warnings();
    expect(more).toEqual([]);
    expect(sentEmail?.text).toContain("correct password");
    expect(sentEmail?.text).toContain("/forgot-password");
    expect(await warnings(otherUser.email)).toEqual([]);
    later(120 + 60);
    await guess(1);
    expect(await warnings()).toHaveLength(1);
  });

  it("emails the owner once when ten wrong codes arrive together", async () => {
    await turnOn();
    later(120);
    const ten = Array.from({ length: 10 }, createOtherBrowser);
    for (const each of ten) await submitPassword(each);
    const responses = await Promise.all(ten.map((each) => verifyCode(each, "000000")));
    expect(responses.filter((each) => each.status === 401)).toHaveLength(5);
    expect(await warnings()).toHaveLength(1);
  });

  it("emails the owner again at every 25th wrong code", async () => {
    await turnOn();
    const hour = 60 * 60;
    later(120);
    await guess(5);
    for (let count = 6; count <= 24; count += 1) {
      later(120 + count * hour);
      expect(await guess(1)).toEqual([401]);
    }
    expect(await warnings()).toHaveLength(1);
    later(120 + 25 * hour);
    await guess(1);
    expect(await warnings()).toHaveLength(2);
  });

  it("accepts a recovery code once, emails the owner and audits it", async () => {
    const { codes } = await turnOn();
    const code = (codes[3] ?? "").replaceAll(" ", "-");
    const two = [createOtherBrowser(), createOtherBrowser()];
    for (const each of two) await submitPassword(each);
    const responses = await Promise.all(two.map((each) => verifyCode(each, code)));
    expect(responses.map((each) => each.status).sort()).toEqual([302, 401]);
    expect(await readTwoStep(admin.id)).toMatchObject({ remainingRecoveryCodes: 9 });
    expect((await readEmailsTo(admin.email)).map(({ subject }) => subject)).toContain(
      "A recovery code was used",
    );
    expect((await readAudit({})).entries[0]).toMatchObject({
      action: "use-recovery-code",
      details: { codesLeft: 9 },
    });
  });

  it("accepts an older 24-digit recovery code once", async () => {
    await turnOn();
    const code = "012345 678901 234567 890123";
    const codeHash = createHash("sha256")
      .update(`${admin.id}:${code.replaceAll(" ", "")}`)
      .digest("hex");
    await database().insert(recoveryCodes).values({ userId: admin.id, codeHash });
    await submitPassword(browser);
    expect((await verifyCode(browser, code)).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(true);
    await submitPassword(browser);
    expect((await verifyCode(browser, code)).status).toBe(401);
  });

  it("refuses a session without a code in the database", async () => {
    await turnOn();
    const rejection = await startSession(admin.id).then(
      () => "begun",
      (error: unknown) => violatedConstraint(error) ?? String(error),
    );
    expect(rejection).toBe("sessions_require_code");
    // An email link confirms the address without signing in.
    const { browserHash, cookie } = createRegistrationCookie(browser.request());
    browser.applyCookies(new Headers({ "Set-Cookie": cookie }));
    const link = await transaction((tx) =>
      createEmailLink(tx, {
        userId: admin.id,
        email: `new-${admin.email}`,
        purpose: "change-email",
        browserHash,
      }),
    );
    const token = new URL(link).searchParams.get("token") ?? "";
    expect(await confirmEmail(token, browser.request())).toMatchObject({
      ok: true,
      session: null,
    });
    expect(
      await database().select().from(sessions).where(eq(sessions.userId, admin.id)),
    ).toHaveLength(1);
  });
});

describe("turning off two-step login", () => {
  it("requires the password, and then the password alone signs in", async () => {
    const { own } = await turnOn();
    expect((await own.post("/admin/two-step/off", { password: "not it" })).status).toBe(401);
    expect(await readTwoStep(admin.id)).not.toBeNull();
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => own.post("/admin/two-step/off", { password: PASSWORD })),
    );
    expect(responses.map((each) => each.status).sort()).toEqual([302, 409, 409]);
    expect(await readTwoStep(admin.id)).toBeNull();
    expect((await submitPassword(browser)).headers.get("Location")).toBe("/admin");
    expect((await readEmailsTo(admin.email)).map(({ subject }) => subject)).toEqual([
      "Two-step login is on",
      "Two-step login is off",
    ]);
    expect((await readAudit({})).entries[0]).toMatchObject({ action: "turn-off-two-step" });
  });

  it("replaces the recovery codes after entering the password", async () => {
    const { own, codes } = await turnOn();
    expect((await own.post("/admin/two-step/recovery-codes", { password: "no" })).status).toBe(401);
    const response = await own.post("/admin/two-step/recovery-codes", { password: PASSWORD });
    const fresh = findRecoveryCodes(await response.text());
    expect(fresh).toHaveLength(10);
    await submitPassword(browser);
    expect((await verifyCode(browser, codes[0] ?? "")).status).toBe(401);
    expect((await verifyCode(browser, fresh[0] ?? "")).status).toBe(302);
  });

  it("deletes the key when the account is closed", async () => {
    await turnOn();
    await transaction((tx) => closeAccount(tx, admin.id));
    expect(await readTwoStep(admin.id)).toBeNull();
    expect(
      await database().select().from(recoveryCodes).where(eq(recoveryCodes.userId, admin.id)),
    ).toEqual([]);
  });
});
