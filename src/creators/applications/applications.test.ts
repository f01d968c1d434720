import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { findUserByEmail, readRoles } from "#accounts/accounts.server.ts";
import { pool } from "#platform/database.server.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeTipster, makeUser } from "#test/factories.ts";
import { findCreator } from "../creator.server.ts";
import { acceptInvitation } from "../invitations/accept-invitation.server.ts";
import { readInvitation } from "../invitations/invitations.server.ts";
import { applicationInput } from "./application.input.ts";
import { countOpenApplications, listApplications } from "./applications.server.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";
import { approveApplication } from "./approve-application.server.ts";
import { declineApplication } from "./decline-application.server.ts";

function applicationFields(changes: Record<string, unknown> = {}) {
  const unique = randomUUID().slice(0, 8);
  return v.parse(applicationInput, {
    email: `Applicant-${unique}@Example.test`,
    fullName: "Sipho Dlamini",
    displayName: `Paddock Eye ${unique}`,
    phoneNumber: "082 000 0000",
    experienceYears: "12",
    specialization: "Sprints",
    favouriteTracks: "Vaal",
    bio: "I watch them walk.",
    ...changes,
  });
}

async function apply(changes: Record<string, unknown> = {}) {
  const application = applicationFields(changes);
  const result = await applyAsTipster(application);
  if (!result.ok) throw new Error(result.refusal);
  const { rows } = await pool().query<{ id: string }>(
    "select id from tipster_applications where email = $1 order by created_at desc limit 1",
    [application.email],
  );
  return { ...application, id: rows[0]?.id as string };
}

describe("an application", () => {
  it("is stored as undecided and reported to the operator", async () => {
    const previousCount = await countOpenApplications();
    const application = await apply({ isApproved: true, status: "approved" });
    expect(await countOpenApplications()).toBe(previousCount + 1);
    const { applications } = await listApplications({ status: "applied", limit: 1 });
    expect(applications[0]).toMatchObject({
      id: application.id,
      email: application.email,
      status: "applied",
      experienceYears: 12,
      favouriteTracks: "Vaal",
    });
    const { rows } = await pool().query(
      "select text from emails where kind = 'application-notice' and text like '%' || $1 || '%'",
      [application.email],
    );
    expect(rows).toHaveLength(1);
    expect(await findCreator(application.displayName)).toBeNull();
  });

  it.each([
    ["email", "", "Email, full name and display name are required"],
    ["fullName", " ", "Email, full name and display name are required"],
    ["displayName", undefined, "Email, full name and display name are required"],
    ["email", "nowhere", "Please enter a valid email address"],
    ["email", "someone@closed.invalid", "Invalid email address. Please check your email."],
    ["experienceYears", "51", "Experience must be a number from 0 to 50"],
    ["bio", "x".repeat(501), "Bio must be at most 500 characters long"],
  ])("refuses %s %j", (field, value, message) => {
    const whole = { email: "a@b.co", fullName: "A B", displayName: "A B" };
    const result = v.safeParse(applicationInput, { ...whole, [field]: value });
    expect(result.issues?.[0]?.message).toBe(message);
  });

  it("refuses a display name that is taken", async () => {
    const tipster = await makeTipster();
    expect(
      await applyAsTipster(applicationFields({ displayName: tipster.name.toUpperCase() })),
    ).toEqual({ ok: false, refusal: "display-name-taken" });
  });

  it("is stored once when sent again before the decision", async () => {
    const application = await apply();
    expect(
      await Promise.all(
        Array.from({ length: 5 }, () =>
          applyAsTipster(applicationFields({ email: application.email })),
        ),
      ),
    ).toEqual(Array.from({ length: 5 }, () => ({ ok: true })));
    const { rows } = await pool().query("select 1 from tipster_applications where email = $1", [
      application.email,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each(["newest", "oldest"] as const)("is listed page by page, %s first", async (order) => {
    await pool().query("delete from tipster_applications");
    const ids = [(await apply()).id, (await apply()).id, (await apply()).id];
    if (order === "newest") ids.reverse();
    const firstPage = await listApplications({ status: "applied", order, limit: 2 });
    const secondPage = await listApplications({
      status: "applied",
      order,
      limit: 1,
      cursor: firstPage.next,
    });
    expect([...firstPage.applications, ...secondPage.applications].map((each) => each.id)).toEqual(
      ids,
    );
  });
});

describe("approving an application", () => {
  it("creates the tipster for a new address and emails a link to set the password", async () => {
    const admin = await makeAdmin();
    const application = await apply();
    expect(await approveApplication(admin.id, application.id)).toEqual({ ok: true });
    const user = await findUserByEmail(application.email);
    if (!user) throw new Error("no user was made");
    expect(user.emailVerified).toBe(false);
    expect(await readRoles(user.id)).toEqual(["tipster"]);
    expect(await findCreator(user.id)).toMatchObject({
      name: application.displayName,
      bio: application.bio,
    });
    const [sentEmail, ...more] = await readEmailsTo(application.email);
    expect(more).toEqual([]);
    expect(sentEmail).toMatchObject({ kind: "tipster-approved" });
    expect(sentEmail?.text).toMatch(/set/i);
    const { rows: links } = await pool().query(
      "select purpose from email_links where user_id = $1 and used_at is null",
      [user.id],
    );
    expect(links).toEqual([{ purpose: "set-password" }]);
  });

  it("records the applicant's agreement to the terms without overwriting an earlier one", async () => {
    const admin = await makeAdmin();
    const agreedAt = new Date("2026-11-02T08:00:00Z");
    const readAgreement = async (email: string) =>
      (await pool().query("select agreed_at from users where email = $1", [email])).rows[0]
        ?.agreed_at;
    const newApplicant = applicationFields();
    const existingUser = await makeUser();
    const previousAgreement = await readAgreement(existingUser.email);
    const userWithoutAgreement = await makeUser();
    await pool().query("update users set agreed_at = null where id = $1", [
      userWithoutAgreement.id,
    ]);
    for (const application of [
      newApplicant,
      applicationFields({ email: existingUser.email }),
      applicationFields({ email: userWithoutAgreement.email }),
    ]) {
      await applyAsTipster(application, { agreedAt });
      const { rows } = await pool().query(
        "select id, agreed_at from tipster_applications where email = $1",
        [application.email],
      );
      expect(rows[0]?.agreed_at).toEqual(agreedAt);
      await approveApplication(admin.id, rows[0]?.id);
    }
    expect(await readAgreement(newApplicant.email)).toEqual(agreedAt);
    expect(await readAgreement(existingUser.email)).toEqual(previousAgreement);
    expect(previousAgreement).not.toBeNull();
    expect(await readAgreement(userWithoutAgreement.email)).toEqual(agreedAt);
  });

  it("records agreement on acceptance if the application has none", async () => {
    const admin = await makeAdmin();
    const user = await makeUser();
    await pool().query("update users set agreed_at = null where id = $1", [user.id]);
    const application = await apply({ email: user.email });
    await approveApplication(admin.id, application.id);
    const agreed = async () =>
      (await pool().query("select agreed_at from users where id = $1", [user.id])).rows[0]
        ?.agreed_at;
    expect(await agreed()).toBeNull();
    await acceptInvitation(user.id);
    expect(await agreed()).toBeInstanceOf(Date);
  });

  it("waits for the owner of an existing account to accept the role", async () => {
    const admin = await makeAdmin();
    const user = await makeUser();
    const application = await apply({ email: user.email });
    await approveApplication(admin.id, application.id);
    expect(await readRoles(user.id)).toEqual([]);
    expect(await findCreator(user.id)).toBeNull();
    expect(await readInvitation(user.id)).toEqual({
      kind: "tipster",
      displayName: application.displayName,
    });
    expect((await readEmailsTo(user.email))[0]?.text).toContain("/tipster-invitation");

    const accepted = await acceptInvitation(user.id);
    expect(accepted.ok).toBe(true);
    expect(await readRoles(user.id)).toEqual(["tipster"]);
    expect(await readInvitation(user.id)).toBeNull();
    expect(await acceptInvitation(user.id)).toEqual(accepted);
  });

  it("refuses a taken display name and accepts another", async () => {
    const admin = await makeAdmin();
    const application = await apply();
    await makeTipster({ name: application.displayName });
    expect(await approveApplication(admin.id, application.id)).toEqual({
      ok: false,
      refusal: "display-name-taken",
    });
    expect(await findUserByEmail(application.email)).toBeNull();
    const displayName = `${application.displayName} II`;
    expect(await approveApplication(admin.id, application.id, { displayName })).toEqual({
      ok: true,
    });
    const user = await findUserByEmail(application.email);
    expect(await findCreator(user?.id ?? "")).toMatchObject({ name: displayName });
  });

  it("refuses an existing creator, a declined application and an unknown id", async () => {
    const admin = await makeAdmin();
    const tipster = await makeTipster();
    const application = await apply({ email: tipster.email });
    expect(await approveApplication(admin.id, application.id)).toEqual({
      ok: false,
      refusal: "already-a-creator",
    });
    const declined = await apply();
    await declineApplication(admin.id, declined.id, "");
    expect(await approveApplication(admin.id, declined.id)).toEqual({
      ok: false,
      refusal: "already-declined",
    });
    for (const id of ["not an id", "00000000-0000-4000-8000-000000000000"])
      expect(await approveApplication(admin.id, id)).toEqual({
        ok: false,
        refusal: "no-such-application",
      });
  });

  it("creates one tipster and sends one email when five requests arrive together", async () => {
    const admin = await makeAdmin();
    const application = await apply();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => approveApplication(admin.id, application.id)),
    );
    expect(results).toEqual(Array.from({ length: 5 }, () => ({ ok: true })));
    expect(await readEmailsTo(application.email)).toHaveLength(1);
  });
});

describe("declining an application", () => {
  it("emails the reason and allows the address to apply again", async () => {
    const admin = await makeAdmin();
    const application = await apply();
    const reason = "Your record is short yet.";
    expect(await declineApplication(admin.id, application.id, reason)).toEqual({ ok: true });
    expect(await declineApplication(admin.id, application.id, reason)).toEqual({ ok: true });
    const sentEmails = await readEmailsTo(application.email);
    expect(sentEmails).toHaveLength(1);
    expect(sentEmails[0]?.text).toContain(reason);
    const secondApplication = await apply({ email: application.email });
    expect(secondApplication.id).not.toBe(application.id);
  });

  it("refuses an approved application and an unknown id", async () => {
    const admin = await makeAdmin();
    const application = await apply();
    await approveApplication(admin.id, application.id);
    expect(await declineApplication(admin.id, application.id, "")).toEqual({
      ok: false,
      refusal: "already-approved",
    });
    expect(await declineApplication(admin.id, "not an id", "")).toEqual({
      ok: false,
      refusal: "no-such-application",
    });
  });
});

describe("accepting the role", () => {
  it("refuses users who were not approved", async () => {
    const user = await makeUser();
    await apply({ email: user.email });
    expect(await acceptInvitation(user.id)).toEqual({ ok: false, refusal: "not-invited" });
    expect(await acceptInvitation((await makeUser()).id)).toEqual({
      ok: false,
      refusal: "not-invited",
    });
    expect(await readRoles(user.id)).toEqual([]);
  });

  it("creates one creator when five requests arrive together", async () => {
    const admin = await makeAdmin();
    const user = await makeUser();
    const application = await apply({ email: user.email });
    await approveApplication(admin.id, application.id);
    const results = await Promise.all(Array.from({ length: 5 }, () => acceptInvitation(user.id)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]?.ok).toBe(true);
  });

  it("asks for another display name if it has been taken", async () => {
    const admin = await makeAdmin();
    const user = await makeUser();
    const application = await apply({ email: user.email });
    await approveApplication(admin.id, application.id);
    await makeTipster({ name: application.displayName });
    expect(await acceptInvitation(user.id)).toEqual({ ok: false, refusal: "display-name-taken" });
    expect(await readRoles(user.id)).toEqual([]);
    const displayName = `${application.displayName} Too`;
    expect(await acceptInvitation(user.id, { displayName })).toMatchObject({ ok: true });
  });
});
