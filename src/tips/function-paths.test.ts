import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCreator } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";

const TODAY = "2026-11-21";

beforeEach(() => freezeClock(instantAt(TODAY, "08:00")));
afterEach(() => freezeClock(null));

async function callFunction(sendRequest: SendRequest, name: string, body: unknown) {
  const response = await sendRequest(`/.netlify/functions/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function readEmails(kind: string) {
  const { rows } = await pool().query(
    "select recipient, subject, text from emails where kind = $1 order by created_at, id",
    [kind],
  );
  return rows;
}

describe("send-tipster-application", () => {
  const createApplication = (overrides: Record<string, unknown> = {}) => ({
    email: `${randomUUID()}@example.test`,
    fullName: "Sipho Dlamini",
    displayName: `Silks ${randomUUID().slice(0, 8)}`,
    phoneNumber: "082 000 0000",
    experience: "12",
    specialization: "Sprints",
    favoriteTracks: "Scottsville",
    bio: "Twenty years at the rails.",
    ...overrides,
  });
  const readApplications = async (email: string) =>
    (await pool().query("select * from tipster_applications where email = $1", [email])).rows;

  it("accepts the field names of existing clients, saves the application and notifies the operator", async () => {
    const application = createApplication();
    expect(await callFunction(sendAsGuest, "send-tipster-application", application)).toEqual({
      status: 200,
      body: { success: true },
    });
    expect(await readApplications(application.email)).toMatchObject([
      {
        full_name: "Sipho Dlamini",
        experience_years: 12,
        favourite_tracks: "Scottsville",
        status: "applied",
      },
    ]);
    const notices = await readEmails("application-notice");
    expect(notices.at(-1)).toMatchObject({ recipient: env().mail.notificationTo });
  });

  it("ignores approval fields in the body", async () => {
    const application = createApplication({
      is_approved: true,
      isApproved: true,
      status: "approved",
    });
    await callFunction(sendAsGuest, "send-tipster-application", application);
    expect((await readApplications(application.email))[0]).toMatchObject({
      status: "applied",
      decided_at: null,
    });
  });

  it.each([
    [{ email: "" }, 422, "Email, full name and display name are required"],
    [{ fullName: "  " }, 422, "Email, full name and display name are required"],
    [{ displayName: undefined }, 422, "Email, full name and display name are required"],
    [{ experience: 51 }, 422, "Experience must be a number from 0 to 50"],
    [{ bio: "x".repeat(501) }, 422, "Bio must be at most 500 characters long"],
    [{ email: "nobody" }, 422, "Please enter a valid email address"],
  ])("refuses %j with %i: %s", async (invalidFields, status, error) => {
    expect(
      await callFunction(sendAsGuest, "send-tipster-application", createApplication(invalidFields)),
    ).toEqual({
      status,
      body: { error },
    });
  });

  it("refuses an invalid JSON body and a display name that is taken", async () => {
    expect((await callFunction(sendAsGuest, "send-tipster-application", "nonsense")).status).toBe(
      400,
    );
    const tipster = await makeTipster();
    const conflictingApplication = createApplication({ displayName: tipster.name });
    expect(
      (await callFunction(sendAsGuest, "send-tipster-application", conflictingApplication)).status,
    ).toBe(409);
  });

  it("saves one application and sends one notice when it is sent repeatedly or concurrently", async () => {
    const application = createApplication();
    const before = (await readEmails("application-notice")).length;
    const responses = await Promise.all(
      [1, 2, 3].map(() => callFunction(sendAsGuest, "send-tipster-application", application)),
    );
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    await callFunction(sendAsGuest, "send-tipster-application", application);
    expect(await readApplications(application.email)).toHaveLength(1);
    expect((await readEmails("application-notice")).length - before).toBe(1);
  });

  it("limits the number of applications from a client address", async () => {
    await pool().query("delete from rate_limits");
    for (let count = 0; count < 20; count += 1)
      await callFunction(sendAsGuest, "send-tipster-application", "nonsense");
    expect(
      (await callFunction(sendAsGuest, "send-tipster-application", createApplication())).status,
    ).toBe(429);
    await pool().query("delete from rate_limits");
  });
});

describe("the favourite tracks of an application", () => {
  it("can be a JSON array", async () => {
    const email = `${randomUUID()}@example.test`;
    const response = await callFunction(sendAsGuest, "send-tipster-application", {
      email,
      fullName: "Sipho Dlamini",
      displayName: `Silks ${randomUUID().slice(0, 8)}`,
      favoriteTracks: ["Vaal", "Kenilworth"],
    });
    expect(response.status).toBe(200);
    const { rows } = await pool().query(
      "select favourite_tracks, agreed_at from tipster_applications where email = $1",
      [email],
    );
    // No agreement is recorded, because clients of this endpoint may not show the terms.
    expect(rows).toEqual([{ favourite_tracks: "Vaal, Kenilworth", agreed_at: null }]);
  });
});

describe("update-tipster-profile", () => {
  it("changes the profile of the signed-in creator", async () => {
    const tipster = await makeTipster();
    const name = `Renamed ${randomUUID().slice(0, 8)}`;
    const response = await callFunction(await createSender(tipster), "update-tipster-profile", {
      tipsterId: tipster.id,
      name: `  ${name} `,
      specialization: "Stayers",
      bio: "Patient.",
    });
    expect(response).toMatchObject({
      status: 200,
      body: {
        success: true,
        tipster: { id: tipster.id, email: tipster.email, name, specialization: "Stayers" },
      },
    });
    expect(await findCreator(tipster.id)).toMatchObject({ name, bio: "Patient." });
  });

  it("keeps the fields that the body omits", async () => {
    const tipster = await makeTipster();
    const sendRequest = await createSender(tipster);
    const { name } = tipster;
    await callFunction(sendRequest, "update-tipster-profile", {
      name,
      specialization: "Mud",
      bio: "Patient.",
    });
    expect((await callFunction(sendRequest, "update-tipster-profile", { name })).status).toBe(200);
    expect(await findCreator(tipster.id)).toMatchObject({ specialization: "Mud", bio: "Patient." });
    await callFunction(sendRequest, "update-tipster-profile", { name, bio: "" });
    expect(await findCreator(tipster.id)).toMatchObject({ specialization: "Mud", bio: "" });
  });

  it("identifies the creator by the session, not by tipsterId", async () => {
    const tipster = await makeTipster();
    const otherTipster = await makeTipster();
    await callFunction(await createSender(tipster), "update-tipster-profile", {
      tipsterId: otherTipster.id,
      name: `Hijack ${randomUUID().slice(0, 8)}`,
      specialization: "",
      bio: "",
    });
    expect((await findCreator(otherTipster.id))?.name).toBe(otherTipster.name);
  });

  it("ignores role, approval and record in the body", async () => {
    const tipster = await makeTipster();
    await callFunction(await createSender(tipster), "update-tipster-profile", {
      name: tipster.name,
      win_rate: 100,
      total_tips: 500,
      is_active: true,
      slug: "elsewhere",
    });
    expect(await findCreator(tipster.id)).toMatchObject({
      slug: tipster.slug,
      record: { tips: 0, won: 0 },
    });
  });

  it.each([
    [{ name: "" }, 422, "Name is required"],
    [{ name: "   " }, 422, "Name is required"],
    [{}, 422, "Name is required"],
    [{ name: "Fine", bio: "x".repeat(501) }, 422, "Bio must be at most 500 characters long"],
  ])("refuses the profile %j with %i: %s", async (invalidProfile, status, error) => {
    expect(
      await callFunction(
        await createSender(await makeTipster()),
        "update-tipster-profile",
        invalidProfile,
      ),
    ).toEqual({
      status,
      body: { error },
    });
  });

  it("refuses guests, users, a name that is taken and an invalid JSON body", async () => {
    const tipster = await makeTipster();
    const otherTipster = await makeTipster();
    const profile = { name: "Somebody" };
    expect((await callFunction(sendAsGuest, "update-tipster-profile", profile)).status).toBe(401);
    const user = await createSender(await makeUser());
    expect((await callFunction(user, "update-tipster-profile", profile)).status).toBe(403);
    const sendRequest = await createSender(tipster);
    expect(
      (await callFunction(sendRequest, "update-tipster-profile", { name: otherTipster.name }))
        .status,
    ).toBe(409);
    expect((await callFunction(sendRequest, "update-tipster-profile", "nonsense")).status).toBe(
      400,
    );
    expect((await callFunction(sendRequest, "update-tipster-profile", "null")).status).toBe(422);
  });
});

describe("send-tip-notification", () => {
  const createBody = (more: Record<string, unknown> = {}) => ({
    tipData: {
      tipster_name: "Somebody Else",
      tipster_email: "else@example.test",
      venue: "Kenilworth",
      race_date: TODAY,
      total_races: 99,
      races: [{ horse_name: "Leaked Horse" }],
      submitted_at: "never",
      ...more,
    },
  });

  it("sends the operator the notice of the caller's batch with the published data", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id, raceDate: TODAY, races: [2, 4] });
    const before = (await readEmails("tip-notice")).length;
    expect(
      await callFunction(await createSender(tipster), "send-tip-notification", createBody()),
    ).toEqual({
      status: 200,
      body: { success: true },
    });
    const notices = (await readEmails("tip-notice")).slice(before);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ recipient: env().mail.notificationTo });
    expect(notices[0].subject).toContain(tipster.name);
    expect(notices[0].text).toContain("2, 4");
    expect(notices[0].text).not.toMatch(/Leaked|Secret|Somebody Else|99 races/);
  });

  it("refuses another creator's batch", async () => {
    const otherTipster = await makeTipster();
    await publishRaceCard({ creatorId: otherTipster.id, raceDate: TODAY, venue: "vaal" });
    const sendAsTipster = await createSender(await makeTipster());
    const request = createBody({ venue: "Vaal" });
    expect((await callFunction(sendAsTipster, "send-tip-notification", request)).status).toBe(404);
    expect((await callFunction(sendAsGuest, "send-tip-notification", request)).status).toBe(401);
    const user = await createSender(await makeUser());
    expect((await callFunction(user, "send-tip-notification", request)).status).toBe(403);
  });

  it("refuses any recipient other than the operator", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id, raceDate: TODAY });
    const sendRequest = await createSender(tipster);
    const before = (await readEmails("tip-notice")).length;
    const requestToStranger = { to: "victim@example.test", ...createBody() };
    expect(
      (await callFunction(sendRequest, "send-tip-notification", requestToStranger)).status,
    ).toBe(403);
    expect(await readEmails("tip-notice")).toHaveLength(before);
    const requestToOperator = { to: env().mail.notificationTo, ...createBody() };
    expect(
      (await callFunction(sendRequest, "send-tip-notification", requestToOperator)).status,
    ).toBe(200);
  });

  it("sends one notice per hour when requested repeatedly or concurrently", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id, raceDate: TODAY });
    const sendRequest = await createSender(tipster);
    const before = (await readEmails("tip-notice")).length;
    const responses = await Promise.all(
      [1, 2, 3].map(() => callFunction(sendRequest, "send-tip-notification", createBody())),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 429, 429]);
    expect(await readEmails("tip-notice")).toHaveLength(before + 1);
  });

  it("refuses a body that does not match the schema", async () => {
    const sendRequest = await createSender(await makeTipster());
    for (const body of ["nonsense", {}, { tipData: { venue: "Vaal", race_date: "soon" } }])
      expect((await callFunction(sendRequest, "send-tip-notification", body)).status).toBe(400);
  });
});
