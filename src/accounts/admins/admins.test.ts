import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import { findEmailLink, findEmailToken, readEmailsTo } from "#test/emails.ts";
import { makeTipster, makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { turnOnTwoStep } from "#test/two-step.ts";
import {
  acceptAdminInvitation,
  acceptAdminInvitationWithNewAccount,
} from "../invitations/accept-admin-invitation.server.ts";
import {
  isAwaitingTwoStep,
  listOpenAdminInvitations,
} from "../invitations/admin-invitations.server.ts";
import {
  cancelAdminInvitation,
  inviteAdmin,
  resendAdminInvitation,
} from "../invitations/invite-admin.server.ts";
import { hashPassword } from "../password/password-hash.server.ts";
import { closeAccount } from "../profile/close-account.server.ts";
import { grantRole, readRoles } from "../roles.server.ts";
import { startSession } from "../sessions.server.ts";
import { findViewerById } from "../viewer.server.ts";
import { listAdmins } from "./list-admins.server.ts";
import { removeAdmin } from "./remove-admin.server.ts";

const NOON = new Date("2026-11-20T10:00:00Z");
const EIGHT_DAYS_LATER = new Date("2026-11-28T10:00:00Z");
const PASSWORD = "steady as she goes";
const REASON = "Left the company";
const PAGE = "/admin-invitation";

let passwordHash: string | null;
let admin: Person;
/** Satisfies the invariant "there is an admin" while a test removes its own admins. */
let otherAdmin: Person;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  freezeClock(NOON);
  admin = await makeAdminWithPassword();
  otherAdmin = await makeAdminWithPassword();
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});
afterAll(() => freezeClock(null));

async function makeUserWithPassword(options: Parameters<typeof makeUser>[0] = {}): Promise<Person> {
  return await makeUser({ passwordHash, ...options });
}

async function makeAdminWithPassword(): Promise<Person> {
  const user = await makeUserWithPassword({ name: "Nomsa Radebe" });
  await transaction((tx) => grantRole(tx, { userId: user.id, role: "admin", actorId: null }));
  return user;
}

const createEmailAddress = () => `invited-${randomUUID().slice(0, 8)}@example.test`;

/** Invites an address and returns the invitation's id and the token of its link. */
async function invite(email: string, inviter = admin) {
  const result = await inviteAdmin(inviter.id, email);
  if (!result.ok) throw new Error(result.refusal);
  return { invitationId: result.invitationId, token: await findEmailToken(PAGE, email) };
}

async function accept(token: string, user: Person) {
  const viewer = await findViewerById(user.id);
  if (!viewer) throw new Error("there is no such user");
  return await acceptAdminInvitation(token, viewer);
}

/** A user with an account who has accepted an invitation; two-step login is still off. */
async function makeAcceptedUser(): Promise<Person> {
  const user = await makeUserWithPassword();
  const { token } = await invite(user.email);
  expect(await accept(token, user)).toMatchObject({ ok: true });
  return user;
}

async function createSignedInBrowser(user: Person): Promise<Browser> {
  const browser = new Browser({ address: uniqueAddress() });
  browser.applyCookies(await startSession(user.id, { codeVerifiedAt: NOON }));
  return browser;
}

async function listAuditActions(subject: string): Promise<string[]> {
  return (await readAudit({ subject })).entries.map((entry) => entry.action).reverse();
}

const newAccount = { name: "Sipho Dlamini", password: PASSWORD, agreed: "on" };

describe("inviting an admin", () => {
  it("emails a link as text and HTML, lists the invitation and audits it", async () => {
    const email = createEmailAddress();
    const { invitationId, token } = await invite(email);
    const [sentEmail, ...more] = await readEmailsTo(email);
    expect(more).toEqual([]);
    expect(sentEmail).toMatchObject({ kind: "admin-invited", userId: null });
    expect(sentEmail?.text).toContain(`${PAGE}?token=${token}`);
    expect(sentEmail?.html).toContain(`${PAGE}?token=${token}`);
    expect(await listOpenAdminInvitations()).toContainEqual(
      expect.objectContaining({ id: invitationId, email, isExpired: false }),
    );
    expect(await listAuditActions(invitationId)).toEqual(["invite-admin"]);
    const { rows } = await pool().query("select token_hash from admin_invitations where id = $1", [
      invitationId,
    ]);
    expect(rows[0].token_hash).not.toContain(token);
  });

  it("responds the same for an address with an account, without one, and unconfirmed", async () => {
    const browser = await createSignedInBrowser(admin);
    const emails = [
      createEmailAddress(),
      (await makeUser()).email,
      (await makeUser({ verified: false })).email,
    ];
    const responses = [];
    const sentEmails = [];
    for (const email of emails) {
      const response = await browser.post("/admin/admins", { email });
      const text = await readVisibleText(response);
      responses.push([response.status, text.includes(`We've emailed the invitation to ${email}.`)]);
      const [sentEmail] = await readEmailsTo(email);
      sentEmails.push([
        sentEmail?.subject,
        sentEmail?.userId,
        sentEmail?.text?.replace(/token=\S+/, ""),
      ]);
    }
    expect(responses).toEqual([1, 2, 3].map(() => [200, true]));
    expect(new Set(sentEmails.map((sentEmail) => JSON.stringify(sentEmail))).size).toBe(1);
  });

  it("sends one email when it is repeated or two requests arrive together", async () => {
    const email = createEmailAddress();
    const results = await Promise.all([1, 2].map(() => inviteAdmin(admin.id, email)));
    results.push(await inviteAdmin(otherAdmin.id, email));
    expect(new Set(results.map((result) => result.ok && result.invitationId)).size).toBe(1);
    expect(await readEmailsTo(email)).toHaveLength(1);
  });

  it("refuses an existing admin and an actor who is no longer an admin", async () => {
    const email = createEmailAddress();
    expect(await inviteAdmin(admin.id, otherAdmin.email)).toMatchObject({
      refusal: "already-an-admin",
    });
    const user = await makeUserWithPassword();
    expect(await inviteAdmin(user.id, email)).toMatchObject({
      refusal: "not-permitted",
    });
    expect(await readEmailsTo(email)).toEqual([]);
  });

  it("refuses a suspended creator with the reason, even if the request is repeated", async () => {
    const invited = await makeTipster();
    const { invitationId, token } = await invite(invited.email);
    await suspendCreator(admin.id, invited.id);
    // The suspension cancels the open invitation.
    expect(await listAuditActions(invitationId)).toEqual([
      "invite-admin",
      "cancel-admin-invitation",
    ]);
    expect(await accept(token, invited)).toMatchObject({ refusal: "invalid-link" });
    const browser = await createSignedInBrowser(admin);
    const response = await browser.post("/admin/admins", { email: invited.email });
    expect(response.status).toBe(409);
    expect(await readVisibleText(response)).toContain("They are a suspended tipster or analyst.");
    expect(await readEmailsTo(invited.email)).toHaveLength(2);
    await pool().query("update creators set suspended_at = null where user_id = $1", [invited.id]);
    expect(await accept((await invite(invited.email)).token, invited)).toMatchObject({ ok: true });
  });

  it("can be neither resent nor accepted after the creator is suspended", async () => {
    const invited = await makeTipster();
    const { invitationId, token } = await invite(invited.email);
    // Simulates an invitation that is stored while the suspension is being written.
    await pool().query("update creators set suspended_at = now() where user_id = $1", [invited.id]);
    expect(await resendAdminInvitation(admin.id, invitationId)).toMatchObject({
      refusal: "suspended",
    });
    expect(await accept(token, invited)).toMatchObject({ refusal: "suspended" });
    const browser = await createSignedInBrowser(invited);
    const response = await browser.post(`${PAGE}?token=${token}`, { token });
    expect(response.status).toBe(409);
    expect(await readVisibleText(response)).toContain("account is suspended. Contact us");
    expect(await isAwaitingTwoStep(invited.id)).toBe(false);
  });

  it("is undone by a suspension before two-step login is set up, and not after", async () => {
    const waiting = await makeTipster();
    await accept((await invite(waiting.email)).token, waiting);
    await suspendCreator(admin.id, waiting.id);
    expect(await isAwaitingTwoStep(waiting.id)).toBe(false);
    const adminAndTipster = await makeTipster();
    await transaction((tx) =>
      grantRole(tx, { userId: adminAndTipster.id, role: "admin", actorId: null }),
    );
    await suspendCreator(admin.id, adminAndTipster.id);
    expect(await readRoles(adminAndTipster.id)).toEqual(["admin"]);
  });

  it("renews an expired invitation", async () => {
    const email = createEmailAddress();
    const first = await invite(email);
    freezeClock(EIGHT_DAYS_LATER);
    const second = await invite(email);
    expect(second.invitationId).toBe(first.invitationId);
    expect(second.token).not.toBe(first.token);
    expect(await listAuditActions(first.invitationId)).toEqual([
      "invite-admin",
      "resend-admin-invitation",
    ]);
  });
});

describe("an open invitation", () => {
  it("is resent with a new link, and the old link stops working", async () => {
    const user = await makeUserWithPassword();
    const { invitationId, token } = await invite(user.email);
    expect(await resendAdminInvitation(admin.id, invitationId)).toEqual({ ok: true });
    const { token: newToken } = { token: await findEmailToken(PAGE, user.email) };
    expect(await accept(token, user)).toMatchObject({ refusal: "invalid-link" });
    expect(await accept(newToken, user)).toMatchObject({ ok: true });
  });

  it("is resent at most three times an hour", async () => {
    const { invitationId } = await invite(createEmailAddress());
    const results = [];
    for (const _ of [1, 2, 3, 4])
      results.push((await resendAdminInvitation(admin.id, invitationId)).ok);
    expect(results).toEqual([true, true, true, false]);
  });

  it("is cancelled once, with one audit entry, and its link stops working", async () => {
    const user = await makeUserWithPassword();
    const { invitationId, token } = await invite(user.email);
    for (const _ of [1, 2])
      expect(await cancelAdminInvitation(admin.id, invitationId)).toEqual({ ok: true });
    expect(await listAuditActions(invitationId)).toEqual([
      "invite-admin",
      "cancel-admin-invitation",
    ]);
    expect(await accept(token, user)).toMatchObject({ refusal: "invalid-link" });
    expect(await resendAdminInvitation(admin.id, invitationId)).toMatchObject({
      refusal: "no-such-invitation",
    });
  });

  it("is resent and cancelled through the pages by admins only, after a confirmation", async () => {
    const email = createEmailAddress();
    const { invitationId } = await invite(email);
    const path = `/admin/admins/invitations/${invitationId}`;
    const user = await createSignedInBrowser(await makeUser());
    expect((await user.post(`${path}/resend`, {})).status).toBe(403);
    expect((await user.post(`${path}/cancel`, { confirmed: "yes" })).status).toBe(403);
    const browser = await createSignedInBrowser(admin);
    expect(await readVisibleText(await browser.post(`${path}/resend`, {}))).toContain(
      "New link sent. The old one no longer works.",
    );
    expect(await readEmailsTo(email)).toHaveLength(2);
    expect(await readVisibleText(await browser.post(`${path}/cancel`, {}))).toContain(
      "You can invite them again.",
    );
    expect(await readVisibleText(await browser.get("/admin/admins"))).toContain(email);
    for (const _ of [1, 2])
      expect(
        await readVisibleText(await browser.post(`${path}/cancel`, { confirmed: "yes" })),
      ).toContain("Invitation cancelled.");
    expect(await readVisibleText(await browser.get("/admin/admins"))).not.toContain(email);
    expect((await browser.post(`${path}/resend`, {})).status).toBe(404);
  });

  it("can be neither resent nor cancelled by a user, after acceptance, or if unknown", async () => {
    const user = await makeUserWithPassword();
    const { invitationId, token } = await invite(user.email);
    for (const change of [resendAdminInvitation, cancelAdminInvitation]) {
      expect(await change(user.id, invitationId)).toMatchObject({ refusal: "not-permitted" });
      expect(await change(admin.id, randomUUID())).toMatchObject({ refusal: "no-such-invitation" });
      expect(await change(admin.id, "1")).toMatchObject({ refusal: "no-such-invitation" });
    }
    await accept(token, user);
    expect(await cancelAdminInvitation(admin.id, invitationId)).toMatchObject({
      refusal: "accepted",
    });
    expect(await resendAdminInvitation(admin.id, invitationId)).toMatchObject({
      refusal: "no-such-invitation",
    });
  });

  it("is either accepted or cancelled when both happen at the same time", async () => {
    for (const _ of [1, 2, 3]) {
      const user = await makeUserWithPassword();
      const { invitationId, token } = await invite(user.email);
      const [accepted, cancelled] = await Promise.all([
        accept(token, user),
        cancelAdminInvitation(admin.id, invitationId),
      ]);
      expect([accepted.ok, cancelled.ok].filter(Boolean)).toHaveLength(1);
      expect(await isAwaitingTwoStep(user.id)).toBe(accepted.ok);
    }
  });
});

describe("accepting an invitation with an account", () => {
  it("grants the role when two-step login is turned on, not before", async () => {
    const user = await makeUserWithPassword();
    await invite(user.email);
    const browser = await createSignedInBrowser(user);
    const link = await findEmailLink(PAGE, user.email);
    expect(await readVisibleText(await browser.get(link))).toContain("Accept the role");
    expect(await isAwaitingTwoStep(user.id)).toBe(false);
    const token = await findEmailToken(PAGE, user.email);
    const response = await browser.post(PAGE, { token });
    expect(response.headers.get("Location")).toBe("/admin/two-step");
    expect(await readRoles(user.id)).toEqual([]);
    expect((await browser.get("/admin")).headers.get("Location")).toBe("/admin/two-step");
    expect((await browser.get("/admin/users")).headers.get("Location")).toBe("/admin/two-step");
    expect((await browser.post("/admin/admins", {})).status).toBe(403);
    expect((await browser.get("/admin/two-step")).status).toBe(200);
    await turnOnTwoStep(browser, PASSWORD);
    expect(await readRoles(user.id)).toEqual(["admin"]);
    expect((await browser.get("/admin/users")).status).toBe(200);
    expect(await listAuditActions(user.id)).toEqual([
      "accept-admin-invitation",
      "turn-on-two-step",
      "grant-role",
    ]);
  });

  it("lets the invited person log in at the admin form to set up two-step login", async () => {
    const user = await makeAcceptedUser();
    const browser = new Browser({ address: uniqueAddress() });
    const credentials = { email: user.email, password: PASSWORD };
    const response = await browser.post("/admin/sign-in", credentials);
    expect(response.headers.get("Location")).toBe("/admin");
    expect((await browser.get("/admin")).headers.get("Location")).toBe("/admin/two-step");
  });

  it("changes nothing when it is repeated, or when two requests arrive together", async () => {
    const user = await makeUserWithPassword();
    const { token } = await invite(user.email);
    const results = await Promise.all([accept(token, user), accept(token, user)]);
    results.push(await accept(token, user));
    expect(results.map((result) => result.ok)).toEqual([true, true, true]);
    expect(await listAuditActions(user.id)).toEqual(["accept-admin-invitation"]);
  });

  it("refuses an expired, used, cancelled, unknown and empty link with the same response", async () => {
    const user = await makeUserWithPassword();
    const expired = await invite(createEmailAddress());
    const used = (await invite(user.email)).token;
    await accept(used, user);
    const cancelled = await invite(createEmailAddress());
    freezeClock(EIGHT_DAYS_LATER);
    await cancelAdminInvitation(admin.id, cancelled.invitationId);
    const pages = [];
    for (const token of [expired.token, used, cancelled.token, "unknown", ""]) {
      const browser = new Browser({ address: uniqueAddress() });
      const page = await browser.get(`${PAGE}?token=${token}`);
      const posted = await browser.post(PAGE, { token, ...newAccount });
      expect(posted.status).toBe(410);
      pages.push(await readVisibleText(page));
    }
    expect(pages[0]).toContain("This link no longer works");
    expect(new Set(pages).size).toBe(1);
  });

  it("refuses an expired link to the logged-in owner of the address", async () => {
    const user = await makeUserWithPassword();
    const { token } = await invite(user.email);
    freezeClock(EIGHT_DAYS_LATER);
    expect(await accept(token, user)).toMatchObject({ refusal: "invalid-link" });
    expect(await isAwaitingTwoStep(user.id)).toBe(false);
  });

  it("refuses another account and an unconfirmed one", async () => {
    const user = await makeUserWithPassword();
    const { token } = await invite(user.email);
    const stranger = await makeUserWithPassword();
    const browser = await createSignedInBrowser(stranger);
    expect(await readVisibleText(await browser.get(`${PAGE}?token=${token}`))).toContain(
      "This invitation is for another account",
    );
    expect((await browser.post(PAGE, { token })).status).toBe(403);
    expect(await isAwaitingTwoStep(stranger.id)).toBe(false);
    const unconfirmed = await makeUserWithPassword({ verified: false });
    const { token: second } = await invite(unconfirmed.email);
    const response = await (await createSignedInBrowser(unconfirmed)).post(
      `${PAGE}?token=${second}`,
      { token: second },
    );
    expect(response.status).toBe(403);
    expect(await readVisibleText(response)).toContain("Confirm your email address first.");
  });

  it("asks the owner of an account to log in first", async () => {
    const user = await makeUserWithPassword();
    const { token } = await invite(user.email);
    const browser = new Browser({ address: uniqueAddress() });
    const page = await browser.get(`${PAGE}?token=${token}`);
    expect(await readVisibleText(page)).toContain("Log in with it to accept");
    const response = await browser.post(PAGE, { token, ...newAccount });
    expect(response.status).toBe(409);
    // The form of a viewer who has been logged out since: it has no fields of a new account.
    const accepted = await browser.post(PAGE, { token });
    expect(accepted.status).toBe(409);
    expect(await isAwaitingTwoStep(user.id)).toBe(false);
  });

  it("is no longer possible once the account is closed", async () => {
    const user = await makeUserWithPassword();
    const { token } = await invite(user.email);
    await transaction((tx) => closeAccount(tx, user.id));
    expect(await acceptAdminInvitationWithNewAccount(token, newAccount)).toMatchObject({
      refusal: "invalid-link",
    });
    const { rows } = await pool().query("select 1 from admin_invitations where email = $1", [
      user.email,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("accepting an invitation without an account", () => {
  it("creates a confirmed account, logs it in and leads to two-step login", async () => {
    const email = createEmailAddress();
    const { token } = await invite(email);
    const browser = new Browser({ address: uniqueAddress() });
    const response = await browser.post(PAGE, { token, ...newAccount });
    expect(response.headers.get("Location")).toBe("/admin/two-step");
    expect((await browser.get("/admin/two-step")).status).toBe(200);
    const { rows } = await pool().query(
      "select id, name, email_verified, agreed_at from users where email = $1",
      [email],
    );
    expect(rows).toEqual([
      expect.objectContaining({ name: newAccount.name, email_verified: true, agreed_at: NOON }),
    ]);
    await turnOnTwoStep(browser, PASSWORD);
    expect(await readRoles(rows[0].id)).toEqual(["admin"]);
  });

  it("refuses a weak or short password, a missing name and terms that are not accepted", async () => {
    const email = createEmailAddress();
    const { token } = await invite(email);
    const browser = new Browser({ address: uniqueAddress() });
    for (const fields of [
      { password: "password" },
      { password: "short" },
      { name: "" },
      { agreed: "" },
    ])
      expect((await browser.post(PAGE, { token, ...newAccount, ...fields })).status).toBe(422);
    const { rows } = await pool().query("select 1 from users where email = $1", [email]);
    expect(rows).toEqual([]);
  });

  it("creates one account when two requests arrive together", async () => {
    const email = createEmailAddress();
    const { token } = await invite(email);
    const results = await Promise.all(
      [1, 2].map(() => acceptAdminInvitationWithNewAccount(token, newAccount)),
    );
    expect(results.map((result) => result.ok).sort()).toEqual([false, true]);
    const { rows } = await pool().query("select 1 from users where email = $1", [email]);
    expect(rows).toHaveLength(1);
  });
});

describe("an invited admin", () => {
  it("cannot turn two-step login off", async () => {
    const user = await makeAcceptedUser();
    const browser = await createSignedInBrowser(user);
    await turnOnTwoStep(browser, PASSWORD);
    const response = await browser.post("/admin/two-step/off", { password: PASSWORD });
    expect(response.status).toBe(409);
    expect(await readRoles(user.id)).toEqual(["admin"]);
  });

  it("loses the role when an operator deletes the key, and gets it back with a new one", async () => {
    const user = await makeAcceptedUser();
    await turnOnTwoStep(await createSignedInBrowser(user), PASSWORD);
    await pool().query("delete from two_step_keys where user_id = $1", [user.id]);
    expect(await readRoles(user.id)).toEqual([]);
    const browser = await createSignedInBrowser(user);
    expect((await browser.get("/admin/users")).headers.get("Location")).toBe("/admin/two-step");
    await turnOnTwoStep(browser, PASSWORD);
    expect(await readRoles(user.id)).toEqual(["admin"]);
  });
});

describe("removing an admin", () => {
  const input = { reason: REASON };

  it("ends the role and the sessions, keeps the account, emails and audits the reason", async () => {
    const removed = await makeAdminWithPassword();
    const { token } = await invite(createEmailAddress(), removed);
    const session = await createSignedInBrowser(removed);
    const browser = await createSignedInBrowser(admin);
    const path = `/admin/admins/${removed.id}/remove`;
    expect(await readVisibleText(await browser.get(path))).toContain(`Remove ${removed.name}`);
    const response = await browser.post(path, input);
    expect(response.headers.get("Location")).toBe("/admin/admins");
    expect((await session.get("/api/me")).status).toBe(401);
    expect(await readRoles(removed.id)).toEqual([]);
    expect((await findViewerById(removed.id))?.roles).toEqual(["user"]);
    const { entries } = await readAudit({ subject: removed.id, action: "remove-admin" });
    expect(entries).toEqual([
      expect.objectContaining({ actorId: admin.id, details: { reason: REASON } }),
    ]);
    const [invited, sentEmail, ...more] = await readEmailsTo(removed.email);
    expect(invited?.kind).toBe("admins-changed");
    expect(more).toEqual([]);
    expect(sentEmail).toMatchObject({ kind: "admin-removed", userId: removed.id });
    expect(sentEmail?.text).toContain(REASON);
    expect(sentEmail?.html).toContain(REASON);
    // Invitations that the removed admin sent stop working.
    expect(await acceptAdminInvitationWithNewAccount(token, newAccount)).toMatchObject({
      refusal: "invalid-link",
    });
  });

  it("removes once when it is repeated, or when two requests arrive together", async () => {
    const removed = await makeAdminWithPassword();
    const results = await Promise.all([
      removeAdmin(admin.id, removed.id, REASON),
      removeAdmin(otherAdmin.id, removed.id, REASON),
    ]);
    results.push(await removeAdmin(admin.id, removed.id, REASON));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect((await readAudit({ subject: removed.id, action: "remove-admin" })).entries).toHaveLength(
      1,
    );
    expect(await readEmailsTo(removed.email)).toHaveLength(1);
  });

  it("removes a person who has accepted but has no two-step login yet", async () => {
    const user = await makeAcceptedUser();
    const browser = await createSignedInBrowser(user);
    expect(await removeAdmin(admin.id, user.id, REASON)).toEqual({ ok: true });
    expect(await isAwaitingTwoStep(user.id)).toBe(false);
    expect((await browser.get("/api/me")).status).toBe(401);
    expect((await (await createSignedInBrowser(user)).get("/admin/two-step")).status).toBe(403);
  });

  it("lets an admin step down", async () => {
    const leaving = await makeAdminWithPassword();
    const browser = await createSignedInBrowser(leaving);
    const response = await browser.post(`/admin/admins/${leaving.id}/remove`, input);
    expect(response.headers.get("Location")).toBe("/login");
    expect(await readRoles(leaving.id)).toEqual([]);
  });

  it("refuses a missing reason, a user without the role and a former admin", async () => {
    const user = await makeUserWithPassword();
    expect(await removeAdmin(admin.id, user.id, REASON)).toMatchObject({ refusal: "not-an-admin" });
    expect(await removeAdmin(admin.id, "1", REASON)).toMatchObject({ refusal: "not-an-admin" });
    expect(await removeAdmin(user.id, admin.id, REASON)).toMatchObject({
      refusal: "not-permitted",
    });
    const browser = await createSignedInBrowser(admin);
    const path = `/admin/admins/${otherAdmin.id}/remove`;
    expect((await browser.post(path, { reason: " " })).status).toBe(422);
    expect((await browser.get(`/admin/admins/${user.id}/remove`)).status).toBe(404);
    expect(await readRoles(otherAdmin.id)).toEqual(["admin"]);
  });
});

describe("emails to the admins", () => {
  const subjectsTo = async ({ email }: Person) =>
    (await readEmailsTo(email)).map(({ subject }) => subject);

  it("report an invitation, its acceptance, a removal and an admin who steps down", async () => {
    const user = await makeAcceptedUser();
    await turnOnTwoStep(await createSignedInBrowser(user), PASSWORD);
    await removeAdmin(admin.id, user.id, REASON);
    const leaving = await makeAdminWithPassword();
    await removeAdmin(leaving.id, leaving.id, REASON);
    // The admin who made the change is emailed too.
    for (const each of [admin, otherAdmin])
      expect(await subjectsTo(each)).toEqual([
        "An admin has been invited",
        "An admin invitation was accepted",
        "An admin has been removed",
        "An admin has stepped down",
      ]);
    const sentEmails = await readEmailsTo(otherAdmin.email);
    for (const sentEmail of sentEmails) {
      expect(sentEmail).toMatchObject({ kind: "admins-changed", userId: otherAdmin.id });
      expect(sentEmail.text).toContain("/admin/admins");
      expect(sentEmail.html).toContain("/admin/admins");
    }
    expect(sentEmails[0]?.text).toContain(`${admin.name} has invited ${user.email}`);
    expect(sentEmails[2]?.text).toContain(REASON);
    expect(sentEmails[2]?.html).toContain(REASON);
    expect(await subjectsTo(leaving)).toEqual(["You're no longer a Furlong admin"]);
    expect(await subjectsTo(user)).not.toContain("An admin has been removed");
  });

  it("report a new account that accepts", async () => {
    const email = createEmailAddress();
    await acceptAdminInvitationWithNewAccount((await invite(email)).token, newAccount);
    const sentEmail = (await readEmailsTo(otherAdmin.email)).at(-1);
    expect(sentEmail?.text).toContain(`${newAccount.name} (${email}) has accepted`);
  });

  it("are not sent when a change is refused or repeated", async () => {
    const { invitationId } = await invite(createEmailAddress());
    const refused = createEmailAddress();
    await inviteAdmin((await makeUser()).id, refused);
    await resendAdminInvitation(admin.id, invitationId);
    const user = await makeUser();
    await removeAdmin(admin.id, user.id, REASON);
    expect(await subjectsTo(otherAdmin)).toEqual(["An admin has been invited"]);
  });
});

describe("a former admin", () => {
  it("remains in the filter of the audit log, marked as a former admin", async () => {
    const leaving = await makeAdminWithPassword();
    await removeAdmin(leaving.id, leaving.id, REASON);
    const page = await (await (await createSignedInBrowser(admin)).get("/admin/audit")).text();
    const option = new RegExp(`<option value="${leaving.id}"[^>]*>([^<]*)</option>`);
    expect(option.exec(page)?.[1]).toBe(`${leaving.name} (former admin)`);
    const current = new RegExp(`<option value="${admin.id}"[^>]*>([^<]*)</option>`);
    expect(current.exec(page)?.[1]).toBe(admin.name);
  });
});

describe("an admin's own account", () => {
  it("cannot be deleted before stepping down, as the page explains", async () => {
    const browser = await createSignedInBrowser(otherAdmin);
    const text = await readVisibleText(await browser.get("/profile/delete"));
    expect(text).toContain("Step down as an admin first");
    const response = await browser.post("/profile/delete", { password: PASSWORD, confirmed: "on" });
    expect(response.status).toBe(409);
    await removeAdmin(otherAdmin.id, otherAdmin.id, REASON);
    const former = await createSignedInBrowser(otherAdmin);
    expect(
      (await former.post("/profile/delete", { password: PASSWORD, confirmed: "on" })).status,
    ).toBe(200);
  });
});

describe("the last admin", () => {
  const input = { reason: REASON };

  /** Leaves only these admins, whatever other tests have created. */
  async function removeOtherAdmins(...remaining: Person[]): Promise<void> {
    const ids = remaining.map(({ id }) => id);
    await pool().query("delete from user_roles where role = 'admin' and not user_id = any ($1)", [
      ids,
    ]);
  }

  it("cannot be removed on the page until there is another admin", async () => {
    await removeOtherAdmins(admin);
    const browser = await createSignedInBrowser(admin);
    const readPage = async () => await readVisibleText(await browser.get("/admin/admins"));
    expect(await readPage()).toContain("The last admin can't be removed");
    await makeAdminWithPassword();
    const text = await readPage();
    expect(text).not.toContain("The last admin can't be removed");
    expect(text).toContain("Step down");
  });

  it("cannot step down, and is asked to invite another admin first", async () => {
    await removeOtherAdmins(admin);
    const user = await makeAcceptedUser();
    const browser = await createSignedInBrowser(admin);
    const response = await browser.post(`/admin/admins/${admin.id}/remove`, input);
    expect(response.status).toBe(409);
    expect(await readVisibleText(response)).toContain("Invite another admin first");
    expect(await readRoles(admin.id)).toEqual(["admin"]);
    // Someone who has not set up two-step login cannot take over.
    expect(await readRoles(user.id)).toEqual([]);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("remains when two admins remove each other at the same time", async () => {
    for (const _ of [1, 2, 3]) {
      const pair = [await makeAdminWithPassword(), await makeAdminWithPassword()] as const;
      await removeOtherAdmins(...pair);
      const results = await Promise.all([
        removeAdmin(pair[0].id, pair[1].id, REASON),
        removeAdmin(pair[1].id, pair[0].id, REASON),
      ]);
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect((await listAdmins()).filter((each) => !each.isAwaitingTwoStep)).toHaveLength(1);
    }
  });

  it("remains when two admins step down at the same time", async () => {
    const pair = [await makeAdminWithPassword(), await makeAdminWithPassword()] as const;
    await removeOtherAdmins(...pair);
    const results = await Promise.all(pair.map(({ id }) => removeAdmin(id, id, REASON)));
    expect(results.map((result) => (result.ok ? "ok" : result.refusal)).sort()).toEqual([
      "last-admin",
      "ok",
    ]);
  });

  it("cannot be removed by any database statement", async () => {
    await removeOtherAdmins(admin);
    for (const statement of [
      "delete from user_roles where role = 'admin'",
      "update user_roles set role = 'tipster' where role = 'admin'",
    ])
      await expect(pool().query(statement)).rejects.toMatchObject({
        constraint: "user_roles_keep_last_admin",
      });
  });
});
