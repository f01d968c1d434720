import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { grantRole, hashPassword, startSession } from "#accounts/accounts.server.ts";
import { revokeRole } from "#accounts/roles.server.ts";
import { applyAsTipster } from "#creators/creators.server.ts";
import { addDays, dateAt, formatDate } from "#domain/calendar.ts";
import { DEFAULT_SETTINGS } from "#domain/payment-file/settings.ts";
import { jobs } from "#jobs.server.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { readPaymentFileSettings } from "#payouts/payment-file-settings.server.ts";
import {
  requestPayout,
  savePaymentFileSettings,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { listPagePaths } from "#test/app.ts";
import { Browser } from "#test/browser.ts";
import {
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { countOnSale } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";

const PASSWORD = "a good long password";
// Values that may appear on admin pages only.
const HORSE = "Kwaggasvlakte Secret";
const BUYER = "Zebulon Vermeulen";
const APPLICANT = "Ouma Grietjie";
const ALERT = "cs_alertcanary";
const SECRETS = [HORSE, BUYER, APPLICANT, ALERT, "zebulon"];

let admin: Person;
let browser: Browser;
let buyer: Person;
let parameters: Record<string, string>;

async function createSignedInBrowser(person: { id: string }): Promise<Browser> {
  const signedInBrowser = new Browser();
  signedInBrowser.applyCookies(await startSession(person.id, { codeVerifiedAt: now() }));
  return signedInBrowser;
}

beforeAll(async () => {
  const passwordHash = await hashPassword(PASSWORD);
  admin = await makeUser({ name: "Nomsa Radebe", passwordHash });
  await transaction((tx) => grantRole(tx, { userId: admin.id, role: "admin", actorId: null }));
  browser = await createSignedInBrowser(admin);
  buyer = await makeUser({ name: BUYER, email: "zebulon@example.test", coins: 8 });
  const creator = await makeTipster();
  const raceCard = await publishRaceCard({
    creatorId: creator.id,
    races: [{ raceNumber: 1, horseName: HORSE }, 2],
  });
  await unlockRaceCardAs(buyer.id, raceCard);
  await reportOffTimes(raceCard.venue.id, raceCard.raceDate);
  const { sessionId } = await makeDemoPurchase({
    userId: buyer.id,
    coinPackId: "value_8",
    at: now(),
  });
  await applyAsTipster({
    email: "grietjie@example.test",
    fullName: APPLICANT,
    displayName: "Grietjie's Nap",
    phoneNumber: "",
    experienceYears: 3,
    specialization: "",
    favouriteTracks: "",
    bio: "",
  });
  await raiseAlert({ kind: "payment-mismatch", subject: ALERT, message: `${ALERT} differs` });
  const queryValue = async (text: string, values: unknown[] = []) =>
    String(Object.values((await pool().query(text, values)).rows[0] ?? {})[0] ?? randomUUID());
  parameters = {
    raceCardId: raceCard.raceCardId,
    venueId: raceCard.venue.id,
    raceDate: raceCard.raceDate,
    raceNumber: "1",
    creatorId: creator.id,
    userId: buyer.id,
    tipId: await queryValue("select id from tips where race_card_id = $1 order by race_number", [
      raceCard.raceCardId,
    ]),
    purchaseId: await queryValue("select id from coin_purchases where session_id = $1", [
      sessionId,
    ]),
    applicationId: await queryValue("select id from tipster_applications limit 1"),
    emailId: await queryValue(
      "select id from emails where recipient = 'zebulon@example.test' limit 1",
    ),
    alertId: await queryValue("select id from alerts limit 1"),
    saleId: await queryValue("select id from sales limit 1"),
    name: "send-email",
  };
  await drainQueue(jobs());
});
afterEach(() => freezeClock(null));

async function adminPaths(): Promise<string[]> {
  const paths = await listPagePaths(parameters);
  return paths
    .filter((path) => /^\/admin(\/|$)/.test(path) && path !== "/admin/add-tip")
    .map((path) => path.replace(`/admin/admins/${buyer.id}/`, `/admin/admins/${admin.id}/`));
}

/** Paths that only accept form submissions. */
const ACTION_PATHS =
  /\/(visibility|delete|result|void|status|receipt|approve|decline|withdraw|suspension|start|paid|payment-file|transfer|ask-provider|grant|note|sign-out|close|resend|resolve|retry|dismiss|release|reverse|cancel|discard)$/;

async function readDatabaseState(): Promise<string> {
  const { rows } = await pool().query(
    `select (select count(*) from audit_entries) as audit, (select count(*) from ledger_transactions)
       as ledger, (select count(*) from emails) as emails, (select count(*) from venues) as venues,
       (select count(*) from creators) as creators, (select count(*) from alerts where resolved_at
       is null) as alerts, (select count(*) from tips where hidden_at is not null) as hidden`,
  );
  return JSON.stringify(rows);
}

describe("users without the admin role", () => {
  it("receive no admin data from any URL, as HTML or as loader data", async () => {
    const browsers = {
      "a guest": new Browser(),
      "a punter": await createSignedInBrowser(await makeUser({ coins: 50 })),
      "a tipster": await createSignedInBrowser(await makeTipster()),
      "an analyst": await createSignedInBrowser(await makeTipster({ kind: "analyst" })),
    };
    // Some pages repeat the requested URL.
    const searched = encodeURIComponent(BUYER);
    const { routes } = await import("virtual:react-router/server-build");
    const adminRoutes = Object.keys(routes)
      .filter((id) => /^[\w-]+\/admin\//.test(id) && !id.endsWith(".layout"))
      .join(",");
    const paths = await adminPaths();
    expect(paths.length).toBeGreaterThan(40);
    for (const [role, otherBrowser] of Object.entries(browsers))
      for (const path of paths)
        for (const url of [
          path,
          `${path}.data`,
          // Requests only the page's loader, without the layouts, which check the role too.
          `${path}.data?_routes=${adminRoutes}`,
          `${path}?search=${searched}`,
        ]) {
          const response = await otherBrowser.get(url);
          const isSignInForm = path === "/admin" || path === "/admin/sign-in";
          const description = `${url} for ${role}`;
          // An action path has no loader, so this request returns nothing for anyone.
          const hasNoLoader = url.includes("_routes") && ACTION_PATHS.test(path);
          if (isSignInForm) expect(response.status, description).toBe(200);
          else if (!hasNoLoader)
            expect([202, 302, 303, 403], description).toContain(response.status);
          const text = `${await response.text()}${JSON.stringify([...response.headers])}`;
          for (const secret of SECRETS)
            expect(
              text.replaceAll(searched, "").includes(secret),
              `${secret} in ${description}`,
            ).toBe(false);
        }
  });

  it("are redirected to the sign-in form as guests and receive 403 as users", async () => {
    const guest = await new Browser().get("/admin/purchases");
    expect(guest.status).toBe(302);
    expect(guest.headers.get("location")).toBe("/admin?return=%2Fadmin%2Fpurchases");
    expect((await (await createSignedInBrowser(buyer)).get("/admin/purchases")).status).toBe(403);
    const loginText = await readVisibleText(
      await (await createSignedInBrowser(buyer)).get("/admin"),
    );
    expect(loginText).toContain("Log In");
    expect(loginText).not.toContain("Total Users");
  });

  it("cannot submit any admin form", async () => {
    const browsers = [
      new Browser(),
      await createSignedInBrowser(buyer),
      await createSignedInBrowser(await makeTipster()),
    ];
    const before = await readDatabaseState();
    const fields = {
      confirmed: "yes",
      active: "no",
      suspended: "yes",
      result: "void",
      reason: "none",
      amountCoins: "400",
      idempotencyKey: randomUUID(),
      name: "Intruder",
      displayName: "Intruder",
      email: "intruder@example.test",
      location: "Nowhere",
      totalRaces: "1",
      source: "nobody",
      password: PASSWORD,
      payout: randomUUID(),
    };
    for (const otherBrowser of browsers)
      for (const path of await adminPaths()) {
        if (path === "/admin/sign-in") continue;
        const response = await otherBrowser.post(path, fields);
        // 405: the path has no action.
        expect([302, 403, 405], `POST ${path}`).toContain(response.status);
        const asData = await otherBrowser.post(`${path}.data`, fields);
        expect([202, 302, 403, 405], `POST ${path}.data`).toContain(asData.status);
      }
    expect(await readDatabaseState()).toBe(before);
  });

  it("lose access with the next request after their role is revoked", async () => {
    const formerAdmin = await makeAdmin();
    const formerAdminBrowser = await createSignedInBrowser(formerAdmin);
    expect((await formerAdminBrowser.get("/admin/users")).status).toBe(200);
    await transaction((tx) =>
      revokeRole(tx, { userId: formerAdmin.id, role: "admin", actorId: admin.id }),
    );
    formerAdminBrowser.applyCookies(await startSession(formerAdmin.id));
    expect((await formerAdminBrowser.get("/admin/users")).status).toBe(403);
    await pool().query("delete from sessions where user_id = $1", [formerAdmin.id]);
    expect((await formerAdminBrowser.get("/admin/users")).status).toBe(302);
  });
});

describe("the admin sign-in form", () => {
  it("accepts an admin with the right password only", async () => {
    const passwordHash = await hashPassword(PASSWORD);
    const user = await makeUser({ passwordHash });
    const guestBrowser = new Browser();
    for (const [email, password] of [
      [admin.email, "not the password"],
      [user.email, PASSWORD],
      ["nobody@example.test", PASSWORD],
    ] as const) {
      const refusedResponse = await guestBrowser.post("/admin/sign-in", { email, password });
      expect(refusedResponse.status).toBe(401);
      expect(await readVisibleText(refusedResponse)).toContain("Invalid admin credentials");
    }
    expect((await guestBrowser.get("/admin/users")).status).toBe(302);
    const signInResponse = await guestBrowser.post("/admin/sign-in", {
      email: admin.email,
      password: PASSWORD,
    });
    expect([signInResponse.status, signInResponse.headers.get("location")]).toEqual([
      302,
      "/admin",
    ]);
    const page = await readVisibleText(await guestBrowser.get("/admin"));
    for (const label of ["Total Users", "Racing Tips", "Total Sales", "Revenue", "Today"])
      expect(page).toContain(label);
  });

  it("redirects to the requested admin page and never outside the admin area", async () => {
    for (const [requestedPath, target] of [
      ["/admin/purchases?order=largest", "/admin/purchases?order=largest"],
      ["//evil.example/admin", "/admin"],
      ["/profile", "/admin"],
      ["/administrator", "/admin"],
    ]) {
      const fields = { email: admin.email, password: PASSWORD, return: requestedPath ?? "" };
      const signInResponse = await new Browser().post("/admin/sign-in", fields);
      expect(signInResponse.headers.get("location"), requestedPath).toBe(target);
    }
  });

  it("returns 422 and names the invalid field", async () => {
    const response = await new Browser().post("/admin/sign-in", { email: "x", password: "" });
    expect(response.status).toBe(422);
    expect(await readVisibleText(response)).toContain("Please enter a valid email address");
  });
});

describe("an admin without JavaScript", () => {
  it("reads every page", async () => {
    for (const path of await adminPaths()) {
      if (path.endsWith(".csv") || path.includes("payment-file")) continue;
      const response = await browser.get(path);
      const isRedirect = /\/(tips\/[^/]+|sign-in|attention)$/.test(path);
      expect(response.status, path).toBe(isRedirect ? 302 : 200);
      if (ACTION_PATHS.test(path))
        expect(await readVisibleText(response)).toContain("Nothing to show");
    }
    for (const path of ["users", "purchases", "race-cards", "venues", "tipsters/applications"])
      expect((await browser.get(`/admin/${path}/${randomUUID()}`)).status, path).toBe(404);
    expect((await browser.get("/admin/users/no-id")).status).toBe(404);
  });

  it("searches lists and sees a message when nothing is found", async () => {
    const readPage = async (path: string) => await readVisibleText(await browser.get(path));
    expect(await readPage("/admin/tips?search=kwaggas")).toContain(HORSE);
    expect(await readPage("/admin/tips?search=nosuchhorse")).toContain("No tips found");
    expect(await readPage("/admin/purchases?search=zebulon")).toContain("zebulon@example.test");
    expect(await readPage("/admin/purchases?search=nobody")).toContain("No sales data found");
    expect(await readPage("/admin/venues?search=kenil")).toContain("Kenilworth");
    expect(await readPage("/admin/venues?search=nowhere")).toContain("No venues found");
    expect(await readPage("/admin/users?search=zebu")).toContain(BUYER);
    expect(await readPage("/admin/users?search=nobody")).toContain("No users found");
    expect(await readPage("/admin/tipsters/applications?search=grietjie")).toContain(APPLICANT);
    expect(await readPage("/admin")).toContain(`${ALERT} differs`);
    await transaction((tx) =>
      writeAudit(tx, { actorId: admin.id, action: "end-sessions", subject: buyer.id }),
    );
    const entries = await readPage("/admin/audit?search=zebulon");
    expect(entries).toContain(BUYER);
    expect(entries).toContain(buyer.id);
    const tipster = await makeTipster({ name: "Quagga Quinella" });
    await transaction((tx) =>
      writeAudit(tx, { actorId: admin.id, action: "end-sessions", subject: tipster.id }),
    );
    expect(await readPage("/admin/audit?search=quagga")).toContain(tipster.id);
    expect(await readPage("/admin/audit?search=nobody")).toContain("No entries found");
    for (const after of ["x", "-1", randomUUID(), "%00", "1e99"])
      for (const page of ["", "/purchases", "/users", "/venues", "/audit", "/payouts", "/tipsters"])
        expect((await browser.get(`/admin${page}?after=${after}&order=x&state=x`)).status).toBe(
          200,
        );
  });

  it("confirms the deletion of a tip, which hides it and keeps its row", async () => {
    const { raceCardId } = await publishRaceCard({ races: [1] });
    const { rows } = await pool().query("select id from tips where race_card_id = $1", [
      raceCardId,
    ]);
    const path = `/admin/tips/${rows[0].id}/delete`;
    const confirmationText = await readVisibleText(await browser.post(path, { back: "/admin" }));
    expect(confirmationText).toContain(
      "Are you sure you want to delete this tip? This action cannot be undone.",
    );
    expect(
      (await pool().query("select deleted_at from tips where id = $1", [rows[0].id])).rows,
    ).toEqual([{ deleted_at: null }]);
    const resultText = await readVisibleText(
      await browser.post(path, { back: "/admin", confirmed: "yes" }),
    );
    expect(resultText).toContain("Tip deleted");
    expect(await readVisibleText(await browser.get("/admin/audit?act=delete-tip"))).toContain(
      "Deleted a tip",
    );
    expect(await readVisibleText(await browser.get("/admin/tips?state=hidden"))).toContain(
      "Deleted",
    );
  });

  it.each([
    ["/admin/users?state=closed&after=1", "/admin/users?state=closed&after=1"],
    ["/admin", "/admin"],
    ["/admin?state=hidden", "/admin?state=hidden"],
    ["https://evil.example", "/admin"],
    ["//evil.example/admin", "/admin"],
    ["/\\evil.example", "/admin"],
    ["/", "/admin"],
    ["/my-cards", "/admin"],
    ["/logout", "/admin"],
    ["/admin/../my-cards", "/admin"],
    ["/admin/%2e%2e/my-cards", "/admin"],
    ["/administrator", "/admin"],
    ["/admin.data", "/admin"],
    ["", "/admin"],
  ])("receives for the back path %j a link to %j", async (back, target) => {
    const readBackLink = async (response: Response) => {
      const html = await response.text();
      const href =
        /<a\b[^>]*href="([^"]*)"[^>]*><span>(?:Back|Cancel)<\/span>/.exec(html)?.[1] ?? "none";
      return href.replaceAll("&amp;", "&");
    };
    // A successful action, an error and a confirmation.
    const path = `/admin/tips/${parameters.tipId}`;
    expect(
      await readBackLink(await browser.post(`${path}/visibility`, { back, active: "yes" })),
    ).toBe(target);
    expect(
      await readBackLink(await browser.post(`/admin/tips/${randomUUID()}/visibility`, { back })),
    ).toBe(target);
    expect(await readBackLink(await browser.post(`${path}/delete`, { back }))).toBe(target);
  });

  it("does not receive a password or code in an error response or a confirmation", async () => {
    const otherAdmin = await makeAdmin();
    const otherAdminBrowser = await createSignedInBrowser(otherAdmin);
    const password = `typed-${randomUUID()}`;
    let echoCount = 0;
    for (const path of [
      "/admin/sign-in",
      "/admin/venues/new",
      `/admin/venues/${parameters.venueId}`,
      `/admin/venues/${parameters.venueId}/race-days/${parameters.raceDate}`,
      "/admin/tipsters/invite",
      `/admin/users/${buyer.id}/grant`,
      `/admin/users/${buyer.id}/close`,
      `/admin/tips/${parameters.tipId}/delete`,
      "/admin/payouts/start",
      "/admin/payouts/paid",
      "/admin/two-step/set-up",
      "/admin/two-step/off",
      "/admin/two-step/recovery-codes",
    ]) {
      await pool().query("delete from rate_limits");
      const fields = {
        password,
        code: password,
        name: " ",
        reason: "echo-of-reason",
        source: " ",
        email: "none",
      };
      for (const url of [path, `${path}.data`]) {
        const response = await otherAdminBrowser.post(url, fields);
        const text = `${await response.text()}${JSON.stringify([...response.headers])}`;
        expect(text.includes(password), url).toBe(false);
        if (text.includes("echo-of-reason")) echoCount += 1;
      }
    }
    // Other fields are returned, so the forms were parsed.
    expect(echoCount).toBeGreaterThanOrEqual(4);
  });

  it("adds, changes and deletes a venue", async () => {
    const name = `Clairwood ${randomUUID().slice(0, 6)}`;
    const venue = { name, location: "Durban", totalRaces: "eight" };
    expect((await browser.post("/admin/venues/new", { ...venue, name: " " })).status).toBe(422);
    const added = await browser.post("/admin/venues/new", { ...venue, isActive: "on" });
    expect(await readVisibleText(added)).toContain(`${name} is added.`);
    const address = name.toLowerCase().replace(" ", "-");
    for (const [otherName, message] of [
      [name, "A venue with this name already exists"],
      [address, `The address /tracks/${address} belongs to ${name}. Enter another name.`],
    ] as const) {
      const refused = await browser.post("/admin/venues/new", { ...venue, name: otherName });
      expect(refused.status).toBe(409);
      expect(await readVisibleText(refused)).toContain(message);
    }
    const { rows } = await pool().query(
      "select id, total_races, is_active from venues where name = $1",
      [name],
    );
    expect(rows).toMatchObject([{ total_races: 0, is_active: true }]);
    const id = rows[0].id;
    await browser.post(`/admin/venues/${id}`, { ...venue, totalRaces: "9" });
    expect(
      (await pool().query("select total_races, is_active from venues where id = $1", [id])).rows,
    ).toEqual([{ total_races: 9, is_active: false }]);
    const question = await readVisibleText(await browser.post(`/admin/venues/${id}/delete`, {}));
    expect(question).toContain("Are you sure you want to delete this venue?");
    expect(question).not.toContain("on sale");
    await browser.post(`/admin/venues/${id}/delete`, { confirmed: "yes" });
    expect((await browser.get(`/admin/venues/${id}`)).status).toBe(404);
  });

  it("sees the number of tips and race cards on sale before deleting a venue", async () => {
    const raceCard = await publishRaceCard({ races: [1, 2, 3], venue: "scottsville" });
    const path = `/admin/venues/${raceCard.venue.id}/delete`;
    const readCounts = async () => {
      const { venues } = await countOnSale(now());
      return venues.find((venue) => venue.venueId === raceCard.venue.id);
    };
    const { tips, raceCards } = (await readCounts()) ?? { tips: 0, raceCards: 0 };
    expect(tips).toBeGreaterThanOrEqual(3);
    const confirmationText = await readVisibleText(await browser.post(path, {}));
    expect(confirmationText).toContain("Are you sure you want to delete this venue?");
    expect(confirmationText).toContain(
      `Scottsville has ${tips} active tips on ${raceCards} ${raceCards === 1 ? "race card" : "race cards"} on sale.`,
    );
  });

  it("sees a single tip on sale before deleting a venue", async () => {
    const name = `Clairwood ${randomUUID().slice(0, 6)}`;
    await browser.post("/admin/venues/new", {
      name,
      location: "Durban",
      totalRaces: "8",
      isActive: "on",
    });
    const { rows } = await pool().query("select id, slug from venues where name = $1", [name]);
    const { id, slug } = rows[0];
    await publishRaceCard({ races: [1], venue: slug });
    expect(await readVisibleText(await browser.post(`/admin/venues/${id}/delete`, {}))).toContain(
      `${name} has 1 active tip on 1 race card on sale.`,
    );
  });

  it("confirms the amount and the user before granting coins", async () => {
    const user = await makeUser({ name: "Johan Botha", coins: 1 });
    const path = `/admin/users/${user.id}/grant`;
    const grant = {
      amountCoins: "40",
      reason: "A race card failed to load",
      idempotencyKey: randomUUID(),
    };
    const invalidResponse = await browser.post(path, { ...grant, amountCoins: "0" });
    expect(invalidResponse.status).toBe(422);
    expect(await readVisibleText(await browser.post(path, grant))).toContain(
      "Grant 40 coins to Johan Botha?",
    );
    expect((await readWallet(user.id)).balanceCoins).toBe(1);
    const confirmedGrant = { ...grant, confirmed: "yes" };
    expect(await readVisibleText(await browser.post(path, confirmedGrant))).toContain(
      "Granted 40 coins",
    );
    await browser.post(path, confirmedGrant);
    expect((await readWallet(user.id)).balanceCoins).toBe(41);
    const unknownUserResponse = await browser.post(`/admin/users/${randomUUID()}/grant`, grant);
    expect(unknownUserResponse.status).toBe(404);
  });

  it("sees the venue, date, race and horse of deleted tips in the audit log", async () => {
    const { raceCardId, raceDate } = await publishRaceCard({
      races: [{ raceNumber: 7, horseName: "Named In Audit" }],
      venue: "greyville",
    });
    const { rows } = await pool().query("select id from tips where race_card_id = $1", [
      raceCardId,
    ]);
    await browser.post(`/admin/tips/${rows[0].id}/visibility`, { active: "no", confirmed: "yes" });
    await browser.post(`/admin/tips/${rows[0].id}/delete`, { confirmed: "yes" });
    const audit = await readVisibleText(await browser.get(`/admin/audit?subject=${rows[0].id}`));
    expect(audit.split(`Greyville, ${formatDate(raceDate)}, race 7, Named In Audit`)).toHaveLength(
      3,
    );
    const today = dateAt(now());
    const search = `search=${rows[0].id}`;
    for (const [dates, isListed] of [
      [`from=${today}&to=${today}`, true],
      [`from=${today}`, true],
      [`to=${addDays(today, -1)}`, false],
      [`from=${addDays(today, 1)}`, false],
      ["from=2026-02-30&to=0000-01-01", true],
    ] as const)
      expect([
        dates,
        (await readVisibleText(await browser.get(`/admin/audit?${search}&${dates}`))).includes(
          "Named In Audit",
        ),
      ]).toEqual([dates, isListed]);
    // The subject of a race day is its venue and date.
    const reportedDate = addDays(dateAt(now()), 4);
    const path = `/admin/venues/${parameters.venueId}/race-days/${reportedDate}`;
    await browser.post(path, { source: "Track office", going: "", weather: "" });
    expect(await readVisibleText(await browser.get("/admin/audit?act=save-race-day"))).toContain(
      `Kenilworth, ${formatDate(reportedDate)}`,
    );
  });

  it("saves a race day and sees it in the form", async () => {
    const path = `/admin/venues/${parameters.venueId}/race-days/${addDays(dateAt(now()), 3)}`;
    const raceDay = { going: "Soft", weather: "", source: "Track office", "off-1": "12:35" };
    const invalidResponse = await browser.post(path, { ...raceDay, "off-2": "25:00", source: "" });
    expect(invalidResponse.status).toBe(422);
    expect(await readVisibleText(invalidResponse)).toContain("Enter the source");
    expect(
      await readVisibleText(await browser.post(path, { ...raceDay, "off-2": "13:10" })),
    ).toContain("Race day saved.");
    const html = await (await browser.get(path)).text();
    expect(html).toContain('value="12:35"');
    expect(html).toContain('value="13:10"');
    expect(html).toContain("Track office");
    expect((await browser.get(path.replace(/\d{4}.*/, "2026-02-30"))).status).toBe(404);
    // Text fields, because time inputs depend on the browser's language.
    expect(html).not.toContain('type="time"');
    const secondResponse = await browser.post(path, {
      ...raceDay,
      version: html.match(/name="version" value="(\d+)"/)?.[1] ?? "",
      "off-1": "1240",
      "off-2": "13h15",
    });
    expect(await readVisibleText(secondResponse)).toContain("Race day saved.");
    const outdatedResponse = await browser.post(path, { ...raceDay, version: "1" });
    expect(outdatedResponse.status).toBe(409);
    expect(await readVisibleText(outdatedResponse)).toContain(
      "Race 1, off Mine: 12:35 Theirs: 12:40 Race 2, off Mine: not reported Theirs: 13:15 Save race day",
    );
    const reloadedHtml = await (await browser.get(path)).text();
    expect(reloadedHtml).toContain('value="12:40"');
    expect(reloadedHtml).toContain('value="13:15"');
    const invalidTimeResponse = await browser.post(path, { ...raceDay, "off-2": "2:05 pm" });
    expect(invalidTimeResponse.status).toBe(422);
    const text = await readVisibleText(invalidTimeResponse);
    expect(text).toContain("Race 2 Off time must use the 24-hour clock, such as 14:05");
  });
});

describe("the CSV file of purchases", () => {
  it("contains each matching purchase and no spreadsheet formulas", async () => {
    const formulaUser = await makeUser({ email: `=cmd-${randomUUID().slice(0, 6)}@example.test` });
    await makeDemoPurchase({ userId: formulaUser.id, coinPackId: "starter_4", at: now() });
    const response = await browser.get("/admin/purchases.csv");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const text = await response.text();
    expect(text).toContain("zebulon@example.test,Sea Cottage,8,70.00,0.00");
    expect(text).toContain(`,'${formulaUser.email},Horse Chestnut,4,40.00`);
    const { rows } = await pool().query("select count(*) as purchases from coin_purchases");
    expect(text.trimEnd().split("\r\n")).toHaveLength(rows[0].purchases + 1);
    const filteredCsv = await (await browser.get("/admin/purchases.csv?search=zebulon")).text();
    expect(filteredCsv.trimEnd().split("\r\n")).toHaveLength(2);
  });
});

describe("payouts", () => {
  beforeAll(() =>
    savePaymentFileSettings(admin.id, { ...DEFAULT_SETTINGS, debitAccount: "62000000018" }, null),
  );

  async function createRequestedPayout() {
    freezeClock(new Date("2026-10-01T08:00:00Z"));
    const creator = await makeTipster();
    await writeBankDetails(creator.id, {
      holder: "=Zoë Dube, trading",
      bank: "Capitec, Cape Town",
      branchCode: "470010",
      accountNumber: "0034567890",
      accountType: "savings",
    });
    const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
    for (let index = 0; index < 4; index += 1)
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, { raceCardId });
    freezeClock(new Date("2026-10-20T08:00:00Z"));
    const response = await requestPayout(creator.id);
    if (!response.ok) throw new Error(response.refusal);
    return { payoutId: response.payoutId, adminBrowser: await createSignedInBrowser(admin) };
  }

  /** Returns the hidden field with the export of a payout that the list shows; nothing when it shows none. */
  async function readShownExport(browser: Browser, payoutId: string) {
    const name = `export-${payoutId}`;
    const html = await (await browser.get("/admin/payouts")).text();
    const value = new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1];
    return value ? { [name]: value } : {};
  }

  it("change status in order, with an audit entry", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    const submit = async (action: string) =>
      await readVisibleText(
        await adminBrowser.post(`/admin/payouts/${action}`, {
          payout: payoutId,
          ...(await readShownExport(adminBrowser, payoutId)),
        }),
      );
    expect(await submit("paid")).toContain("start processing it first");
    expect(await submit("start")).toContain("1 payout is now processing.");
    expect(await submit("start")).toContain("1 payout is now processing.");
    expect(await submit("paid")).toContain("it is in no payment file");
    await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    expect(await submit("paid")).toContain("1 payout marked as paid.");
    expect(await submit("start")).toContain("already paid");
    expect(await readVisibleText(await adminBrowser.post("/admin/payouts/start", {}))).toContain(
      "Select at least one payout.",
    );
    const audit = await readVisibleText(await adminBrowser.get(`/admin/audit?subject=${payoutId}`));
    expect(audit).toContain("Started processing a payout");
    expect(audit).toContain("Marked a payout as paid");
    expect(await readVisibleText(await adminBrowser.get("/admin/payouts/history"))).toContain(
      "R112.00",
    );
  });

  it("are exported to a payment file once they are processing", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    const path = "/admin/payouts/payment-file";
    const requestFile = async () => await adminBrowser.post(path, { payout: payoutId });
    const prematureResponse = await requestFile();
    expect(prematureResponse.headers.get("location")).toContain("problem=not-processing");
    expect(
      await readVisibleText(
        await adminBrowser.get(prematureResponse.headers.get("location") ?? ""),
      ),
    ).toContain("Only payouts with status Processing can be in the payment file");
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    const file = await requestFile();
    expect(file.headers.get("content-disposition")).toContain("furlong-payments-2026-10-20-1.csv");
    const reference = `FURLONG ${payoutId.slice(-8).toUpperCase()}`;
    expect((await file.text()).split("\r\n")).toEqual([
      "FURLONG,2026-10-20,62000000018,1,112.00",
      "Recipient name,Branch code,Account number,Account type,Amount,Action date,Recipient reference,Own reference,Debit account",
      `Zoe Dube trading,470010,0034567890,2,112.00,2026-10-20,${reference},${reference},62000000018`,
      "",
    ]);
    expect((await adminBrowser.get(path)).headers.get("location")).toBe("/admin/payouts");
    expect(await readVisibleText(await adminBrowser.get("/admin/payouts"))).toContain("In a file");
    expect(await readVisibleText(await adminBrowser.get("/admin/payouts/exports"))).toContain(
      "R112.00",
    );
  });

  it("are exported only once the account to debit is known", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    const { settings, savedAt } = await readPaymentFileSettings();
    const changed = { ...settings, debitAccount: "" };
    expect(await savePaymentFileSettings(admin.id, changed, savedAt)).toEqual({ ok: true });
    const refused = await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    const { savedAt: changedAt } = await readPaymentFileSettings();
    await savePaymentFileSettings(admin.id, settings, changedAt);
    expect(
      await readVisibleText(await adminBrowser.get(refused.headers.get("location") ?? "")),
    ).toContain("The account to debit is missing.");
    const { rows } = await pool().query("select export_id from payouts where id = $1", [payoutId]);
    expect(rows).toEqual([{ export_id: null }]);
  });

  it("require confirmation before a second payment file, which repeats the first", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    const path = "/admin/payouts/payment-file";
    const first = await (await adminBrowser.post(path, { payout: payoutId })).text();
    const repeatedResponse = await adminBrowser.post(path, { payout: payoutId });
    expect(repeatedResponse.status).toBe(303);
    const confirmationPath = repeatedResponse.headers.get("location") ?? "";
    expect(confirmationPath).toBe(`/admin/payouts?on=2026-10-20&again=${payoutId}`);
    const page = await (await adminBrowser.get(confirmationPath)).text();
    expect(page).toContain("Already in a payment file");
    const acknowledged = /name="acknowledged" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const secondFile = await adminBrowser.post(path, {
      payout: payoutId,
      acknowledged,
    });
    expect(await secondFile.text()).toBe(first);
    // The acknowledgement applies to the first file only.
    expect((await adminBrowser.post(path, { payout: payoutId, acknowledged })).status).toBe(303);
  });

  it("are withdrawn from a payment file only with a reason", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    const withdraw = async (reason: string) =>
      await readVisibleText(
        await adminBrowser.post("/admin/payouts/withdraw", {
          payout: payoutId,
          reason,
          ...(await readShownExport(adminBrowser, payoutId)),
        }),
      );
    expect(await withdraw(" ")).toContain("please give the reason");
    expect(await withdraw("Rejected")).toContain("1 payout withdrawn");
    expect(await withdraw("Rejected")).toContain("it is in no payment file");
  });

  it("stay in a later payment file than the list showed", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    const reason = "Rejected";
    const shown = { payout: payoutId, ...(await readShownExport(adminBrowser, payoutId)) };
    await adminBrowser.post("/admin/payouts/withdraw", { ...shown, reason });
    await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    for (const action of ["withdraw", "paid"]) {
      const response = await adminBrowser.post(`/admin/payouts/${action}`, { ...shown, reason });
      expect(response.status).toBe(409);
      expect(await readVisibleText(response)).toContain(
        "it was put in another payment file or transfer meanwhile. Check that one first.",
      );
    }
    expect(await readVisibleText(await adminBrowser.get("/admin/payouts"))).toContain("In a file");
  });

  it("are exported only with an action date that is a bank day from today to 31 days ahead", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    const requestFile = async (actionDate: string) =>
      await adminBrowser.post("/admin/payouts/payment-file", {
        payout: payoutId,
        actionDate,
      });
    for (const day of ["2026-10-19", "2026-11-21", "2026-02-30", "tomorrow"])
      expect((await requestFile(day)).headers.get("location")).toContain("problem=action-date");
    const saturday = (await requestFile("2026-10-24")).headers.get("location") ?? "";
    expect(await readVisibleText(await adminBrowser.get(saturday))).toContain(
      "Banks make no transfers on the action date",
    );
    expect((await requestFile("2026-11-20")).status).toBe(200);
  });

  it("are exported in the configured format", async () => {
    const { payoutId, adminBrowser } = await createRequestedPayout();
    await adminBrowser.post("/admin/payouts/start", { payout: payoutId });
    const path = "/admin/payouts/file-settings";
    const settings = {
      format: "bankserv",
      debitAccount: "",
      debitBranchCode: "",
      shortName: "Furlong",
      userCode: "9534",
      columns: "A = account number\nB = branch code\nC = amount",
      delimiter: "comma",
      dateFormat: "YYYY-MM-DD",
      amountIn: "rand",
      cheque: "1",
      savings: "2",
      transmission: "3",
    };
    const readShownSavedAt = async () => {
      const html = await (await adminBrowser.get(path)).text();
      return /name="shownSavedAt" value="([^"]+)"/.exec(html)?.[1] ?? "";
    };
    const shownSavedAt = await readShownSavedAt();
    const save = async (changes: Record<string, string>) =>
      await readVisibleText(
        await adminBrowser.post(path, { shownSavedAt, ...settings, ...changes }),
      );
    expect(await save({})).toContain("Please enter the account to debit");
    expect(await save({ debitAccount: "68123456" })).toContain("needs the branch code");
    expect(await save({ columns: "A = amount" })).toContain("no column for the account number");
    const debit = { debitAccount: "68 123-456", debitBranchCode: "051001" };
    freezeClock(new Date(now().getTime() + 1000));
    expect(await save(debit)).toContain("Payment file settings saved.");
    // The same form sent again changes nothing, and others from the old page are refused.
    expect(await save(debit)).toContain("Payment file settings saved.");
    const refused = await adminBrowser.post(path, {
      shownSavedAt,
      ...settings,
      ...debit,
      userCode: "1234",
    });
    expect(refused.status).toBe(409);
    expect(await readVisibleText(refused)).toContain(
      "Another admin has saved other settings meanwhile.",
    );
    expect(await (await adminBrowser.get(path)).text()).toContain('value="68123456"');
    const file = await adminBrowser.post("/admin/payouts/payment-file", { payout: payoutId });
    expect(file.headers.get("content-disposition")).toContain("-1.txt");
    const records = (await file.text()).trimEnd().split("\r\n");
    expect(records.map((record) => record.slice(0, 2))).toEqual(["04", "10", "12", "92"]);
    expect(records[1]).toContain("00034567890");
    const restored = { ...settings, ...debit, format: "generic" };
    const response = await adminBrowser.post(path, {
      ...restored,
      shownSavedAt: await readShownSavedAt(),
    });
    expect(response.status).toBe(200);
  });
});

describe("a failing database query", () => {
  async function withoutTable(table: string, callback: () => Promise<void>) {
    await pool().query(`alter table ${table} rename to ${table}_renamed`);
    try {
      await callback();
    } finally {
      await pool().query(`alter table ${table}_renamed rename to ${table}`);
    }
  }

  it("shows an error for its part of the page only", async () => {
    const readPage = async (path: string) => await readVisibleText(await browser.get(path));
    await withoutTable("coin_purchases", async () => {
      const purchases = await readPage("/admin/purchases");
      expect(purchases).toContain(
        "Database table 'coin_purchases' not found. Please run npm start, which brings the PostgreSQL database up to date.",
      );
      expect(purchases).not.toContain("Supabase");
      expect(purchases).not.toContain("No sales data found");
      expect(await readPage("/admin")).toContain("Total Users");
    });
    await withoutTable("venues", async () => {
      const venues = await readPage("/admin/venues");
      expect(venues).toContain("Venues table not found. Please run npm start");
    });
  });

  it("shows a specific message when a venue cannot be saved, deleted or deactivated", async () => {
    const { rows } = await pool().query("select id, name from venues where slug = 'vaal'");
    const [{ id }] = rows;
    await pool().query("alter table audit_entries add constraint full_up check (id < 0) not valid");
    try {
      const venue = { name: "New Place", location: "Somewhere", totalRaces: "8" };
      const submit = async (path: string, fields: Record<string, string>) =>
        await readVisibleText(await browser.post(path, fields));
      expect(await submit("/admin/venues/new", venue)).toMatch(/Failed to save venue: .*full_up/);
      expect(await submit(`/admin/venues/${id}/delete`, { confirmed: "yes" })).toMatch(
        /Failed to delete venue: .*full_up/,
      );
      expect(await submit(`/admin/venues/${id}/status`, { active: "no" })).toMatch(
        /Failed to update venue status: .*full_up/,
      );
    } finally {
      await pool().query("alter table audit_entries drop constraint full_up");
    }
  });
});
