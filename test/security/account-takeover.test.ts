import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUserByEmail, hashPassword, startSession } from "#accounts/accounts.server.ts";
import { jobs } from "#jobs.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { Browser } from "#test/browser.ts";
import { findEmailLink, findEmailToken, readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { readVisibleText } from "#test/page-text.ts";

// Account takeover by an attacker who once knew a password, session or email address.

const PASSWORD = "steady as she goes";
const NEW_PASSWORD = "on the bridle";
let passwordHash: string | null;
let owner: Person;
let browserCount = 0;

beforeAll(async () => {
  stubFetchInProcess();
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  owner = await makeUser({ passwordHash });
});
afterEach(async () => {
  await pool().query("delete from rate_limits");
});

function newBrowser(): Browser {
  browserCount += 1;
  return new Browser({ address: `10.31.${browserCount >> 8}.${browserCount & 255}` });
}

async function signedIn(email = owner.email, password = PASSWORD): Promise<Browser> {
  const browser = newBrowser();
  const response = await browser.postJson("/api/sign-in", { email, password });
  expect(response.status).toBe(200);
  return browser;
}
const isSignedIn = async (browser: Browser) => (await browser.get("/api/me")).status === 200;

describe("an attacker who knew the password", () => {
  async function requestEmailChange(by: Browser) {
    const attackerEmail = `mine-${randomUUID().slice(0, 8)}@example.test`;
    const response = await by.post("/profile/email", { email: attackerEmail, password: PASSWORD });
    expect(response.status).toBe(200);
    return { attackerEmail, token: await findEmailToken("/auth-callback", attackerEmail) };
  }

  it("cannot change the email address after the owner has reset the password", async () => {
    const { attackerEmail, token } = await requestEmailChange(await signedIn());
    await newBrowser().post("/forgot-password", { email: owner.email });
    await drainQueue(jobs());
    const reset = await findEmailToken("/reset-password", owner.email);
    const response = await newBrowser().post("/reset-password", {
      token: reset,
      password: NEW_PASSWORD,
    });
    expect(response.status).toBe(200);
    await newBrowser().post("/auth-callback", { token });
    expect((await findUserByEmail(owner.email))?.id).toBe(owner.id);
    expect(await findUserByEmail(attackerEmail)).toBeNull();
  });

  it("cannot change the email address after the owner has changed the password", async () => {
    const { token } = await requestEmailChange(await signedIn());
    const changed = await (await signedIn()).post("/profile/password", {
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      confirmPassword: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    await newBrowser().post("/auth-callback", { token });
    expect((await findUserByEmail(owner.email))?.id).toBe(owner.id);
  });
});

describe("an attacker with a copy of the session cookie", () => {
  it("is signed out by a password change, which keeps the owner signed in", async () => {
    const ownerBrowser = await signedIn();
    const attackerBrowser = newBrowser();
    for (const [name, value] of ownerBrowser.cookies) attackerBrowser.cookies.set(name, value);
    expect(await isSignedIn(attackerBrowser)).toBe(true);
    const changed = await ownerBrowser.post("/profile/password", {
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      confirmPassword: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    expect(await isSignedIn(ownerBrowser)).toBe(true);
    expect(await isSignedIn(attackerBrowser)).toBe(false);
  });
});

describe("an attacker who requests emails for another address", () => {
  const requestEmailsFor = async (email: string) => {
    for (let count = 0; count < 4; count += 1)
      await newBrowser().post("/resend-confirmation", { email });
    await drainQueue(jobs());
  };

  it("cannot prevent the owner from resetting the password", async () => {
    await requestEmailsFor(owner.email);
    const response = await newBrowser().post("/forgot-password", { email: owner.email });
    expect(response.status).toBe(200);
    await drainQueue(jobs());
    expect(await findEmailLink("/reset-password", owner.email)).toBeTruthy();
    // At most one additional link is sent per hour.
    await requestEmailsFor(owner.email);
    expect((await newBrowser().post("/forgot-password", { email: owner.email })).status).toBe(429);
  });

  it("cannot prevent the owner from registering", async () => {
    const email = `newcomer-${randomUUID().slice(0, 8)}@example.test`;
    await requestEmailsFor(email);
    const registered = await newBrowser().post("/login?mode=register", {
      name: "Naledi",
      email,
      password: PASSWORD,
      agreed: "on",
    });
    expect(registered.headers.get("Location")).toBe("/check-your-email");
    await drainQueue(jobs());
    expect((await readEmailsTo(email)).map(({ kind }) => kind)).toEqual(["confirm-email"]);
  });
});

describe("a signed-in user", () => {
  it("is rate limited when probing addresses for accounts", async () => {
    const ownerBrowser = await signedIn();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const { email } = await makeUser();
      const response = await ownerBrowser.post("/profile/email", { email, password: PASSWORD });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array(10).fill(409), 429, 429]);
  });
});

describe("an attacker who registered an applicant's address", () => {
  it("does not become the approved tipster", async () => {
    const email = `applicant-${randomUUID().slice(0, 8)}@example.test`;
    const displayName = `Paddock Eye ${randomUUID().slice(0, 8)}`;
    const applied = await newBrowser().postJson("/.netlify/functions/send-tipster-application", {
      email,
      fullName: "Sipho Dlamini",
      displayName,
    });
    expect(applied.status).toBe(200);
    // Signs in with an unconfirmed address, as a guest purchase does.
    const stranger = await makeUser({ email, verified: false });
    const attackerBrowser = newBrowser();
    attackerBrowser.applyCookies(await startSession(stranger.id));

    const admin = newBrowser();
    admin.applyCookies(await startSession((await makeAdmin()).id));
    const { rows } = await pool().query<{ id: string }>(
      "select id from tipster_applications where email = $1",
      [email],
    );
    const approved = await admin.post(`/admin/tipsters/applications/${rows[0]?.id}/approve`, {
      displayName,
    });
    expect(approved.status).toBe(200);

    const accepted = await attackerBrowser.post("/tipster-invitation", { displayName });
    expect(accepted.status).toBe(403);
    expect(await readVisibleText(accepted)).toContain("Confirm your email address first.");
    const roles = await pool().query("select role from user_roles where user_id = $1", [
      stranger.id,
    ]);
    expect(roles.rows).toEqual([]);

    // The applicant, who owns the mailbox, signs in and thereby ends the attacker's session.
    await newBrowser().post("/forgot-password", { email });
    await drainQueue(jobs());
    const token = await findEmailToken("/reset-password", email);
    await newBrowser().post("/reset-password", { token, password: NEW_PASSWORD });
    expect(await isSignedIn(attackerBrowser)).toBe(false);
    const ownerBrowser = await signedIn(email, NEW_PASSWORD);
    const acceptedByOwner = await ownerBrowser.post("/tipster-invitation", { displayName });
    expect(acceptedByOwner.headers.get("Location")).toBe("/tipster-dashboard?welcome=new");
  });
});

describe("the name of another user", () => {
  const LOOKALIKES: [string, string][] = [
    ["with a zero-width character", "Front\u200B Runner"],
    ["with a bidirectional control character", "\u202AFront Runner"],
    ["with a Hangul filler", "Front Runner\u3164"],
    ["with a Cyrillic letter", "Fr\u043Ent Runner"],
    ["with a full-width letter", "\uFF26ront Runner"],
    ["with Unicode spaces", "Front\u00A0\u2003Runner"],
  ];

  beforeAll(async () => {
    await makeTipster({ name: "Front Runner" });
  });

  it.each(LOOKALIKES)("is refused for another tipster when written %s", async (_how, name) => {
    const other = newBrowser();
    other.applyCookies(await startSession((await makeTipster()).id));
    const response = await other.postJson("/.netlify/functions/update-tipster-profile", { name });
    expect([409, 422]).toContain(response.status);
    const applied = await newBrowser().postJson("/.netlify/functions/send-tipster-application", {
      email: `copy-${randomUUID().slice(0, 8)}@example.test`,
      fullName: "Copy Cat",
      displayName: name,
    });
    expect([409, 422]).toContain(applied.status);
  });

  it("is accepted when it differs, in any single script", async () => {
    const ownerBrowser = newBrowser();
    ownerBrowser.applyCookies(await startSession((await makeTipster()).id));
    for (const name of ["Zoë van Wyk", "Nkosi & Seun", "O’Reilly's Racing #1", "Ситников"]) {
      const response = await ownerBrowser.postJson("/.netlify/functions/update-tipster-profile", {
        name,
      });
      expect(response.status, name).toBe(200);
    }
  });
});

describe("an attacker who guesses the idempotency key of a guest purchase", () => {
  async function startGuestCheckout(password: string, browser = newBrowser(), email = "") {
    const response = await browser.send("/.netlify/functions/create-checkout-session", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "order-of-today-1" },
      body: JSON.stringify({
        packageId: "unlock_tip_starter",
        tipToUnlock: raceCardId,
        userRegistration: { email, name: "Naledi", password, agreed: true },
      }),
    });
    return { response, browser };
  }
  let raceCardId: string;
  beforeAll(async () => {
    ({ raceCardId } = await publishRaceCard());
  });

  it("gets neither the order nor a session, sequentially or concurrently", async () => {
    for (const isConcurrent of [false, true]) {
      const email = `guest-${randomUUID().slice(0, 8)}@example.test`;
      const first = startGuestCheckout(PASSWORD, newBrowser(), email);
      if (!isConcurrent) await first;
      const second = await startGuestCheckout("the stranger's own", newBrowser(), email);
      const succeeded = [await first, second].filter(({ response }) => response.status === 200);
      expect(succeeded).toHaveLength(1);
      const refused = [await first, second].find(({ response }) => response.status !== 200);
      expect([...(refused?.browser.cookies.keys() ?? [])].join()).not.toContain("order");
    }
  });

  it("does not prevent the guest, whose response was lost, from getting the same checkout", async () => {
    const email = `guest-${randomUUID().slice(0, 8)}@example.test`;
    const first = await (await startGuestCheckout(PASSWORD, newBrowser(), email)).response.json();
    const again = await startGuestCheckout(PASSWORD, newBrowser(), email);
    expect(await again.response.json()).toEqual(first);
  });
});
