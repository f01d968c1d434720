import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantRole, hashPassword } from "#accounts/accounts.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { listApplications } from "../applications/applications.server.ts";
import { applyAsTipster } from "../applications/apply-as-tipster.server.ts";
import { approveApplication } from "../applications/approve-application.server.ts";
import { createCreator } from "../create-creator.server.ts";
import { findCreator } from "../creator.server.ts";
import { inviteAnalyst } from "../invitations/invite-analyst.server.ts";
import { suspendCreator } from "../suspension.server.ts";

const PASSWORD = "a good long password";
const LOGIN_PAGES = ["/tipster-auth", "/tipster", "/analyst-login"];

let passwordHash: string;
beforeAll(async () => {
  passwordHash = (await hashPassword(PASSWORD)) ?? "";
});
beforeEach(async () => {
  await pool().query("delete from rate_limits");
});

async function makeCreatorWithPassword(kind: "tipster" | "analyst" = "tipster"): Promise<Person> {
  const user = await makeUser({ passwordHash });
  await transaction(async (tx) => {
    await grantRole(tx, { userId: user.id, role: kind, actorId: null });
    const displayName = `Creator ${randomUUID().slice(0, 8)}`;
    await createCreator(tx, { userId: user.id, kind, displayName, approvedBy: null });
  });
  return user;
}

describe("the tipster login page", () => {
  it.each(LOGIN_PAGES)(
    "is served at %s with login, application form, terms and home link",
    async (path) => {
      const login = await readVisibleText(await sendAsGuest(path));
      for (const text of ["Tipster Login", "Become a Tipster", "Back to Home", "Email", "Password"])
        expect(login).toContain(text);
      const html = await (await sendAsGuest(`${path}?mode=apply`)).text();
      for (const name of [
        "email",
        "fullName",
        "displayName",
        "phoneNumber",
        "experienceYears",
        "specialization",
        "favouriteTracks",
        "bio",
      ])
        expect(html).toContain(`name="${name}"`);
      expect(html).toContain('href="/terms"');
    },
  );

  it.each(
    LOGIN_PAGES.flatMap((path) => [
      { kind: "tipster" as const, path },
      { kind: "analyst" as const, path },
    ]),
  )("signs a $kind in to the dashboard at $path", async ({ kind, path }) => {
    const { email } = await makeCreatorWithPassword(kind);
    const browser = new Browser();
    const response = await browser.post(path, { email: email.toUpperCase(), password: PASSWORD });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/tipster-dashboard?welcome");
    expect((await browser.get("/tipster-dashboard")).status).toBe(200);
    expect((await browser.get(path)).headers.get("location")).toBe("/tipster-dashboard");
  });

  it("links to the analyst portal", async () => {
    expect(await (await sendAsGuest("/tipster-auth")).text()).toContain('href="/analyst"');
    expect(await readVisibleText(await sendAsGuest("/tipster-auth"))).toContain(
      "Analyst? Go to the analyst portal",
    );
  });

  it("tells a signed-in user without the role that the account is not a tipster account", async () => {
    const user = await makeUser();
    const send = await createSender(user);
    expect((await send("/tipster-dashboard")).headers.get("location")).toBe("/tipster-auth");
    expect(await readVisibleText(await send("/tipster-auth"))).toContain(
      `You're logged in as ${user.email}, which isn't a tipster account.`,
    );
  });

  it("reports a wrong password", async () => {
    const { email } = await makeCreatorWithPassword();
    const response = await new Browser().post("/tipster-auth", { email, password: "wrong one" });
    expect(response.status).toBe(401);
    expect(await readVisibleText(response)).toContain("Authentication Failed Invalid credentials");
  });

  it("shows one message, at the first missing field, when several are missing", async () => {
    const html = await (
      await new Browser().post("/tipster-auth", { email: "", password: "" })
    ).text();
    expect(html.match(/>Email and password are required</g)).toHaveLength(1);
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it("responds the same to users without the role and unknown addresses", async () => {
    const user = await makeUser({ passwordHash });
    for (const email of [user.email, "nobody@example.test"]) {
      const response = await new Browser().post("/tipster-auth", { email, password: PASSWORD });
      expect(response.status).toBe(401);
      expect(await readVisibleText(response)).toContain(
        "Invalid credentials or account not approved",
      );
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it("admits suspended creators to the dashboard but not to the analyst portal", async () => {
    const admin = await makeAdmin();
    const analyst = new Browser();
    const { email: analystEmail } = await makeCreatorWithPassword("analyst");
    await analyst.post("/analyst", { email: analystEmail, accessCode: PASSWORD });
    expect((await analyst.get("/admin/add-tip")).status).toBe(200);
    for (const [kind, status, location] of [
      ["tipster", 403, null],
      ["analyst", 302, "/tipster-dashboard/add"],
    ] as const) {
      const suspended = await makeCreatorWithPassword(kind);
      await suspendCreator(admin.id, suspended.id);
      const browser = new Browser();
      const { email } = suspended;
      const portal = await browser.post("/analyst", { email, accessCode: PASSWORD });
      expect(portal.status).toBe(401);
      const response = await browser.post("/tipster-auth", { email, password: PASSWORD });
      expect(response.headers.get("location")).toBe("/tipster-dashboard?welcome");
      expect(await readVisibleText(await browser.get("/tipster-dashboard"))).toContain(
        "Your account is suspended",
      );
      // Refused because of the suspension or the role, not because of a missing session.
      const portalPage = await browser.get("/admin/add-tip");
      expect([portalPage.status, portalPage.headers.get("location")]).toEqual([status, location]);
    }
  });

  it.each([
    [{ email: "", password: PASSWORD }, "Email and password are required"],
    [{ email: "somebody@example.test", password: "" }, "Email and password are required"],
    [{}, "Email and password are required"],
    [
      { email: "somebody@example.test", password: "short" },
      "Password must be at least 6 characters long",
    ],
  ])("requires both fields: %j", async (fields, message) => {
    const response = await new Browser().post("/tipster-auth", fields as Record<string, string>);
    expect(response.status).toBe(422);
    expect(await readVisibleText(response)).toContain(message);
  });

  it("rate-limits an account after five wrong passwords", async () => {
    const { email } = await makeCreatorWithPassword();
    const browser = new Browser();
    for (let tries = 0; tries < 5; tries += 1)
      await browser.post("/tipster-auth", { email, password: "wrong one" });
    const response = await browser.post("/tipster-auth", { email, password: PASSWORD });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("an application", () => {
  const application = (more: Record<string, string> = {}) => ({
    email: `${randomUUID()}@example.test`,
    fullName: "Sipho Dlamini",
    displayName: `Silks ${randomUUID().slice(0, 8)}`,
    phoneNumber: "082 000 0000",
    experienceYears: "12",
    specialization: "Sprints",
    favouriteTracks: "Scottsville",
    bio: "Twenty years at the rails.",
    ...more,
  });
  const apply = (fields: Record<string, string>) =>
    new Browser().post("/tipster-auth?mode=apply", fields);

  it("is stored with all fields, and clears the form", async () => {
    const fields = application();
    const response = await apply(fields);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(await readVisibleText(new Response(html))).toContain(
      "Application Submitted! Your tipster application has been submitted for review. You'll be notified once approved.",
    );
    expect(html).not.toContain(fields.email);
    const { applications } = await listApplications({ limit: 1 });
    const { rows } = await pool().query(
      "select agreed_at from tipster_applications where email = $1",
      [fields.email],
    );
    expect(rows[0]?.agreed_at).toBeInstanceOf(Date);
    expect(applications[0]).toMatchObject({
      email: fields.email,
      displayName: fields.displayName,
      experienceYears: 12,
      favouriteTracks: "Scottsville",
      status: "applied",
    });
  });

  it("is stored once per email address, and shows its status to the applicant only", async () => {
    const user = await makeUser();
    const sendAsOwner = await createSender(user);
    const form = await (await sendAsOwner("/tipster-auth?mode=apply")).text();
    expect(form).toContain(`value="${user.email}"`);
    expect(form).toContain(`value="${user.name}"`);
    const submit = (send: SendRequest, fields: Record<string, string>) =>
      send("/tipster-auth?mode=apply", { method: "POST", body: new URLSearchParams(fields) });
    const firstText = await readVisibleText(
      await submit(sendAsOwner, application({ email: user.email })),
    );
    expect(firstText).toContain("Application Submitted!");

    const page = await (await sendAsOwner("/tipster-auth?mode=apply")).text();
    expect(page).toContain("We received your application on");
    expect(page).not.toContain('name="displayName"');
    const secondResponse = await submit(
      sendAsOwner,
      application({ email: user.email.toUpperCase() }),
    );
    expect(secondResponse.status).toBe(409);
    expect(await readVisibleText(secondResponse)).toContain("We received your application on");
    for (const sendAsOther of [sendAsGuest, await createSender(await makeUser())]) {
      const response = await submit(sendAsOther, application({ email: user.email }));
      expect(response.status).toBe(200);
      expect(await readVisibleText(response)).toContain("Application Submitted!");
    }
    const { rows } = await pool().query("select 1 from tipster_applications where email = $1", [
      user.email,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      { email: "nowhere", fullName: "" },
      "Validation Error Email, full name and display name are required",
    ],
    [{ email: "" }, "Validation Error Email, full name and display name are required"],
    [{ fullName: " " }, "Validation Error Email, full name and display name are required"],
    [{ displayName: "" }, "Validation Error Email, full name and display name are required"],
    [{ experienceYears: "51" }, "Experience must be a number from 0 to 50"],
    [{ experienceYears: "-1" }, "Experience must be a number from 0 to 50"],
    [{ bio: "x".repeat(501) }, "Bio must be at most 500 characters long"],
  ])("is refused with %j", async (wrong, message) => {
    const fields = application(wrong);
    const response = await apply(fields);
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(await readVisibleText(new Response(html))).toContain(message);
    // The form values are preserved.
    expect(html).toContain("082 000 0000");
  });

  it("reports a taken display name", async () => {
    const { name } = await makeTipster();
    const response = await apply(application({ displayName: name.toUpperCase() }));
    expect(response.status).toBe(409);
    expect(await readVisibleText(response)).toContain("That display name is taken");
  });

  it("shows a character count", async () => {
    expect(await readVisibleText(await sendAsGuest("/tipster-auth?mode=apply"))).toContain(
      "0 / 500",
    );
  });
});

describe("accepting the role", () => {
  async function approveNewApplicant() {
    const admin = await makeAdmin();
    const user = await makeUser({ passwordHash });
    const displayName = `Silks ${randomUUID().slice(0, 8)}`;
    await applyAsTipster({
      email: user.email,
      fullName: user.name,
      displayName,
      phoneNumber: "",
      experienceYears: null,
      specialization: "",
      favouriteTracks: "",
      bio: "",
    });
    const { applications } = await listApplications({ limit: 1 });
    await approveApplication(admin.id, applications[0]?.id ?? "");
    return { user, displayName };
  }
  const createPostInit = (displayName: string) => ({
    method: "POST",
    body: new URLSearchParams({ displayName }),
  });

  it("is offered to a user with an account and opens the dashboard", async () => {
    const { user, displayName } = await approveNewApplicant();
    const send = await createSender(user);
    expect(await readVisibleText(await send("/tipster-auth"))).toContain(
      "Your application was approved",
    );
    for (const page of ["", "/add", "/earnings"]) {
      const response = await send(`/tipster-dashboard${page}`);
      expect(response.headers.get("location")).toBe("/tipster-invitation");
    }
    expect(await readVisibleText(await send("/tipster-invitation"))).toContain("You are approved");
    const response = await send("/tipster-invitation", createPostInit(displayName));
    expect(response.headers.get("location")).toBe("/tipster-dashboard?welcome=new");
    expect(await findCreator(user.id)).toMatchObject({ name: displayName, kind: "tipster" });
    expect((await send("/tipster-dashboard")).status).toBe(200);
  });

  it("opens after a tipster login only if the password is correct", async () => {
    const { user } = await approveNewApplicant();
    const browser = new Browser();
    const rejectedLogin = await browser.post("/tipster-auth", {
      email: user.email,
      password: "wrong one",
    });
    expect(rejectedLogin.status).toBe(401);
    expect(rejectedLogin.headers.getSetCookie()).toEqual([]);
    const acceptedLogin = await browser.post("/tipster-auth", {
      email: user.email,
      password: PASSWORD,
    });
    expect(acceptedLogin.headers.get("location")).toBe("/tipster-invitation");
    expect(await readVisibleText(await browser.get("/tipster-invitation"))).toContain(
      "You are approved",
    );
  });

  it("reports a taken display name and accepts another", async () => {
    const { user } = await approveNewApplicant();
    const { name } = await makeTipster();
    const send = await createSender(user);
    const takenNameResponse = await send("/tipster-invitation", createPostInit(name));
    expect(takenNameResponse.status).toBe(409);
    expect(await readVisibleText(takenNameResponse)).toContain("That display name is taken");
    const otherName = `Silks ${randomUUID().slice(0, 8)}`;
    expect((await send("/tipster-invitation", createPostInit(otherName))).status).toBe(302);
  });

  it("refuses users who were not approved", async () => {
    const user = await makeUser();
    const send = await createSender(user);
    expect(await readVisibleText(await send("/tipster-invitation"))).toContain(
      "No open invitation",
    );
    expect((await send("/tipster-invitation", createPostInit("Gatecrasher"))).status).toBe(403);
    expect(await findCreator(user.id)).toBeNull();
    const guest = await sendAsGuest("/tipster-invitation", createPostInit("Gatecrasher"));
    expect(guest.headers.get("location")).toMatch(/^\/login\?return=/);
  });

  it("creates one tipster when requests arrive together", async () => {
    const { user, displayName } = await approveNewApplicant();
    const send = await createSender(user);
    const responses = await Promise.all(
      [1, 2, 3].map(() => send("/tipster-invitation", createPostInit(displayName))),
    );
    expect(responses.map((response) => response.status)).toEqual([302, 302, 302]);
    expect((await findCreator(user.id))?.name).toBe(displayName);
  });
});

describe("accepting the analyst role", () => {
  async function inviteNewAnalyst() {
    const user = await makeUser({ passwordHash });
    const displayName = `Silks ${randomUUID().slice(0, 8)}`;
    await inviteAnalyst((await makeAdmin()).id, {
      name: user.name,
      email: user.email,
      displayName,
    });
    return { user, displayName };
  }

  it("opens after either login form, shows the terms and leads to the tip form", async () => {
    const { user, displayName } = await inviteNewAnalyst();
    const loginPages = { "/analyst": "accessCode", "/tipster-auth": "password" };
    for (const [loginPage, field] of Object.entries(loginPages)) {
      const browser = new Browser();
      const rejectedLogin = await browser.post(loginPage, {
        email: user.email,
        [field]: "wrong one",
      });
      expect(rejectedLogin.status).toBe(401);
      const acceptedLogin = await browser.post(loginPage, { email: user.email, [field]: PASSWORD });
      expect(acceptedLogin.headers.get("location")).toBe("/tipster-invitation");
    }
    const send = await createSender(user);
    for (const page of ["/analyst", "/admin/add-tip", "/tipster-dashboard"])
      expect((await send(page)).headers.get("location")).toBe("/tipster-invitation");
    expect(await readVisibleText(await send("/tipster-auth"))).toContain(
      "You're invited to be an analyst",
    );
    const text = await readVisibleText(await send("/tipster-invitation"));
    expect(text).toContain("Accept the analyst role");
    expect(text).toContain("By accepting you confirm that you are 18 or older and agree to the");
    const response = await send("/tipster-invitation", {
      method: "POST",
      body: new URLSearchParams({ displayName }),
    });
    expect(response.headers.get("location")).toBe("/tipster-dashboard?welcome=new");
    expect(await findCreator(user.id)).toMatchObject({ name: displayName, kind: "analyst" });
    expect((await send("/admin/add-tip")).status).toBe(200);
  });

  it("refuses publishing before acceptance", async () => {
    const { user } = await inviteNewAnalyst();
    const response = await (await createSender(user))("/admin/add-tip", {
      method: "POST",
      body: new URLSearchParams({ venue: "kenilworth" }),
    });
    expect(response.headers.get("location")).toBe("/tipster-invitation");
    const { rows } = await pool().query("select 1 from race_cards where creator_id = $1", [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("the analyst portal", () => {
  it("signs an analyst in to the tip form", async () => {
    const { email } = await makeCreatorWithPassword("analyst");
    const browser = new Browser();
    const response = await browser.post("/analyst", { email, accessCode: PASSWORD });
    expect(response.headers.get("location")).toBe("/admin/add-tip");
    expect(await readVisibleText(await browser.get("/admin/add-tip"))).toContain("Add Racing Tip");
    expect((await browser.get("/tipster-dashboard")).status).toBe(200);
  });

  it("returns the same error to everyone else", async () => {
    const analyst = await makeCreatorWithPassword("analyst");
    const tipster = await makeCreatorWithPassword();
    const user = await makeUser({ passwordHash });
    for (const [email, accessCode] of [
      [analyst.email, "wrong one"],
      [tipster.email, PASSWORD],
      [user.email, PASSWORD],
      ["nobody@example.test", PASSWORD],
    ]) {
      const response = await new Browser().post("/analyst", {
        email: email ?? "",
        accessCode: accessCode ?? "",
      });
      expect(response.status).toBe(401);
      expect(await readVisibleText(response)).toContain(
        "Invalid credentials. Access is restricted to verified analysts only.",
      );
    }
  });

  it("requires both fields", async () => {
    const response = await new Browser().post("/analyst", { email: "a@example.test" });
    expect(response.status).toBe(422);
    expect(await readVisibleText(response)).toContain(
      "Please enter your analyst email and access code",
    );
  });

  it("lists the demo logins in demo mode only", async () => {
    const html = await (await sendAsGuest("/analyst")).text();
    for (const number of [1, 2, 3]) expect(html).toContain(`analyst${number}@furlong.test`);
    const settings = env();
    const { mode } = settings;
    settings.mode = "production";
    try {
      const production = await (await sendAsGuest("/analyst")).text();
      expect(production).toContain("Analyst Access Portal");
      expect(production).not.toMatch(/furlong\.test|furlong-demo/);
    } finally {
      settings.mode = mode;
    }
  });
});
