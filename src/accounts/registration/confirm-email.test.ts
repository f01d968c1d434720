import { and, eq, isNull } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { freezeClock } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailLink, findEmailToken, readEmailsTo } from "#test/emails.ts";
import { grantTestCoins, makeUser } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { createEmailLink } from "../email-links.server.ts";
import { changePassword } from "../password/change-password.server.ts";
import { requestEmailChange } from "../profile/change-profile.server.ts";
import { resendConfirmation, sendRequestedEmail } from "../request-email.server.ts";
import { grantRole } from "../roles.server.ts";
import { emailLinks, sessions, users } from "../tables.server.ts";
import { findUserByEmail } from "../users.server.ts";
import { findViewerById, type Viewer } from "../viewer.server.ts";
import { confirmEmail } from "./confirm-email.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
let userCount = 0;
let browser: Browser;

const email = () => `naledi${userCount}@example.test`;
const later = (hours: number) => freezeClock(new Date(NOON.getTime() + hours * HOUR_MS));

beforeEach(async () => {
  userCount += 1;
  freezeClock(NOON);
  browser = new Browser({ address: `10.1.0.${userCount}` });
  await browser.post("/login?mode=register", {
    name: "Naledi Khumalo",
    email: email(),
    password: "a long shot",
    agreed: "on",
  });
});
afterEach(() => freezeClock(null));
afterAll(expectInvariantsToHold);

const isConfirmed = async () => (await findUserByEmail(email()))?.emailVerified;
const submitToken = (from: Browser, token: string) => from.post("/auth-callback", { token });
const isSignedIn = async (who: Browser) => (await who.get("/api/me")).status === 200;

describe("a confirmation link", () => {
  it("changes nothing when it is fetched, even repeatedly", async () => {
    const link = await findEmailLink("/auth-callback", email());
    for (const visitor of [browser, new Browser(), new Browser()]) {
      const page = await visitor.get(link);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("Confirm Email");
    }
    expect(await isConfirmed()).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("confirms on submission, signs in the registering browser and sends the welcome email", async () => {
    const response = await submitToken(browser, await findEmailToken("/auth-callback", email()));
    expect(await response.text()).toContain("Email confirmed successfully! Welcome to Furlong!");
    expect(await isConfirmed()).toBe(true);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await readEmailsTo(email())).map(({ kind }) => kind)).toContain("welcome");
  });

  it("signs in no other browser", async () => {
    const otherBrowser = new Browser();
    const response = await submitToken(
      otherBrowser,
      await findEmailToken("/auth-callback", email()),
    );
    expect(await response.text()).toContain("Email confirmed successfully!");
    expect(await isConfirmed()).toBe(true);
    expect(await isSignedIn(otherBrowser)).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("works once and does not sign in when used again", async () => {
    const token = await findEmailToken("/auth-callback", email());
    await submitToken(new Browser(), token);
    const repeatedResponse = await submitToken(browser, token);
    expect(repeatedResponse.status).toBe(410);
    expect(await repeatedResponse.text()).toContain("already confirmed");
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("confirms once when five submissions arrive together", async () => {
    const token = await findEmailToken("/auth-callback", email());
    const results = await Promise.all(
      Array.from({ length: 5 }, () => confirmEmail(token, browser.request())),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const user = await findUserByEmail(email());
    const newSessions = await database()
      .select()
      .from(sessions)
      .where(eq(sessions.userId, user!.id));
    expect(newSessions).toHaveLength(1);
  });

  it("expires after a day", async () => {
    const token = await findEmailToken("/auth-callback", email());
    later(24);
    const response = await submitToken(browser, token);
    expect(await response.text()).toContain("Failed to confirm email. Please try again.");
    expect(await isConfirmed()).toBe(false);
  });

  it("is valid only for its user, purpose and address", async () => {
    const otherPurposeToken = await findEmailToken("/not-my-account", email());
    expect(await confirmEmail(otherPurposeToken, browser.request())).toMatchObject({ ok: false });
    const token = await findEmailToken("/auth-callback", email());
    expect(await confirmEmail(token.slice(1), browser.request())).toMatchObject({ ok: false });
    await database()
      .update(users)
      .set({ email: `moved.${email()}` })
      .where(eq(users.email, email()));
    expect(await confirmEmail(token, browser.request())).toMatchObject({ ok: false });
    const moved = await findUserByEmail(`moved.${email()}`);
    expect(moved?.emailVerified).toBe(false);
  });

  it.each([
    ["buy-coins", "/?buy-coins"],
    ["/race-cards/1?x=2", "/race-cards/1?x=2"],
    ["https://evil.example/", "/"],
    ["//evil.example", "/"],
    ["/check-your-email", "/"],
    ["", "/"],
  ])("redirects return=%j to %s, once", async (wanted, target) => {
    browser = new Browser({ address: `10.1.9.${userCount}` });
    const address = `return.${email()}`;
    await browser.post("/login?mode=register", {
      name: "Naledi Khumalo",
      email: address,
      password: "a long shot",
      agreed: "on",
      return: wanted,
    });
    const page = await submitToken(browser, await findEmailToken("/auth-callback", address));
    const main = /<main[\s\S]*<\/main>/.exec(await page.text())?.[0];
    expect(main).toContain(`content="2;url=${target}"`);
    expect([...browser.cookies.keys()].join()).not.toContain("onward");
    // Reloading the page after registration redirects as well.
    const repeatedResponse = await browser.get("/check-your-email");
    expect(repeatedResponse.headers.get("Location")).toBe("/");
  });

  it("sends other browsers to the login page, whatever the return target", async () => {
    const address = `elsewhere.${email()}`;
    const form = { name: "Naledi", email: address, password: "a long shot", agreed: "on" };
    await new Browser({ address: "10.1.8.1" }).post("/login?mode=register", {
      ...form,
      return: "buy-coins",
    });
    const page = await submitToken(new Browser(), await findEmailToken("/auth-callback", address));
    expect(await page.text()).toContain('content="2;url=/login"');
  });

  it("links back to the tips when a used link is opened while signed in", async () => {
    const token = await findEmailToken("/auth-callback", email());
    await submitToken(browser, token);
    const text = async (who: Browser) =>
      /<main[\s\S]*<\/main>/.exec(
        await (await who.get(`/auth-callback?token=${token}`)).text(),
      )?.[0];
    expect(await text(browser)).toContain("Back to Racing Tips</span>");
    expect(await text(browser)).not.toContain("Return to Login");
    expect(await text(new Browser())).toContain("Return to Login");
  });

  it("does not change the password or the coins", async () => {
    const user = await findUserByEmail(email());
    await grantTestCoins(user!.id, 8);
    await submitToken(new Browser(), await findEmailToken("/auth-callback", email()));
    expect((await readWallet(user!.id)).balanceCoins).toBe(8);
    const response = await browser.postJson("/api/sign-in", {
      email: email(),
      password: "a long shot",
    });
    expect(response.status).toBe(200);
  });

  it("is stored only as a hash", async () => {
    const token = await findEmailToken("/auth-callback", email());
    const rows = await database().select().from(emailLinks);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("shows an error when the page is opened without a link", async () => {
    const page = await browser.get("/auth-callback");
    expect(await page.text()).toContain("No session found. Please try logging in again.");
  });
});

describe("resending the confirmation link", () => {
  const drain = () => drainQueue([sendRequestedEmail]);

  it("sends a link that signs in the registering browser, not the requesting one", async () => {
    const stranger = new Browser({ address: "10.1.1.1" });
    await stranger.post("/resend-confirmation", { email: email() });
    await drain();
    expect(await readEmailsTo(email())).toHaveLength(2);
    const token = await findEmailToken("/auth-callback", email());
    await submitToken(stranger, token);
    expect(await isSignedIn(stranger)).toBe(false);
  });

  it("responds the same for every address, and sends nothing if there is nothing to confirm", async () => {
    const unknown = `nobody${userCount}@example.test`;
    const responses = [];
    for (const address of [email(), unknown]) {
      const response = await browser.post("/resend-confirmation", { email: address });
      const text = (await response.text()).replaceAll(address, "ADDRESS");
      responses.push({ status: response.status, text: visible(text) });
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.text).toContain(
      "Confirmation email resent! Please check your inbox and spam folder.",
    );
    await drain();
    expect(await readEmailsTo(unknown)).toEqual([]);
    await submitToken(browser, await findEmailToken("/auth-callback", email()));
    await resendConfirmation(email(), "10.1.1.2");
    await drain();
    expect(
      (await readEmailsTo(email())).filter(({ kind }) => kind === "confirm-email"),
    ).toHaveLength(2);
  });

  it("sends at most three emails an hour to one address and reports the limit", async () => {
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push(await resendConfirmation(email(), "10.1.1.3"));
    const refusal = {
      ok: false,
      refusal: "too-many-emails",
      retryAfterSeconds: expect.any(Number),
    };
    // Registering sent the first email.
    expect(statuses).toEqual([{ ok: true }, { ok: true }, refusal, refusal]);
    await drain();
    expect(await readEmailsTo(email())).toHaveLength(3);
  });

  it("reports the limit and Retry-After in the same way for unknown addresses", async () => {
    const responses = [];
    for (const address of [email(), `nobody${userCount}@example.test`]) {
      const stranger = new Browser({ address: "10.1.1.4" });
      for (let i = 0; i < 3; i += 1)
        await stranger.post("/resend-confirmation", { email: address });
      const response = await stranger.post("/resend-confirmation", { email: address });
      expect(response.status).toBe(429);
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(3500);
      responses.push(visible((await response.text()).replaceAll(address, "ADDRESS")));
    }
    expect(responses[0]).toBe(responses[1]);
    expect(responses[0]).toContain("We send at most three emails an hour to one address.");
  });

  it("sends three emails when many requests arrive together", async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => resendConfirmation(email(), "10.1.1.5")),
    );
    expect(responses.filter((each) => each.ok)).toHaveLength(2);
    await drain();
    expect(await readEmailsTo(email())).toHaveLength(3);
  });

  it("requires an address", async () => {
    const response = await browser.post("/resend-confirmation", { email: " " });
    expect(await response.text()).toContain("Please enter your email address first");
  });
});

describe("'this was not me'", () => {
  const reportWrongAddress = async (token: string) =>
    await readVisibleText(await new Browser().post("/not-my-account", { token }));

  it("removes the account on submission, not when the page is opened", async () => {
    const link = await findEmailLink("/not-my-account", email());
    await new Browser().get(link);
    expect(await findUserByEmail(email())).not.toBeNull();
    expect(await reportWrongAddress(await findEmailToken("/not-my-account", email()))).toContain(
      "removed",
    );
    expect(await findUserByEmail(email())).toBeNull();
  });

  it("frees the address and revokes its links", async () => {
    const confirmation = await findEmailToken("/auth-callback", email());
    await reportWrongAddress(await findEmailToken("/not-my-account", email()));
    expect(await confirmEmail(confirmation, browser.request())).toMatchObject({ ok: false });
  });

  it("does not remove a confirmed account", async () => {
    const token = await findEmailToken("/not-my-account", email());
    await submitToken(browser, await findEmailToken("/auth-callback", email()));
    expect(await reportWrongAddress(token)).toContain("has since been confirmed");
    expect(await findUserByEmail(email())).not.toBeNull();
  });

  it("does not remove an account confirmed in another way, even with a valid link", async () => {
    const token = await findEmailToken("/not-my-account", email());
    await database().update(users).set({ emailVerified: true }).where(eq(users.email, email()));
    expect(await reportWrongAddress(token)).toContain("has since been confirmed");
    expect(await findUserByEmail(email())).not.toBeNull();
  });

  it("ends in either removal or confirmation when both arrive together", async () => {
    const [confirmationToken, removalToken] = [
      await findEmailToken("/auth-callback", email()),
      await findEmailToken("/not-my-account", email()),
    ];
    await Promise.all([
      submitToken(browser, confirmationToken),
      reportWrongAddress(removalToken),
      submitToken(new Browser(), confirmationToken),
      reportWrongAddress(removalToken),
    ]);
    expect([true, undefined]).toContain(await isConfirmed());
  });

  it("does not remove an account with coins or a role, and raises an alert", async () => {
    const user = await findUserByEmail(email());
    const token = await findEmailToken("/not-my-account", email());
    await transaction((tx) => grantRole(tx, { userId: user!.id, role: "tipster", actorId: null }));
    expect(await reportWrongAddress(token)).toContain("been notified and will look into it");
    await grantTestCoins(user!.id, 4);
    expect(await reportWrongAddress(token)).toContain("been notified and will look into it");
    expect(await findViewerById(user!.id)).not.toBeNull();
    expect((await readWallet(user!.id)).balanceCoins).toBe(4);
  });

  it("removes the account once when three requests arrive together", async () => {
    const token = await findEmailToken("/not-my-account", email());
    const messages = await Promise.all([
      reportWrongAddress(token),
      reportWrongAddress(token),
      reportWrongAddress(token),
    ]);
    expect(messages.filter((text) => text.includes("The account is removed"))).toHaveLength(1);
    expect(await reportWrongAddress(token)).toContain("already been removed");
  });
});

describe("changing the email address", () => {
  const createNewAddress = () => `new.${email()}`;

  async function requestChange() {
    await submitToken(browser, await findEmailToken("/auth-callback", email()));
    const user = await findUserByEmail(email());
    const viewer = await findViewerById(user!.id);
    return { viewer: viewer!, result: await change(viewer!, createNewAddress()) };
  }
  const change = (viewer: Viewer, to: string, password = "a long shot") =>
    requestEmailChange(viewer, { email: to, password });

  it("takes effect after confirmation and notifies the old address", async () => {
    const { viewer, result } = await requestChange();
    expect(result).toEqual({ ok: true });
    expect((await findViewerById(viewer.id))?.email).toBe(email());
    const token = await findEmailToken("/auth-callback", createNewAddress());
    expect(await confirmEmail(token, new Browser().request())).toMatchObject({
      ok: true,
      session: null,
    });
    expect((await findViewerById(viewer.id))?.email).toBe(createNewAddress());
    expect((await readEmailsTo(email())).map(({ kind }) => kind)).toContain("email-changed");
  });

  it("requires the password and limits wrong attempts", async () => {
    const { viewer } = await requestChange();
    const sentCount = (await readEmailsTo(createNewAddress())).length;
    const results = [];
    for (let tries = 0; tries < 6; tries += 1)
      results.push(await change(viewer, createNewAddress(), "a guess of mine"));
    expect(results.slice(0, 5)).toEqual(Array(5).fill({ ok: false, refusal: "wrong-password" }));
    expect(results[5]).toEqual({ ok: false, refusal: "too-many-attempts" });
    expect(await readEmailsTo(createNewAddress())).toHaveLength(sentCount);
    expect((await findViewerById(viewer.id))?.email).toBe(email());
  });

  it("refuses an address with an account, even one created after the email was sent", async () => {
    const { viewer } = await requestChange();
    expect(await change(viewer, email())).toMatchObject({ refusal: "same-email" });
    const token = await findEmailToken("/auth-callback", createNewAddress());
    await new Browser({ address: "10.1.2.1" }).post("/login?mode=register", {
      name: "Naledi",
      email: createNewAddress(),
      password: "a long shot",
      agreed: "on",
    });
    expect(await change(viewer, createNewAddress())).toMatchObject({ refusal: "email-taken" });
    expect(await confirmEmail(token, browser.request())).toEqual({
      ok: false,
      refusal: "email-taken",
    });
    expect((await findViewerById(viewer.id))?.email).toBe(email());
  });

  it("refuses the link to an earlier address once another one is requested", async () => {
    const { viewer } = await requestChange();
    const mistyped = await findEmailToken("/auth-callback", createNewAddress());
    expect(await change(viewer, `right.${email()}`)).toEqual({ ok: true });
    const response = await submitToken(new Browser(), mistyped);
    expect(response.status).toBe(410);
    const refusal = "Failed to confirm email. Please try again.";
    expect(await response.text()).toContain(refusal);
    const page = await new Browser().get(`/auth-callback?token=${mistyped}`);
    expect(await page.text()).toContain(refusal);
    expect((await findViewerById(viewer.id))?.email).toBe(email());
    const token = await findEmailToken("/auth-callback", `right.${email()}`);
    expect(await confirmEmail(token, new Browser().request())).toMatchObject({ ok: true });
    expect((await findViewerById(viewer.id))?.email).toBe(`right.${email()}`);
  });

  it("accepts either link when the same address is requested twice, once", async () => {
    const { viewer } = await requestChange();
    const first = await findEmailToken("/auth-callback", createNewAddress());
    expect(await change(viewer, createNewAddress())).toEqual({ ok: true });
    const second = await findEmailToken("/auth-callback", createNewAddress());
    expect(second).not.toBe(first);
    expect(await confirmEmail(first, new Browser().request())).toMatchObject({ ok: true });
    expect(await confirmEmail(second, new Browser().request())).toEqual({
      ok: false,
      refusal: "already-confirmed",
    });
  });

  it("leaves the links to one address valid when several are requested together", async () => {
    const { viewer } = await requestChange();
    const other = await makeUser();
    await transaction((tx) =>
      createEmailLink(tx, { userId: other.id, email: `x.${email()}`, purpose: "change-email" }),
    );
    const addresses = ["a", "b", "c"].map((name) => `${name}.${email()}`);
    const results = await Promise.all(addresses.map((address) => change(viewer, address)));
    expect(results).toEqual(Array(3).fill({ ok: true }));
    const countOpen = (userId: string) =>
      database().$count(
        emailLinks,
        and(
          eq(emailLinks.userId, userId),
          eq(emailLinks.purpose, "change-email"),
          isNull(emailLinks.usedAt),
        ),
      );
    expect(await countOpen(viewer.id)).toBe(1);
    expect(await countOpen(other.id)).toBe(1);
  });

  it("says that a link revoked by a new password no longer works, not that it was confirmed", async () => {
    const { viewer } = await requestChange();
    const token = await findEmailToken("/auth-callback", createNewAddress());
    await changePassword(
      viewer,
      { currentPassword: "a long shot", newPassword: "a longer shot" },
      browser.request(),
    );
    expect(await confirmEmail(token, new Browser().request())).toEqual({
      ok: false,
      refusal: "invalid-link",
    });
    expect((await findViewerById(viewer.id))?.email).toBe(email());
  });
});

/** Returns a page's HTML without the parts that differ between requests. */
function visible(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/ nonce="[^"]*"/g, "")
    .replace(/<link[^>]*>/g, "");
}
