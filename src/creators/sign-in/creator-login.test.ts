import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantRole, hashPassword } from "#identity/identity.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { type Ask, as, asGuest } from "#test/app.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { textOfPage } from "#test/page-text.ts";
import { listApplications } from "../applications/applications.server.ts";
import { applyAsTipster } from "../applications/apply-as-tipster.server.ts";
import { approveApplication } from "../applications/approve-application.server.ts";
import { createCreator } from "../create-creator.server.ts";
import { findCreator } from "../creator.server.ts";
import { inviteAnalyst } from "../invitations/invite-analyst.server.ts";
import { suspendCreator } from "../suspend-creator.server.ts";

const PASSWORD = "a good long password";
const DOORS = ["/tipster-auth", "/tipster", "/analyst-login"];

let passwordHash: string;
beforeAll(async () => {
  passwordHash = (await hashPassword(PASSWORD)) ?? "";
});
beforeEach(async () => {
  await pool().query("delete from rate_limits");
});

async function creatorWithPassword(kind: "tipster" | "analyst" = "tipster"): Promise<Person> {
  const user = await makeUser({ passwordHash });
  await transaction(async (tx) => {
    await grantRole(tx, { userId: user.id, role: kind, actorId: null });
    const displayName = `Creator ${randomUUID().slice(0, 8)}`;
    await createCreator(tx, { userId: user.id, kind, displayName, approvedBy: null });
  });
  return user;
}

describe("the tipsters' door", () => {
  it.each(DOORS)("is at %s, with its two sides, the terms and the way home", async (path) => {
    const login = await textOfPage(await asGuest(path));
    for (const words of ["Tipster Login", "Become a Tipster", "Back to Home", "Email", "Password"])
      expect(login).toContain(words);
    const html = await (await asGuest(`${path}?mode=apply`)).text();
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
  });

  it.each(
    DOORS.flatMap((path) => [
      { kind: "tipster" as const, path },
      { kind: "analyst" as const, path },
    ]),
  )("lets a $kind in to the dashboard, from $path", async ({ kind, path }) => {
    const { email } = await creatorWithPassword(kind);
    const browser = new Browser();
    const answer = await browser.post(path, { email: email.toUpperCase(), password: PASSWORD });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/tipster-dashboard?welcome");
    expect((await browser.get("/tipster-dashboard")).status).toBe(200);
    expect((await browser.get(path)).headers.get("location")).toBe("/tipster-dashboard");
  });

  it("shows analysts the way to their portal", async () => {
    expect(await (await asGuest("/tipster-auth")).text()).toContain('href="/analyst"');
    expect(await textOfPage(await asGuest("/tipster-auth"))).toContain(
      "Analyst? Go to the analyst portal",
    );
  });

  it("tells somebody who is signed in and writes nothing here so, and opens nothing", async () => {
    const user = await makeUser();
    const ask = await as(user);
    expect((await ask("/tipster-dashboard")).headers.get("location")).toBe("/tipster-auth");
    expect(await textOfPage(await ask("/tipster-auth"))).toContain(
      `You're logged in as ${user.email}, which isn't a tipster account.`,
    );
  });

  it("tells a wrong password", async () => {
    const { email } = await creatorWithPassword();
    const answer = await new Browser().post("/tipster-auth", { email, password: "wrong one" });
    expect(answer.status).toBe(401);
    expect(await textOfPage(answer)).toContain("Authentication Failed Invalid credentials");
  });

  it("asks for what is missing once, at the first field that misses it", async () => {
    const html = await (
      await new Browser().post("/tipster-auth", { email: "", password: "" })
    ).text();
    expect(html.match(/>Email and password are required</g)).toHaveLength(1);
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it("tells everybody without an approved account the same, right password or not", async () => {
    const user = await makeUser({ passwordHash });
    for (const email of [user.email, "nobody@example.test"]) {
      const answer = await new Browser().post("/tipster-auth", { email, password: PASSWORD });
      expect(answer.status).toBe(401);
      expect(await textOfPage(answer)).toContain("Invalid credentials or account not approved");
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("lets a suspended creator in to what stays theirs, and the analysts' portal does not", async () => {
    const admin = await makeAdmin();
    const analyst = new Browser();
    const { email: analystEmail } = await creatorWithPassword("analyst");
    await analyst.post("/analyst", { email: analystEmail, accessCode: PASSWORD });
    expect((await analyst.get("/admin/add-tip")).status).toBe(200);
    for (const [kind, status, location] of [
      ["tipster", 403, null],
      ["analyst", 302, "/tipster-dashboard/add"],
    ] as const) {
      const suspended = await creatorWithPassword(kind);
      await suspendCreator(admin.id, suspended.id);
      const browser = new Browser();
      const { email } = suspended;
      const portal = await browser.post("/analyst", { email, accessCode: PASSWORD });
      expect(portal.status).toBe(401);
      const answer = await browser.post("/tipster-auth", { email, password: PASSWORD });
      expect(answer.headers.get("location")).toBe("/tipster-dashboard?welcome");
      expect(await textOfPage(await browser.get("/tipster-dashboard"))).toContain(
        "Your account is suspended",
      );
      // Logged in, and refused because of the suspension or the role, not for want of a session.
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
  ])("asks for both: %j", async (fields, message) => {
    const answer = await new Browser().post("/tipster-auth", fields as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(await textOfPage(answer)).toContain(message);
  });

  it("takes five wrong passwords for an account, then has it wait", async () => {
    const { email } = await creatorWithPassword();
    const browser = new Browser();
    for (let tries = 0; tries < 5; tries += 1)
      await browser.post("/tipster-auth", { email, password: "wrong one" });
    const answer = await browser.post("/tipster-auth", { email, password: PASSWORD });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
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

  it("is filed whole, and the form is blank again", async () => {
    const given = application();
    const answer = await apply(given);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(await textOfPage(new Response(html))).toContain(
      "Application Submitted! Your tipster application has been submitted for review. You'll be notified once approved.",
    );
    expect(html).not.toContain(given.email);
    const { applications } = await listApplications({ limit: 1 });
    const { rows } = await pool().query(
      "select agreed_at from tipster_applications where email = $1",
      [given.email],
    );
    expect(rows[0]?.agreed_at).toBeInstanceOf(Date);
    expect(applications[0]).toMatchObject({
      email: given.email,
      displayName: given.displayName,
      experienceYears: 12,
      favouriteTracks: "Scottsville",
      status: "applied",
    });
  });

  it("is not asked for twice: its owner sees since when it waits, and nobody else is told", async () => {
    const user = await makeUser();
    const ask = await as(user);
    const form = await (await ask("/tipster-auth?mode=apply")).text();
    expect(form).toContain(`value="${user.email}"`);
    expect(form).toContain(`value="${user.name}"`);
    const send = (by: Ask, fields: Record<string, string>) =>
      by("/tipster-auth?mode=apply", { method: "POST", body: new URLSearchParams(fields) });
    const sent = await textOfPage(await send(ask, application({ email: user.email })));
    expect(sent).toContain("Application Submitted!");

    const page = await (await ask("/tipster-auth?mode=apply")).text();
    expect(page).toContain("We received your application on");
    expect(page).not.toContain('name="displayName"');
    const again = await send(ask, application({ email: user.email.toUpperCase() }));
    expect(again.status).toBe(409);
    expect(await textOfPage(again)).toContain("We received your application on");
    for (const other of [asGuest, await as(await makeUser())]) {
      const answer = await send(other, application({ email: user.email }));
      expect(answer.status).toBe(200);
      expect(await textOfPage(answer)).toContain("Application Submitted!");
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
  ])("is not filed with %j", async (wrong, message) => {
    const given = application(wrong);
    const answer = await apply(given);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(await textOfPage(new Response(html))).toContain(message);
    // What was typed is still there.
    expect(html).toContain("082 000 0000");
  });

  it("says when the display name is another's", async () => {
    const { name } = await makeTipster();
    const answer = await apply(application({ displayName: name.toUpperCase() }));
    expect(answer.status).toBe(409);
    expect(await textOfPage(answer)).toContain("That display name is taken");
  });

  it("counts its characters", async () => {
    expect(await textOfPage(await asGuest("/tipster-auth?mode=apply"))).toContain("0 / 500");
  });
});

describe("accepting the role", () => {
  async function invited() {
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
  const post = (displayName: string) => ({
    method: "POST",
    body: new URLSearchParams({ displayName }),
  });

  it("is offered to somebody who had an account, and opens the dashboard when it is taken", async () => {
    const { user, displayName } = await invited();
    const ask = await as(user);
    expect(await textOfPage(await ask("/tipster-auth"))).toContain("Your application was approved");
    for (const page of ["", "/add", "/earnings"]) {
      const sent = await ask(`/tipster-dashboard${page}`);
      expect(sent.headers.get("location")).toBe("/tipster-invitation");
    }
    expect(await textOfPage(await ask("/tipster-invitation"))).toContain("You are approved");
    const answer = await ask("/tipster-invitation", post(displayName));
    expect(answer.headers.get("location")).toBe("/tipster-dashboard?welcome=new");
    expect(await findCreator(user.id)).toMatchObject({ name: displayName, kind: "tipster" });
    expect((await ask("/tipster-dashboard")).status).toBe(200);
  });

  it("is what the tipsters' door leads to with the right password, and with no other", async () => {
    const { user } = await invited();
    const browser = new Browser();
    const wrong = await browser.post("/tipster-auth", { email: user.email, password: "wrong one" });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const right = await browser.post("/tipster-auth", { email: user.email, password: PASSWORD });
    expect(right.headers.get("location")).toBe("/tipster-invitation");
    expect(await textOfPage(await browser.get("/tipster-invitation"))).toContain(
      "You are approved",
    );
  });

  it("says when the name is another's, and lets them choose", async () => {
    const { user } = await invited();
    const { name } = await makeTipster();
    const ask = await as(user);
    const taken = await ask("/tipster-invitation", post(name));
    expect(taken.status).toBe(409);
    expect(await textOfPage(taken)).toContain("That display name is taken");
    const other = `Silks ${randomUUID().slice(0, 8)}`;
    expect((await ask("/tipster-invitation", post(other))).status).toBe(302);
  });

  it("makes nobody a tipster who was not approved", async () => {
    const user = await makeUser();
    const ask = await as(user);
    expect(await textOfPage(await ask("/tipster-invitation"))).toContain("No open invitation");
    expect((await ask("/tipster-invitation", post("Gatecrasher"))).status).toBe(403);
    expect(await findCreator(user.id)).toBeNull();
    const guest = await asGuest("/tipster-invitation", post("Gatecrasher"));
    expect(guest.headers.get("location")).toMatch(/^\/login\?return=/);
  });

  it("twice, or at the same moment, makes one tipster", async () => {
    const { user, displayName } = await invited();
    const ask = await as(user);
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask("/tipster-invitation", post(displayName))),
    );
    expect(answers.map((answer) => answer.status)).toEqual([302, 302, 302]);
    expect((await findCreator(user.id))?.name).toBe(displayName);
  });
});

describe("accepting to write as an analyst", () => {
  async function invited() {
    const user = await makeUser({ passwordHash });
    const displayName = `Silks ${randomUUID().slice(0, 8)}`;
    await inviteAnalyst((await makeAdmin()).id, {
      name: user.name,
      email: user.email,
      displayName,
    });
    return { user, displayName };
  }

  it("is what both doors lead to, says what is agreed to, and opens the tip form", async () => {
    const { user, displayName } = await invited();
    const doors = { "/analyst": "accessCode", "/tipster-auth": "password" };
    for (const [door, field] of Object.entries(doors)) {
      const browser = new Browser();
      const wrong = await browser.post(door, { email: user.email, [field]: "wrong one" });
      expect(wrong.status).toBe(401);
      const right = await browser.post(door, { email: user.email, [field]: PASSWORD });
      expect(right.headers.get("location")).toBe("/tipster-invitation");
    }
    const ask = await as(user);
    for (const page of ["/analyst", "/admin/add-tip", "/tipster-dashboard"])
      expect((await ask(page)).headers.get("location")).toBe("/tipster-invitation");
    expect(await textOfPage(await ask("/tipster-auth"))).toContain(
      "You're invited to be an analyst",
    );
    const shown = await textOfPage(await ask("/tipster-invitation"));
    expect(shown).toContain("Accept the analyst role");
    expect(shown).toContain("By accepting you confirm that you are 18 or older and agree to the");
    const answer = await ask("/tipster-invitation", {
      method: "POST",
      body: new URLSearchParams({ displayName }),
    });
    expect(answer.headers.get("location")).toBe("/tipster-dashboard?welcome=new");
    expect(await findCreator(user.id)).toMatchObject({ name: displayName, kind: "analyst" });
    expect((await ask("/admin/add-tip")).status).toBe(200);
  });

  it("lets nobody write before", async () => {
    const { user } = await invited();
    const sent = await (await as(user))("/admin/add-tip", {
      method: "POST",
      body: new URLSearchParams({ venue: "kenilworth" }),
    });
    expect(sent.headers.get("location")).toBe("/tipster-invitation");
    const { rows } = await pool().query("select 1 from race_cards where creator_id = $1", [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("the analysts' portal", () => {
  it("lets an analyst in to the tip form", async () => {
    const { email } = await creatorWithPassword("analyst");
    const browser = new Browser();
    const answer = await browser.post("/analyst", { email, accessCode: PASSWORD });
    expect(answer.headers.get("location")).toBe("/admin/add-tip");
    expect(await textOfPage(await browser.get("/admin/add-tip"))).toContain("Add Racing Tip");
    expect((await browser.get("/tipster-dashboard")).status).toBe(200);
  });

  it("tells everybody else the same", async () => {
    const analyst = await creatorWithPassword("analyst");
    const tipster = await creatorWithPassword();
    const user = await makeUser({ passwordHash });
    for (const [email, accessCode] of [
      [analyst.email, "wrong one"],
      [tipster.email, PASSWORD],
      [user.email, PASSWORD],
      ["nobody@example.test", PASSWORD],
    ]) {
      const answer = await new Browser().post("/analyst", {
        email: email ?? "",
        accessCode: accessCode ?? "",
      });
      expect(answer.status).toBe(401);
      expect(await textOfPage(answer)).toContain(
        "Invalid credentials. Access is restricted to verified analysts only.",
      );
    }
  });

  it("asks for both fields", async () => {
    const answer = await new Browser().post("/analyst", { email: "a@example.test" });
    expect(answer.status).toBe(422);
    expect(await textOfPage(answer)).toContain("Please enter your analyst email and access code");
  });

  it("lists the demo's sign-ins in the demo, and nowhere else", async () => {
    const shown = await (await asGuest("/analyst")).text();
    for (const number of [1, 2, 3]) expect(shown).toContain(`analyst${number}@furlong.test`);
    const settings = env();
    const { mode } = settings;
    settings.mode = "production";
    try {
      const production = await (await asGuest("/analyst")).text();
      expect(production).toContain("Analyst Access Portal");
      expect(production).not.toMatch(/furlong\.test|furlong-demo/);
    } finally {
      settings.mode = mode;
    }
  });
});
