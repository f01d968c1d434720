import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailLink, findEmailToken, readEmailsTo } from "#test/emails.ts";
import { makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readAccount } from "../list-users.server.ts";
import { createUserInTransaction } from "../registration/create-user.server.ts";
import { requestPasswordReset, sendRequestedEmail } from "../request-email.server.ts";
import { grantRole } from "../roles.server.ts";
import { sessions } from "../tables.server.ts";
import { findUserByEmail } from "../users.server.ts";
import { findViewerById } from "../viewer.server.ts";
import { changePassword } from "./change-password.server.ts";
import { hashPassword } from "./password-hash.server.ts";
import { reauthenticate } from "./reauthenticate.server.ts";
import { createPasswordLink, resetPassword } from "./reset-password.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const OLD_PASSWORD = "steady as she goes";
const NEW_PASSWORD = "on the bridle";
let passwordHash: string | null;
let user: Person;
let addressCount = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(OLD_PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  addressCount += 1;
  user = await makeUser({ passwordHash });
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const clientAddress = () => `10.2.0.${addressCount}`;

async function createSignedInBrowser(password = OLD_PASSWORD): Promise<Browser> {
  const browser = new Browser({ address: clientAddress() });
  const response = await browser.postJson("/api/sign-in", { email: user.email, password });
  expect(response.status).toBe(200);
  return browser;
}
const isSignedIn = async (browser: Browser) => (await browser.get("/api/me")).status === 200;
const canSignIn = async (password: string) =>
  (
    await new Browser({ address: clientAddress() }).postJson("/api/sign-in", {
      email: user.email,
      password,
    })
  ).status === 200;

async function requestReset(email = user.email) {
  await requestPasswordReset(email, clientAddress());
  await drainQueue([sendRequestedEmail]);
}

describe("resetting a forgotten password", () => {
  it("sets a new password through the emailed link and ends every session", async () => {
    const browsers = [await createSignedInBrowser(), await createSignedInBrowser()];
    await requestReset();
    const token = await findEmailToken("/reset-password", user.email);
    expect(await resetPassword(token, NEW_PASSWORD)).toEqual({ ok: true, email: user.email });
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await canSignIn(OLD_PASSWORD)).toBe(false);
    expect(await canSignIn(NEW_PASSWORD)).toBe(true);
    expect((await readEmailsTo(user.email)).map(({ kind }) => kind)).toEqual([
      "reset-password",
      "password-changed",
    ]);
  });

  it("changes nothing when the link is only opened", async () => {
    await requestReset();
    const page = await new Browser().get(await findEmailLink("/reset-password", user.email));
    expect(await page.text()).toContain("Choose a new password");
    expect(await canSignIn(OLD_PASSWORD)).toBe(true);
  });

  it("accepts a link once, revokes the other links, and expires after an hour", async () => {
    await requestReset();
    const firstToken = await findEmailToken("/reset-password", user.email);
    await requestReset();
    const secondToken = await findEmailToken("/reset-password", user.email);
    expect(secondToken).not.toBe(firstToken);
    expect(await resetPassword(secondToken, NEW_PASSWORD)).toMatchObject({ ok: true });
    for (const token of [firstToken, secondToken])
      expect(await resetPassword(token, "a third one")).toEqual({
        ok: false,
        refusal: "invalid-link",
      });
    await requestReset();
    const third = await findEmailToken("/reset-password", user.email);
    freezeClock(new Date(NOON.getTime() + 60 * 60 * 1000));
    expect(await resetPassword(third, OLD_PASSWORD)).toMatchObject({ refusal: "invalid-link" });
    expect(await canSignIn(NEW_PASSWORD)).toBe(true);
  });

  it("says that the link no longer works when it was used after the page was opened", async () => {
    await requestReset();
    const usedToken = await findEmailToken("/reset-password", user.email);
    await resetPassword(usedToken, NEW_PASSWORD);
    await requestReset();
    // The loader reads a valid link, as a browser does that does not run it again after the refusal.
    const openToken = await findEmailToken("/reset-password", user.email);
    for (const password of ["a third one", "short"]) {
      const fields = { token: usedToken, password };
      const response = await new Browser().post(`/reset-password?token=${openToken}`, fields);
      expect(response.status).toBe(410);
      const html = await response.text();
      expect(html).toContain("This link no longer works");
      expect(html).not.toContain("Save password");
    }
    expect(await canSignIn(NEW_PASSWORD)).toBe(true);
  });

  it("accepts one of five concurrent submissions", async () => {
    await requestReset();
    const token = await findEmailToken("/reset-password", user.email);
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, i) => resetPassword(token, `new one ${i}`)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });

  it("responds the same for every address and emails only known ones", async () => {
    const browser = new Browser({ address: clientAddress() });
    const messages = [];
    for (const email of [user.email, "nobody@example.test"]) {
      const response = await browser.post("/forgot-password", { email });
      expect(response.status).toBe(200);
      messages.push(
        /If there&#x27;s an account with this email address[^<]*/.exec(await response.text())?.[0],
      );
    }
    expect(messages[0]).toBeTruthy();
    expect(messages[0]).toBe(messages[1]);
    await drainQueue([sendRequestedEmail]);
    expect(await readEmailsTo("nobody@example.test")).toEqual([]);
  });

  it("sends at most three emails an hour", async () => {
    for (let i = 0; i < 5; i += 1) await requestReset();
    expect(await readEmailsTo(user.email)).toHaveLength(3);
  });

  it("refuses common, short and long passwords without using up the link", async () => {
    await requestReset();
    const token = await findEmailToken("/reset-password", user.email);
    const browser = new Browser();
    const readMessage = async (password: string) =>
      (await browser.post(`/reset-password?token=${token}`, { token, password })).text();
    expect(await readMessage("sunshine")).toContain("Password is too weak.");
    expect(await readMessage("Furlong2026!")).toContain("Password is too weak.");
    expect(await readMessage("12345")).toContain("Password must be at least 6 characters long");
    expect(await readMessage("x".repeat(129))).toContain("at most 128");
    expect(await canSignIn(OLD_PASSWORD)).toBe(true);
    expect(await readMessage(NEW_PASSWORD)).toContain("Password saved");
  });

  it("confirms the address of an unconfirmed account", async () => {
    const unconfirmed = await makeUser({ passwordHash, verified: false });
    await requestReset(unconfirmed.email);
    await resetPassword(await findEmailToken("/reset-password", unconfirmed.email), NEW_PASSWORD);
    expect(await findUserByEmail(unconfirmed.email)).toMatchObject({ emailVerified: true });
  });

  it("lifts the limit on wrong passwords for the owner", async () => {
    for (let i = 0; i < 5; i += 1) await canSignIn(`wrong ${i}`);
    expect(await canSignIn(OLD_PASSWORD)).toBe(false);
    await requestReset();
    await resetPassword(await findEmailToken("/reset-password", user.email), NEW_PASSWORD);
    expect(await canSignIn(NEW_PASSWORD)).toBe(true);
  });
});

describe("setting a first password through an invitation link", () => {
  it("works once within a week and confirms the address", async () => {
    const invited = await makeUser({ verified: false });
    const link = await transaction((tx) => createPasswordLink(tx, invited.id));
    const token = new URL(link).searchParams.get("token") ?? "";
    freezeClock(new Date(NOON.getTime() + 6 * 24 * 60 * 60 * 1000));
    expect(await resetPassword(token, NEW_PASSWORD)).toEqual({ ok: true, email: invited.email });
    expect(await findUserByEmail(invited.email)).toMatchObject({ emailVerified: true });
    expect(await resetPassword(token, OLD_PASSWORD)).toMatchObject({ refusal: "invalid-link" });
  });

  it.each([
    { role: "tipster", path: "/tipster-auth" },
    { role: "analyst", path: "/analyst" },
  ] as const)("leads a new $role to the login of that role", async ({ role, path }) => {
    const invited = await makeUser({ verified: false, passwordHash: null });
    await transaction((tx) => grantRole(tx, { userId: invited.id, role, actorId: null }));
    const link = await transaction((tx) => createPasswordLink(tx, invited.id));
    const token = new URL(link).searchParams.get("token") ?? "";
    const response = await new Browser().post(`/reset-password?token=${token}`, {
      token,
      password: NEW_PASSWORD,
    });
    expect(await response.text()).toMatch(new RegExp(`href="${path}"[^>]*><span>Log In`));
  });

  it("does not mention logging out, and does not ask again for agreement to the terms", async () => {
    const invited = await makeUser({ verified: false });
    const link = await transaction((tx) => createPasswordLink(tx, invited.id));
    const page = await new Browser().get(link.slice(link.indexOf("/reset-password")));
    const html = await page.text();
    expect(html).toContain("Choose your password");
    expect(html).not.toContain("logged out on all devices");
    expect(html).not.toContain('name="agreed"');
  });

  it("requires and records agreement to the terms if the user has never agreed", async () => {
    const email = "newcomer@example.test";
    const userId = await transaction((tx) =>
      createUserInTransaction(tx, {
        email,
        name: "Naledi Khumalo",
        passwordHash: null,
        verified: false,
        agreedAt: null,
      }),
    );
    const agreedAt = async () => (await readAccount(userId ?? "", NOON))?.agreedAt ?? null;
    const link = await transaction((tx) => createPasswordLink(tx, userId ?? ""));
    const token = new URL(link).searchParams.get("token") ?? "";
    const browser = new Browser();
    const path = `/reset-password?token=${token}`;
    expect(await (await browser.get(path)).text()).toContain('name="agreed"');
    const response = await browser.post(path, { token, password: NEW_PASSWORD });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("Please confirm that you are 18 or older");
    expect(await resetPassword(token, NEW_PASSWORD)).toMatchObject({ refusal: "not-agreed" });
    expect(await agreedAt()).toBeNull();
    // Two concurrent submissions count once.
    const responses = await Promise.all(
      [1, 2].map(() => browser.post(path, { token, password: NEW_PASSWORD, agreed: "on" })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 410]);
    expect(await agreedAt()).toEqual(NOON);
    expect((await findUserByEmail(email))?.emailVerified).toBe(true);
  });
});

describe("changing a password", () => {
  const change = async (browser: Browser, currentPassword: string, newPassword: string) => {
    const viewer = await findViewerById(user.id);
    return changePassword(viewer!, { currentPassword, newPassword }, browser.request());
  };

  it("ends every other session and continues this one", async () => {
    const [here, there] = [await createSignedInBrowser(), await createSignedInBrowser()];
    const result = await change(here, OLD_PASSWORD, NEW_PASSWORD);
    expect(result).toMatchObject({ ok: true });
    if (result.ok) here.applyCookies(result.headers);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(there)).toBe(false);
    expect(await canSignIn(OLD_PASSWORD)).toBe(false);
    expect((await readEmailsTo(user.email)).map(({ kind }) => kind)).toEqual(["password-changed"]);
  });

  it("requires the current password and refuses a common new one", async () => {
    const browser = await createSignedInBrowser();
    expect(await change(browser, "not it", NEW_PASSWORD)).toMatchObject({
      refusal: "wrong-password",
    });
    expect(await change(browser, OLD_PASSWORD, "password1")).toMatchObject({
      refusal: "weak-password",
    });
    expect(await canSignIn(OLD_PASSWORD)).toBe(true);
  });

  it("revokes pending reset links", async () => {
    await requestReset();
    const token = await findEmailToken("/reset-password", user.email);
    await change(await createSignedInBrowser(), OLD_PASSWORD, NEW_PASSWORD);
    expect(await resetPassword(token, OLD_PASSWORD)).toMatchObject({ refusal: "invalid-link" });
  });

  it("accepts one of two concurrent changes", async () => {
    const browser = await createSignedInBrowser();
    const results = await Promise.all([
      change(browser, OLD_PASSWORD, "second wind"),
      change(browser, OLD_PASSWORD, "third time"),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const working = [await canSignIn("second wind"), await canSignIn("third time")];
    expect(working.filter(Boolean)).toHaveLength(1);
    expect(await change(browser, OLD_PASSWORD, NEW_PASSWORD)).toMatchObject({
      refusal: "wrong-password",
    });
  });
});

describe("verifying the password before a sensitive action", () => {
  it("allows five wrong attempts, then one a minute", async () => {
    expect(await reauthenticate(user.id, OLD_PASSWORD)).toBe("correct");
    for (let i = 0; i < 5; i += 1)
      expect(await reauthenticate(user.id, "no")).toBe("wrong-password");
    expect(await reauthenticate(user.id, OLD_PASSWORD)).toBe("too-many-attempts");
    freezeClock(new Date(NOON.getTime() + 60_000));
    expect(await reauthenticate(user.id, OLD_PASSWORD)).toBe("correct");
    expect(await database().select().from(sessions).where(eq(sessions.userId, user.id))).toEqual(
      [],
    );
  });
});
