import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { turnOnTwoStep } from "#test/two-step.ts";
import { setPassword } from "../password/credentials.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { startSession } from "../sessions.server.ts";
import { computeCode, currentStep } from "./one-time-code.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const PASSWORD = "steady as she goes";
const MINUTE = 60;

let passwordHash: string;
let admin: Person;
let browser: Browser;
/** The key of the admin's authenticator app. */
let key: string;

beforeAll(async () => {
  passwordHash = (await hashPassword(PASSWORD)) ?? "";
});
beforeEach(async () => {
  freezeClock(NOON);
  admin = await makeAdmin();
  await transaction((tx) => setPassword(tx, admin.id, passwordHash));
  browser = await createSignedInBrowser(null);
  key = await turnOnTwoStep(browser, PASSWORD);
  later(16 * MINUTE);
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const later = (seconds: number) => freezeClock(new Date(NOON.getTime() + seconds * 1000));

async function createSignedInBrowser(codeVerifiedAt: Date | null, person = admin) {
  const signedIn = new Browser({ address: uniqueAddress() });
  signedIn.applyCookies(await startSession(person.id, { codeVerifiedAt }));
  return signedIn;
}

/** Grants coins to a new user with this code; returns the status, the text and the user's coins. */
async function grant(code: string, by = browser) {
  const user = await makeUser();
  const response = await by.post(`/admin/users/${user.id}/grant`, {
    amountCoins: "4",
    reason: "A race card failed to load",
    idempotencyKey: randomUUID(),
    confirmed: "yes",
    code,
  });
  const { rows } = await pool().query<{ balance: number }>(
    "select balance_coins::integer as balance from wallets where user_id = $1",
    [user.id],
  );
  return {
    status: response.status,
    text: await readVisibleText(response),
    coins: rows[0]?.balance ?? 0,
  };
}

/** Every action that moves money, with a form that is complete but for the code. */
const ACTIONS: [path: string, fields: Record<string, string>][] = [
  ["/admin/payouts/start", { payout: randomUUID() }],
  ["/admin/payouts/paid", { payout: randomUUID() }],
  ["/admin/payouts/withdraw", { payout: randomUUID(), reason: "Rejected" }],
  ["/admin/payouts/transfer", { payout: randomUUID() }],
  [
    `/admin/payouts/transfers/${randomUUID()}/resolve`,
    { confirmed: "yes", reason: "Claimed back" },
  ],
  ["/admin/attention/sales/1/release", { confirmed: "yes" }],
  ["/admin/attention/sales/1/reverse", { confirmed: "yes", reason: "Checked" }],
  [`/admin/users/${randomUUID()}/close`, { confirmed: "yes", reason: "Asked for it" }],
  ["/admin/purchases/coin-packs", { subject: "creator-share", amount: "75", from: "2026-12-24" }],
  ["/admin/admins", { email: "invited@example.test" }],
  ["/admin/admins/OTHER_ADMIN/remove", { reason: "Left the company" }],
  [
    "/admin/payouts/file-settings",
    {
      format: "bankserv",
      debitAccount: "68123456",
      debitBranchCode: "051001",
      shortName: "Furlong",
      userCode: "9534",
      columns: "A = account number\nB = branch code\nC = amount",
      delimiter: "comma",
      dateFormat: "YYYY-MM-DD",
      amountIn: "rand",
      cheque: "1",
      savings: "2",
      transmission: "3",
    },
  ],
];

describe("an action that moves money", () => {
  it("needs a code, which then counts for 15 minutes of this session", async () => {
    expect(await grant("")).toMatchObject({
      status: 401,
      text: expect.stringContaining("Enter the code from your authenticator app."),
      coins: 0,
    });
    const code = computeCode(key, currentStep());
    expect(await grant(`${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({
      status: 200,
      coins: 4,
    });
    later(31 * MINUTE - 1);
    expect(await grant("")).toMatchObject({ status: 200, coins: 4 });
    later(31 * MINUTE);
    expect(await grant("")).toMatchObject({ status: 401, coins: 0 });
    const otherSession = await createSignedInBrowser(NOON);
    expect(await grant("", otherSession)).toMatchObject({ status: 401, coins: 0 });
  });

  it.each(ACTIONS)("%s does nothing without a code", async (template, fields) => {
    const path = template.replace("OTHER_ADMIN", (await makeAdmin()).id);
    const response = await browser.post(path, fields);
    expect([path, response.status]).toEqual([path, 401]);
    expect(await readVisibleText(response)).toContain(
      "Enter the code from your authenticator app.",
    );
    const withCode = await browser.post(path, { ...fields, code: computeCode(key, currentStep()) });
    expect(withCode.status).not.toBe(401);
  });

  it("makes no payment file without a code", async () => {
    const requestFile = async (code: string) =>
      (
        await browser.post("/admin/payouts/payment-file", { payout: randomUUID(), code })
      ).headers.get("location");
    expect(await requestFile("")).toBe("/admin/payouts?problem=code-required");
    expect(await requestFile("abcdef")).toBe("/admin/payouts?problem=wrong-code");
    const text = await readVisibleText(await browser.get("/admin/payouts?problem=wrong-code"));
    expect(text).toContain("That code is wrong or has already been used.");
    expect(await requestFile(computeCode(key, currentStep()))).toBe(
      "/admin/payouts?problem=nothing-chosen",
    );
  });

  it("refuses a wrong code, one that is too long, and after five of them every code for a while", async () => {
    for (const code of ["abcdef", "1".repeat(50_000), "abc", "12345", "1234567", "0".repeat(36)])
      expect(await grant(code)).toMatchObject({ status: 401, coins: 0 });
    const code = computeCode(key, currentStep());
    expect(await grant(code)).toMatchObject({ status: 429, coins: 0 });
    const subjects = (await readEmailsTo(admin.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(["Two-step login is on", "Five wrong codes in your account"]);
    later(18 * MINUTE);
    expect(await grant(computeCode(key, currentStep()))).toMatchObject({ status: 200, coins: 4 });
  });

  it("takes each code once, also when two sessions send it together", async () => {
    const sessions = [await createSignedInBrowser(NOON), await createSignedInBrowser(NOON)];
    const code = computeCode(key, currentStep());
    const results = await Promise.all(sessions.map((session) => grant(code, session)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await grant(code)).toMatchObject({ status: 401, coins: 0 });
  });

  it("keeps the time of the code when the password changes", async () => {
    const response = await browser.post("/profile/password", {
      currentPassword: PASSWORD,
      newPassword: "another good password",
      confirmPassword: "another good password",
    });
    expect(response.status).toBeLessThan(400);
    expect(await grant("")).toMatchObject({ status: 401, coins: 0 });
  });

  it("returns the rest of the form, but not the code, when the code is refused", async () => {
    const response = await browser.post("/admin/admins", {
      email: "kept@example.test",
      code: "918273",
    });
    const page = await response.text();
    expect(page).toContain("kept@example.test");
    expect(page).not.toContain("918273");
  });
});

describe("the demo", () => {
  it("shows the current code of an admin without two-step login beside the field", async () => {
    const other = await makeAdmin();
    const own = await createSignedInBrowser(null, other);
    const text = await readVisibleText(await own.get("/admin/admins"));
    const code = /The demo shows the current code: (\d{6})/.exec(text)?.[1] ?? "";
    expect(await grant("abcdef", own)).toMatchObject({ status: 401, coins: 0 });
    expect(await grant(code, own)).toMatchObject({ status: 200, coins: 4 });
    expect(await readVisibleText(await own.get("/admin/admins"))).not.toContain("current code");
  });

  it("shows the current code of an app that is set up, and when logging in", async () => {
    const setUp = await browser.post("/admin/two-step/set-up", { password: PASSWORD });
    expect(await readVisibleText(setUp)).toMatch(/The demo shows the current code: \d{6}/);
    const login = new Browser({ address: uniqueAddress() });
    await login.post("/login", { email: admin.email, password: PASSWORD });
    expect(await readVisibleText(await login.get("/login/code"))).toContain(
      `The demo shows the current code: ${computeCode(key, currentStep())}`,
    );
    const guest = await readVisibleText(await new Browser().get("/login/code"));
    expect(guest).not.toContain("current code");
  });
});
