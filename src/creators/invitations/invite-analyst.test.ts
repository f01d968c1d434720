import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { findUserByEmail, readRoles } from "#accounts/accounts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { listApplications } from "../applications/applications.server.ts";
import { applyAsTipster } from "../applications/apply-as-tipster.server.ts";
import { approveApplication } from "../applications/approve-application.server.ts";
import { findCreator } from "../creator.server.ts";
import { suspendCreator } from "../suspension.server.ts";
import { acceptInvitation } from "./accept-invitation.server.ts";
import { cancelInvitation } from "./cancel-invitation.server.ts";
import { listInvitations, readInvitation } from "./invitations.server.ts";
import { inviteAnalyst, resendInvitation } from "./invite-analyst.server.ts";

let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin();
});

function invitationFields() {
  const unique = randomUUID().slice(0, 8);
  return {
    name: "Naledi Khumalo",
    email: `analyst-${unique}@example.test`,
    displayName: `Sectionals ${unique}`,
  };
}

/** A user with an account and a pending invitation. */
async function createInvitedUser() {
  const user = await makeUser();
  const invitation = { ...invitationFields(), email: user.email };
  await inviteAnalyst(admin.id, invitation);
  return { user, invitation };
}

/** Approves an application of an address. */
async function approve(email: string) {
  await applyAsTipster({
    ...{ phoneNumber: "", experienceYears: null, specialization: "", favouriteTracks: "" },
    ...{ email, fullName: "Thabo Nel", bio: "", displayName: invitationFields().displayName },
  });
  const { applications } = await listApplications({ search: email });
  expect(await approveApplication(admin.id, applications[0]?.id ?? "")).toEqual({ ok: true });
}

describe("inviting an analyst", () => {
  it("creates the account, analyst and role, and emails a link to set the password", async () => {
    const invitation = invitationFields();
    const result = await inviteAnalyst(admin.id, invitation);
    if (!result.ok) throw new Error(result.refusal);
    expect(await findCreator(result.userId)).toMatchObject({
      kind: "analyst",
      name: invitation.displayName,
    });
    expect(await readRoles(result.userId)).toEqual(["analyst"]);
    const [sentEmail] = await readEmailsTo(invitation.email);
    expect(sentEmail).toMatchObject({ kind: "analyst-invited", userId: result.userId });
    expect(sentEmail?.text).toMatch(/\/reset-password\?token=/);
    expect((await readAudit({ action: "invite-analyst", subject: result.userId })).entries).toEqual(
      [
        expect.objectContaining({
          actorId: admin.id,
          details: { displayName: invitation.displayName },
        }),
      ],
    );
  });

  it("invites a user with an account, who gets the role on acceptance", async () => {
    const user = await makeUser();
    const invitation = { ...invitationFields(), email: user.email };
    expect(await inviteAnalyst(admin.id, invitation)).toEqual({
      ok: true,
      userId: user.id,
      isPending: true,
    });
    expect(await readRoles(user.id)).toEqual([]);
    expect(await findCreator(user.id)).toBeNull();
    expect(await readInvitation(user.id)).toEqual({
      kind: "analyst",
      displayName: invitation.displayName,
    });
    expect((await listInvitations())[0]).toMatchObject({
      userId: user.id,
      email: user.email,
      displayName: invitation.displayName,
    });
    const [sentEmail] = await readEmailsTo(user.email);
    expect(sentEmail?.text).toContain("/tipster-invitation");
    expect(sentEmail?.text).not.toContain("token=");
  });

  it("replaces the display name, and can invite again after cancellation", async () => {
    const { user, invitation } = await createInvitedUser();
    await inviteAnalyst(admin.id, invitation);
    expect(await readEmailsTo(user.email)).toHaveLength(1);
    const { displayName } = invitationFields();
    await inviteAnalyst(admin.id, { ...invitation, displayName });
    expect(await readInvitation(user.id)).toMatchObject({ displayName });
    await cancelInvitation(admin.id, user.id);
    await inviteAnalyst(admin.id, { ...invitation, displayName });
    expect(await readInvitation(user.id)).toMatchObject({ displayName });
    expect(await readEmailsTo(user.email)).toHaveLength(3);
  });

  it("refuses a taken name, an existing creator and an unconfirmed account", async () => {
    const tipster = await makeTipster();
    const unconfirmed = await makeUser({ verified: false });
    const invitation = invitationFields();
    expect(await inviteAnalyst(admin.id, { ...invitation, displayName: tipster.name })).toEqual({
      ok: false,
      refusal: "display-name-taken",
    });
    expect(await findUserByEmail(invitation.email)).toBeNull();
    expect(await inviteAnalyst(admin.id, { ...invitation, email: tipster.email })).toEqual({
      ok: false,
      refusal: "already-a-creator",
    });
    expect(await inviteAnalyst(admin.id, { ...invitation, email: unconfirmed.email })).toEqual({
      ok: false,
      refusal: "not-confirmed",
    });
    expect(await readRoles(unconfirmed.id)).toEqual([]);
  });

  it("is idempotent", async () => {
    const invitation = invitationFields();
    const firstResult = await inviteAnalyst(admin.id, invitation);
    expect(await inviteAnalyst(admin.id, invitation)).toEqual(firstResult);
    expect(await readEmailsTo(invitation.email)).toHaveLength(1);
  });

  it("invites once when many requests arrive together, and gives a contested display name to one", async () => {
    const invitation = invitationFields();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => inviteAnalyst(admin.id, invitation)),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await readEmailsTo(invitation.email)).toHaveLength(1);

    const displayName = invitationFields().displayName;
    const conflictingResults = await Promise.all(
      [invitationFields(), invitationFields()].map((fields) =>
        inviteAnalyst(admin.id, { ...fields, displayName }),
      ),
    );
    expect(conflictingResults.filter((result) => result.ok)).toHaveLength(1);
    expect(conflictingResults.find((result) => !result.ok)).toMatchObject({
      refusal: "display-name-taken",
    });
  });

  it("is resent only to users who have not accepted or set a password, in the words of the role", async () => {
    const resend = async (email: string) => {
      const user = await findUserByEmail(email);
      if (!user) throw new Error("there is no such user");
      return await transaction((tx) => resendInvitation(tx, user));
    };
    const newAnalyst = invitationFields().email;
    await inviteAnalyst(admin.id, { ...invitationFields(), email: newAnalyst });
    const invited = (await createInvitedUser()).user.email;
    const newTipster = invitationFields().email;
    await approve(newTipster);
    const approved = (await makeUser()).email;
    await approve(approved);
    for (const email of [newAnalyst, invited, newTipster, approved]) {
      expect(await resend(email)).toBe(true);
      const [first, second, ...more] = await readEmailsTo(email);
      expect(more).toEqual([]);
      expect(second).toMatchObject({ kind: first?.kind, subject: first?.subject });
    }
    for (const { email } of [await makeTipster(), await makeUser({ verified: false })])
      expect(await resend(email)).toBe(false);
  });
});

describe("accepting the analyst role", () => {
  const readAgreement = async (userId: string) =>
    (await pool().query("select agreed_at from users where id = $1", [userId])).rows[0]?.agreed_at;

  it("creates the analyst and records agreement to the terms", async () => {
    const { user, invitation } = await createInvitedUser();
    await pool().query("update users set agreed_at = null where id = $1", [user.id]);
    const accepted = await acceptInvitation(user.id);
    expect(accepted.ok).toBe(true);
    expect(await findCreator(user.id)).toMatchObject({
      kind: "analyst",
      name: invitation.displayName,
    });
    expect(await readRoles(user.id)).toEqual(["analyst"]);
    expect(await readAgreement(user.id)).toBeInstanceOf(Date);
    expect(await readInvitation(user.id)).toBeNull();
    expect((await listInvitations()).map((each) => each.userId)).not.toContain(user.id);
    expect((await readAudit({ action: "grant-role", subject: user.id })).entries).toEqual([
      expect.objectContaining({ actorId: admin.id, details: { role: "analyst" } }),
    ]);
    expect(await acceptInvitation(user.id)).toEqual(accepted);
    expect(await readRoles(user.id)).toEqual(["analyst"]);
  });

  it("does not overwrite an earlier agreement", async () => {
    const { user } = await createInvitedUser();
    const previousAgreement = await readAgreement(user.id);
    await acceptInvitation(user.id);
    expect(await readAgreement(user.id)).toEqual(previousAgreement);
    expect(previousAgreement).toBeInstanceOf(Date);
  });

  it("refuses uninvited users, cancelled invitations and suspended creators", async () => {
    const notInvited = { ok: false, refusal: "not-invited" };
    expect(await acceptInvitation((await makeUser()).id)).toEqual(notInvited);
    const { user } = await createInvitedUser();
    await cancelInvitation(admin.id, user.id);
    expect(await acceptInvitation(user.id)).toEqual(notInvited);
    expect(await readRoles(user.id)).toEqual([]);
    const { user: suspended } = await createInvitedUser();
    await acceptInvitation(suspended.id);
    await suspendCreator(admin.id, suspended.id);
    expect(await acceptInvitation(suspended.id)).toEqual(notInvited);
    expect(await readRoles(suspended.id)).toEqual([]);
  });

  it("asks for another display name if it has been taken", async () => {
    const { user, invitation } = await createInvitedUser();
    await makeTipster({ name: invitation.displayName });
    expect(await acceptInvitation(user.id)).toEqual({ ok: false, refusal: "display-name-taken" });
    expect(
      await acceptInvitation(user.id, { displayName: invitationFields().displayName }),
    ).toMatchObject({ ok: true });
  });

  it("takes precedence over an approved application", async () => {
    const { user, invitation } = await createInvitedUser();
    await approve(user.email);
    await acceptInvitation(user.id);
    expect(await findCreator(user.id)).toMatchObject({
      kind: "analyst",
      name: invitation.displayName,
    });
  });

  it("creates one analyst or none when acceptance and cancellation arrive together", async () => {
    const { user } = await createInvitedUser();
    const [cancelled, ...results] = await Promise.all([
      cancelInvitation(admin.id, user.id),
      ...Array.from({ length: 5 }, () => acceptInvitation(user.id)),
    ]);
    expect(new Set(results.slice(-1).map((result) => result.ok))).toEqual(new Set([!cancelled.ok]));
    expect(await readRoles(user.id)).toEqual(cancelled.ok ? [] : ["analyst"]);
    const { user: other } = await createInvitedUser();
    const accepted = await Promise.all(Array.from({ length: 5 }, () => acceptInvitation(other.id)));
    expect(new Set(accepted.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(accepted[0]?.ok).toBe(true);
  });
});

describe("cancelling an invitation", () => {
  it("is audited once when several requests arrive together", async () => {
    const { user } = await createInvitedUser();
    expect(
      await Promise.all(Array.from({ length: 4 }, () => cancelInvitation(admin.id, user.id))),
    ).toEqual(Array.from({ length: 4 }, () => ({ ok: true })));
    expect(
      (await readAudit({ action: "withdraw-invitation", subject: user.id })).entries,
    ).toHaveLength(1);
    expect(await readInvitation(user.id)).toBeNull();
  });

  it("refuses an accepted invitation and an unknown user", async () => {
    const { user } = await createInvitedUser();
    await acceptInvitation(user.id);
    expect(await cancelInvitation(admin.id, user.id)).toEqual({
      ok: false,
      refusal: "accepted",
    });
    for (const id of ["not an id", randomUUID()])
      expect(await cancelInvitation(admin.id, id)).toEqual({
        ok: false,
        refusal: "no-such-invitation",
      });
  });
});
