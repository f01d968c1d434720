import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { findUserByEmail, readAudit } from "#identity/identity.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/cast.ts";
import { mailsTo } from "#test/mails.ts";
import { findCreator, inviteAgain, inviteAnalyst } from "./tipping.server.ts";

let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin();
});

function anInvitation() {
  const unique = randomUUID().slice(0, 8);
  return {
    name: "Naledi Khumalo",
    email: `analyst-${unique}@example.test`,
    displayName: `Sectionals ${unique}`,
  };
}

async function rolesOf(userId: string): Promise<string[]> {
  const { rows } = await pool().query("select role from user_roles where user_id = $1", [userId]);
  return rows.map((row) => row.role);
}

describe("inviting an analyst", () => {
  it("makes the account, the analyst and the role, and mails the link to a password", async () => {
    const invitation = anInvitation();
    const answer = await inviteAnalyst(admin.id, invitation);
    if (!answer.ok) throw new Error(answer.refusal);
    expect(await findCreator(answer.userId)).toMatchObject({
      kind: "analyst",
      name: invitation.displayName,
    });
    expect(await rolesOf(answer.userId)).toEqual(["analyst"]);
    const [mail] = await mailsTo(invitation.email);
    expect(mail).toMatchObject({ kind: "analyst-invited", userId: answer.userId });
    expect(mail?.text).toMatch(/\/reset-password\?token=/);
    expect((await readAudit({ act: "invite-analyst", subject: answer.userId })).entries).toEqual([
      expect.objectContaining({
        actorId: admin.id,
        details: { displayName: invitation.displayName },
      }),
    ]);
  });

  it("gives somebody who has an account the role in it, and leads them to the portal", async () => {
    const user = await makeUser();
    const invitation = { ...anInvitation(), email: user.email };
    expect(await inviteAnalyst(admin.id, invitation)).toEqual({ ok: true, userId: user.id });
    expect(await rolesOf(user.id)).toEqual(["analyst"]);
    const [mail] = await mailsTo(user.email);
    expect(mail?.text).toContain("/analyst");
    expect(mail?.text).not.toContain("token=");
  });

  it("is refused for a name that is taken, a creator, and an account that may be a stranger's", async () => {
    const tipster = await makeTipster();
    const unconfirmed = await makeUser({ verified: false });
    const invitation = anInvitation();
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
    expect(await rolesOf(unconfirmed.id)).toEqual([]);
  });

  it("twice is once", async () => {
    const invitation = anInvitation();
    const first = await inviteAnalyst(admin.id, invitation);
    expect(await inviteAnalyst(admin.id, invitation)).toEqual(first);
    expect(await mailsTo(invitation.email)).toHaveLength(1);
  });

  it("many times at once is once, and two who are to have one name are told apart", async () => {
    const invitation = anInvitation();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => inviteAnalyst(admin.id, invitation)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await mailsTo(invitation.email)).toHaveLength(1);

    const displayName = anInvitation().displayName;
    const rivals = await Promise.all(
      [anInvitation(), anInvitation()].map((rival) =>
        inviteAnalyst(admin.id, { ...rival, displayName }),
      ),
    );
    expect(rivals.filter((answer) => answer.ok)).toHaveLength(1);
    expect(rivals.find((answer) => !answer.ok)).toMatchObject({ refusal: "display-name-taken" });
  });

  it("is mailed again to whoever has not set a password yet, and to nobody else", async () => {
    const invitation = anInvitation();
    await inviteAnalyst(admin.id, invitation);
    const waiting = await findUserByEmail(invitation.email);
    if (!waiting) throw new Error("nobody was invited");
    expect(await transaction((tx) => inviteAgain(tx, waiting))).toBe(true);
    expect(await mailsTo(invitation.email)).toHaveLength(2);
    const settled = await makeTipster();
    const user = await makeUser({ verified: false });
    for (const { id, email, name } of [settled, user])
      expect(
        await transaction((tx) =>
          inviteAgain(tx, { id, email, name, emailVerified: id === settled.id }),
        ),
      ).toBe(false);
  });
});
