import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "#accounts/accounts.server.ts";
import { findCreator } from "#creators/creators.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, instantAt, timeAt } from "#domain/calendar.ts";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import {
  findTestVenue,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  reportOffTimes,
  reverseEarningsOfBuyer,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readOwnTips } from "#tips/own-tips.server.ts";

const TODAY = "2026-11-21";
const PAGE_PATHS = [
  "",
  "/tips",
  "/results",
  "/add",
  "/earnings",
  "/bank-details",
  "/profile",
  "/password",
  "/batch-day",
];
const ACTION_PATHS = [
  "/add",
  "/results",
  "/result",
  "/payout",
  "/bank-details",
  "/profile",
  "/password",
  "/photo",
  "/photo/remove",
];
const BANK_DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

beforeEach(() => freezeClock(instantAt(TODAY, "08:00")));
afterEach(() => freezeClock(null));

async function submitForm(request: SendRequest, path: string, fields: Record<string, string>) {
  const response = await request(`/tipster-dashboard${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return {
    status: response.status,
    text: await readVisibleText(response),
    headers: response.headers,
  };
}

async function setPassword(userId: string, password: string): Promise<void> {
  await pool().query(
    `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
     values ($1::text, 'credential', $1::uuid, $2, $3, $3)`,
    [userId, await hashPassword(password), now()],
  );
}

async function listTips(creatorId: string) {
  return (await readOwnTips(creatorId, { at: now(), limit: 50 })).tips;
}

describe("the dashboard", () => {
  it("shows the tipster's name, tips and navigation", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id });
    const text = await readVisibleText(
      await (await createSender(tipster))("/tipster-dashboard/tips"),
    );
    for (const part of [
      tipster.name,
      "Edit Profile",
      "Change Password",
      "Logout",
      "My Tips",
      "Add Daily Racing Tips",
      "Earnings",
      "Secret Horse 1",
      "No settled tips yet",
    ])
      expect(text).toContain(part);
  });

  it.each(PAGE_PATHS)("%j redirects a guest to the creator sign-in form", async (page) => {
    for (const path of [`/tipster-dashboard${page}`, `/tipster-dashboard${page}.data`]) {
      const response = await sendAsGuest(path);
      const body = await response.text();
      const target = response.headers.get("location") ?? body;
      expect(target).toContain("/tipster-auth");
      expect(response.status === 302 || response.status === 202).toBe(true);
    }
  });

  it.each(PAGE_PATHS)("%j refuses users, admins and applicants", async (page) => {
    const expectRedirectToSignIn = async (response: Response) => {
      const body = await response.text();
      expect([202, 302]).toContain(response.status);
      // The response contains the navigation only.
      expect(response.headers.get("location") ?? body).toContain("/tipster-auth");
      expect(body.length).toBeLessThan(300);
    };
    for (const person of [await makeUser(), await makeAdmin()]) {
      const request = await createSender(person);
      await expectRedirectToSignIn(await request(`/tipster-dashboard${page}`));
      await expectRedirectToSignIn(await request(`/tipster-dashboard${page}.data`));
      // The page's loader checks the role without its layout too.
      const file = page === "/batch-day" ? "batch-day.route" : `${page.slice(1)}.page`;
      const id = await routeId(page ? `dashboard/${file}` : "tipster-dashboard/today.page");
      const loaderPath = `/tipster-dashboard${page}.data?_routes=${id}`;
      await expectRedirectToSignIn(await request(loaderPath));
    }
  });

  it.each(ACTION_PATHS)("%j refuses submissions by guests and users", async (path) => {
    const guest = await sendAsGuest(`/tipster-dashboard${path}`, {
      method: "POST",
      body: new URLSearchParams({ name: "x" }),
    });
    expect(guest.headers.get("location")).toBe("/tipster-auth");
    const user = await submitForm(await createSender(await makeUser()), path, { name: "x" });
    expect(user.headers.get("location")).toBe("/tipster-auth");
  });

  it("ends the session of a suspended creator with the next request", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    expect((await request("/tipster-dashboard")).status).toBe(200);
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await request("/tipster-dashboard")).headers.get("location")).toBe("/tipster-auth");
  });

  it("lets a suspended creator see earnings and bank details only", async () => {
    const tipster = await makeTipster();
    const raceCard = await publishRaceCard({ creatorId: tipster.id });
    await suspendCreator((await makeAdmin()).id, tipster.id);
    const request = await createSender(tipster);
    for (const page of PAGE_PATHS.filter((candidate) => candidate !== "/batch-day")) {
      const response = await request(`/tipster-dashboard${page}`);
      expect(response.status, page).toBe(200);
      expect(await readVisibleText(response)).toContain("Your account is suspended");
    }
    expect((await request("/tipster-dashboard/earnings.csv")).status).toBe(200);
    expect(await readVisibleText(await request("/tipster-dashboard/add"))).toContain(
      "Your account can't publish tips at the moment.",
    );

    await setPassword(tipster.id, "a good long password");
    const bank = await submitForm(request, "/bank-details", {
      ...BANK_DETAILS,
      password: "a good long password",
    });
    expect(bank.text).toContain("We pay you into the account ending in 7890");
    expect((await submitForm(request, "/payout", {})).status).toBe(409);
    const profile = { name: tipster.name, specialization: "Mud", bio: "" };
    expect((await submitForm(request, "/profile", profile)).status).toBe(200);

    const batch = await submitForm(request, "/add", {
      idempotencyKey: randomUUID(),
      venueId: raceCard.venue.id,
      raceDate: addDays(TODAY, 3),
      "races.0.raceNumber": "1",
      "races.0.horseNumber": "7",
      "races.0.horseName": "Form Horse",
      "races.0.tipType": "win",
      "races.0.confidence": "high",
      "races.0.analysis": "Drawn well.",
    });
    expect(batch.status).toBe(403);
    expect(batch.text).toContain("Your account can't publish tips at the moment.");
    const [tip] = await listTips(tipster.id);
    freezeClock(instantAt(addDays(TODAY, 2), "20:00"));
    const result = await submitForm(request, "/result", { tipId: tip?.id ?? "", result: "won" });
    expect(result.status).toBe(403);
    expect(result.text).toContain("You can't enter results while your account is suspended.");
    expect((await listTips(tipster.id)).every((candidate) => candidate.result === null)).toBe(true);
    const body = new FormData();
    const png = await sharp({
      create: { width: 400, height: 400, channels: 3, background: "#123456" },
    })
      .png()
      .toBuffer();
    body.set("photo", new File([new Uint8Array(png)], "me.png"));
    const photo = await request("/tipster-dashboard/photo", { method: "POST", body });
    expect(photo.status).toBe(403);
    expect(await readVisibleText(photo)).toContain("so you can't change your photo");
    for (const endpoint of ["update-tipster-profile", "update-tipster-profile-image"]) {
      const response = await request(`/.netlify/functions/${endpoint}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name: "Else", imageData: "data:image/png;base64,AAAA" }),
      });
      expect(response.status).toBe(403);
    }
  });

  it("shows no data of other tipsters", async () => {
    const tipster = await makeTipster();
    const otherTipster = await makeTipster();
    await publishRaceCard({
      creatorId: otherTipster.id,
      races: [{ raceNumber: 1, horseName: "Somebody Elses Horse" }],
    });
    const request = await createSender(tipster);
    for (const page of PAGE_PATHS) {
      const response = await request(`/tipster-dashboard${page}`);
      expect(await response.text()).not.toContain("Somebody Elses Horse");
    }
  });
});

/** Returns the id of the route whose module path ends with the given text. */
async function routeId(suffix: string): Promise<string> {
  const { routes } = await import("virtual:react-router/server-build");
  const id = Object.keys(routes).find((candidate) => candidate.endsWith(`/${suffix}`));
  if (!id) throw new Error(`No route module ends with ${suffix}.`);
  return id;
}

describe("My Tips", () => {
  it("sends the time at which the next race can be settled, for revalidation", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({
      creatorId: tipster.id,
      raceDate: TODAY,
      races: [
        { raceNumber: 1, raceTime: "13:00" },
        { raceNumber: 2, raceTime: "12:30" },
      ],
    });
    const request = await createSender(tipster);
    const readOpensInMs = async () => {
      const page = `/tipster-dashboard/tips.data?_routes=${await routeId("dashboard/tips.page")}`;
      return /"opensInMs",(-?\d+)/.exec(await (await request(page)).text())?.[1];
    };
    expect(await readOpensInMs()).toBe(String(4.5 * 60 * 60 * 1000));
    freezeClock(instantAt(TODAY, "12:30"));
    expect(await readOpensInMs()).toBe(String(30 * 60 * 1000));
    freezeClock(instantAt(TODAY, "13:00"));
    // All races are over, so no revalidation is scheduled.
    expect(await readOpensInMs()).toBeUndefined();
  });
});

describe("the W and L buttons without JavaScript", () => {
  it("require confirmation, because a result is final", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({
      creatorId: tipster.id,
      raceDate: TODAY,
      races: [{ raceNumber: 1, raceTime: "13:00" }],
    });
    freezeClock(instantAt(TODAY, "14:00"));
    const request = await createSender(tipster);
    const page = await (await request("/tipster-dashboard/tips")).text();
    expect(page).toContain('name="ask"');
    const [tip] = await listTips(tipster.id);
    const fields = { tipId: tip?.id ?? "", result: "lost" };
    const confirmation = await submitForm(request, "/result", { ...fields, ask: "first" });
    expect(confirmation.text).toContain(
      "Mark this tip as lost? You can't change a result once it is entered.",
    );
    expect((await listTips(tipster.id))[0]?.result).toBeNull();
    expect((await submitForm(request, "/result", fields)).text).toContain("Marked as lost");
    expect((await listTips(tipster.id))[0]?.result).toBe("lost");
  });
});

describe("the daily batch", () => {
  const buildRace = (index: number, raceNumber: number, overrides: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries({
        raceNumber: String(raceNumber),
        raceTime: "",
        horseNumber: "7",
        horseName: `Form Horse ${raceNumber}`,
        tipType: "win",
        confidence: "high",
        analysis: "Drawn well.",
        ...overrides,
      }).map(([field, value]) => [`races.${index}.${field}`, value]),
    );
  const buildBatch = async (overrides: Record<string, string> = {}) => ({
    idempotencyKey: randomUUID(),
    venueId: (await findTestVenue()).id,
    raceDate: addDays(TODAY, 1),
    ...buildRace(0, 1),
    ...buildRace(1, 2),
    ...overrides,
  });

  it("accepts off times in several notations", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    expect(await (await request("/tipster-dashboard/add")).text()).not.toContain('type="time"');
    const times = { "races.0.raceTime": "1405", "races.1.raceTime": "14h40" };
    expect((await submitForm(request, "/add", await buildBatch(times))).status).toBe(200);
    expect((await listTips(tipster.id)).map((tip) => tip.offAt && timeAt(tip.offAt))).toEqual([
      "14:05",
      "14:40",
    ]);
  });

  it("warns about unknown off times before and after 11:00 on the race day", async () => {
    const request = await createSender(await makeTipster());
    const page = async () => readVisibleText(await request("/tipster-dashboard/add"));
    expect(await page()).not.toContain("Meeting not confirmed");
    freezeClock(instantAt(TODAY, "10:00"));
    expect(await page()).toContain(
      "Meeting not confirmed. Publish before 11:00: after that, a tip counts in your record only if an off at least 2 hours later is reported.",
    );
    freezeClock(instantAt(TODAY, "11:00"));
    expect(await page()).toContain(
      "Meeting not confirmed, and it is past 11:00 on race day: this tip counts in your record only if an off at least 2 hours later is reported.",
    );
  });

  it("can be published without JavaScript", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    const page = await (await request("/tipster-dashboard/add?races=3")).text();
    expect(page).toContain('name="races.2.horseName"');
    expect(page).toMatch(/name="idempotencyKey" value="[0-9a-f-]{36}"/);
    const response = await submitForm(request, "/add", await buildBatch());
    expect(response.status).toBe(200);
    expect(response.text).toContain("Tips published");
    expect(response.text).toContain("races 1 and 2.");
    expect((await listTips(tipster.id)).map((tip) => tip.horseName)).toEqual([
      "Form Horse 1",
      "Form Horse 2",
    ]);
  });

  it.each<[Record<string, string>, number, string]>([
    [{ venueId: "" }, 422, "Please select a venue and race date."],
    [{ raceDate: "" }, 422, "Please select a venue and race date."],
    [{ "races.1.horseName": "" }, 422, "Please fill in all fields for each race."],
    [{ "races.1.horseNumber": "0" }, 422, "Horse number must be from 1 to 30."],
    [{ "races.1.tipType": "" }, 422, "Please fill in all fields for each race."],
    [
      { "races.1.raceNumber": "1" },
      422,
      "Race 1 is already selected. Please choose a different race number.",
    ],
    [{ "races.1.raceNumber": "13" }, 422, "Race number must be from 1 to 12."],
    [{ raceDate: "2026-11-20" }, 422, "That date has passed."],
    [{ raceDate: "2027-01-20" }, 422, "That date is too far ahead."],
    [{ venueId: randomUUID() }, 422, "You can't publish tips for that venue at the moment."],
  ])(
    "refuses a batch with %j, returns %i and preserves the input",
    async (overrides, status, message) => {
      const tipster = await makeTipster();
      const response = await submitForm(
        await createSender(tipster),
        "/add",
        await buildBatch(overrides),
      );
      expect(response.status).toBe(status);
      expect(response.text).toContain(message);
      expect(response.text).toContain("Drawn well.");
      expect(await listTips(tipster.id)).toEqual([]);
    },
  );

  it("names each race that has started and each race number already on the race card", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    const venue = await findTestVenue("vaal");
    await reportOffTimes(venue.id, TODAY, { firstOff: "12:00" });
    freezeClock(instantAt(TODAY, "12:01"));
    const startedResponse = await submitForm(
      request,
      "/add",
      await buildBatch({ venueId: venue.id, raceDate: TODAY }),
    );
    expect(startedResponse.status).toBe(409);
    expect(startedResponse.text).toContain("Race 1 has already started.");
    await submitForm(request, "/add", await buildBatch());
    const duplicateResponse = await submitForm(
      request,
      "/add",
      await buildBatch({ ...buildRace(2, 3) }),
    );
    expect(duplicateResponse.status).toBe(409);
    for (const number of [1, 2])
      expect(duplicateResponse.text).toContain(
        `Race ${number} is already selected. Please choose a different race number.`,
      );
    expect(await listTips(tipster.id)).toHaveLength(2);
  });

  it("is published once despite repeated or concurrent requests", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    const fields = await buildBatch();
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => submitForm(request, "/add", fields)),
    );
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
    expect((await submitForm(request, "/add", fields)).status).toBe(200);
    expect(await listTips(tipster.id)).toHaveLength(2);
  });

  it("uses the signed-in creator and the price of 4 coins regardless of the form", async () => {
    const tipster = await makeTipster();
    const otherTipster = await makeTipster();
    const response = await submitForm(
      await createSender(tipster),
      "/add",
      await buildBatch({
        created_by: otherTipster.id,
        creatorId: otherTipster.id,
        cost: "0",
        is_active: "false",
      }),
    );
    expect(response.status).toBe(200);
    expect(await listTips(otherTipster.id)).toEqual([]);
    expect((await listTips(tipster.id)).some((tip) => tip.isHidden)).toBe(false);
  });

  it("returns the published race numbers and the reported off times", async () => {
    const tipster = await makeTipster();
    const { venue } = await publishRaceCard({
      creatorId: tipster.id,
      venue: "scottsville",
      raceDate: TODAY,
      races: [2],
    });
    await reportOffTimes(venue.id, TODAY, { firstOff: "13:00", races: 2 });
    const path = `/tipster-dashboard/batch-day?venue=${venue.id}&date=${TODAY}`;
    const body = await (await (await createSender(tipster))(path)).text();
    expect(JSON.parse(body)).toMatchObject({
      publishedNumbers: [2],
      offTimes: [
        { raceNumber: 1, time: "13:00" },
        { raceNumber: 2, time: "13:35" },
      ],
    });
    const otherBody = await (await (await createSender(await makeTipster()))(path)).text();
    expect(JSON.parse(otherBody).publishedNumbers).toEqual([]);
  });
});

async function countResultEntries(tipId: string): Promise<number> {
  const { rows } = await pool().query("select from result_entries where tip_id = $1", [tipId]);
  return rows.length;
}

describe("the W and L buttons", () => {
  async function createSettleableTip() {
    const tipster = await makeTipster();
    await publishRaceCard({
      creatorId: tipster.id,
      venue: "greyville",
      raceDate: TODAY,
      races: [{ raceNumber: 1, raceTime: "12:00" }],
    });
    const [tip] = await listTips(tipster.id);
    return { tipster, request: await createSender(tipster), tipId: tip?.id ?? "" };
  }
  const advancePastOff = () => freezeClock(instantAt(TODAY, "12:30"));

  it("appear after the off and disappear once a result is entered", async () => {
    const { tipster, request, tipId } = await createSettleableTip();
    expect(await readVisibleText(await request("/tipster-dashboard/tips"))).toContain(
      "Opens after the off",
    );
    advancePastOff();
    expect(await (await request("/tipster-dashboard/tips")).text()).toContain(
      "W: mark race 1, Secret Horse 1, as won",
    );
    const response = await submitForm(request, "/result", { tipId, result: "won" });
    expect(response.status).toBe(200);
    expect(response.text).toContain("Marked as won");
    // The tipster's own mark is a claim.
    expect(await findCreator(tipster.id)).toMatchObject({ record: { settled: 0, won: 0 } });
    expect(await (await request("/tipster-dashboard/tips")).text()).not.toContain("W: mark");
  });

  it("are refused before the off, for another creator's tip and for invalid results", async () => {
    const { request, tipId } = await createSettleableTip();
    expect(await submitForm(request, "/result", { tipId, result: "won" })).toMatchObject({
      status: 409,
    });
    advancePastOff();
    const otherRequest = await createSender(await makeTipster());
    expect(await submitForm(otherRequest, "/result", { tipId, result: "lost" })).toMatchObject({
      status: 404,
    });
    for (const fields of [{ tipId, result: "void" }, { tipId: "x", result: "won" }, { tipId }])
      expect((await submitForm(request, "/result", fields as Record<string, string>)).status).toBe(
        422,
      );
  });

  it("store one result when both are submitted together, and refuse the other", async () => {
    const { request, tipId } = await createSettleableTip();
    advancePastOff();
    const responses = await Promise.all(
      ["won", "lost"].map((result) => submitForm(request, "/result", { tipId, result })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409]);
    const refusedResponse = responses.find((response) => response.status === 409);
    expect(refusedResponse?.text).toContain("This tip already has a result.");
    expect(await countResultEntries(tipId)).toBe(1);
  });

  it("store one result when one is submitted twice", async () => {
    const { request, tipId } = await createSettleableTip();
    advancePastOff();
    for (let time = 0; time < 2; time += 1)
      expect((await submitForm(request, "/result", { tipId, result: "won" })).status).toBe(200);
    expect(await countResultEntries(tipId)).toBe(1);
  });

  it("appear in a list that is paged and filtered by venue, date and result", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    const raceNumbers = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const [venue, raceDate] of [
      ["kenilworth", TODAY],
      ["kenilworth", addDays(TODAY, 1)],
      ["vaal", addDays(TODAY, 1)],
    ] as const)
      await publishRaceCard({ creatorId: tipster.id, venue, raceDate, races: raceNumbers });
    const countTips = async (search: string) => {
      const html = await (await request(`/tipster-dashboard/tips${search}`)).text();
      return html.match(/Secret Horse \d+</g)?.length ?? 0;
    };
    const vaal = (await findTestVenue("vaal")).id;
    expect(await countTips("")).toBe(24);
    expect(await countTips(`?venue=${vaal}`)).toBe(12);
    expect(await countTips(`?date=${TODAY}`)).toBe(12);
    expect(await countTips("?result=won")).toBe(0);
    expect(await countTips("?result=nonsense&date=never&venue=nowhere")).toBe(0);
    const html = await (await request("/tipster-dashboard/tips")).text();
    const olderQuery = /href="[^"]*\?(cursor=[^"]+)"/.exec(html)?.[1];
    expect(await countTips(`?${olderQuery}`)).toBe(12);
  });
});

describe("results marked in one pass", () => {
  async function createRunTips() {
    const tipster = await makeTipster();
    await publishRaceCard({
      creatorId: tipster.id,
      raceDate: TODAY,
      races: [1, 2, 3].map((raceNumber) => ({ raceNumber, raceTime: `1${raceNumber}:00` })),
    });
    const tips = (await listTips(tipster.id)).sort((a, b) => a.raceNumber - b.raceNumber);
    freezeClock(instantAt(TODAY, "12:30"));
    const ids = tips.map((tip) => tip.id);
    return { tipster, ids, request: await createSender(tipster) };
  }
  const readResults = async (creatorId: string) =>
    (await listTips(creatorId))
      .sort((a, b) => a.raceNumber - b.raceNumber)
      .map(({ result, isClaim }) => ({ result, isClaim }));

  it("are saved as claims for the races that were chosen", async () => {
    const { tipster, ids, request } = await createRunTips();
    const page = await readVisibleText(await request("/tipster-dashboard/results"));
    expect(page).toContain("it is shown as such and counts nowhere");
    expect(page).toContain("Race 1, Secret Horse 1");
    expect(page).not.toContain("Race 3, Secret Horse 3");
    const [first = "", second = ""] = ids;
    const fields = { [`result.${first}`]: "won", [`result.${second}`]: "lost" };
    const response = await submitForm(request, "/results", fields);
    expect(response.status).toBe(200);
    expect(response.text).toContain("2 results marked");
    expect(response.text).toContain("No results to mark");
    expect(await readResults(tipster.id)).toEqual([
      { result: "won", isClaim: true },
      { result: "lost", isClaim: true },
      { result: null, isClaim: false },
    ]);
    expect(await findCreator(tipster.id)).toMatchObject({ record: { settled: 0, won: 0 } });
  });

  it("are refused without a choice, and for a value that is no result", async () => {
    const { tipster, ids, request } = await createRunTips();
    for (const fields of [{}, { [`result.${ids[0]}`]: "void" }, { "result.x": "won" }]) {
      const response = await submitForm(request, "/results", fields as Record<string, string>);
      expect(response.status).toBe(422);
      expect(response.text).toContain("Please choose won or lost for at least one race.");
    }
    expect((await readResults(tipster.id)).every(({ result }) => result === null)).toBe(true);
  });

  it("are all refused when one of them is too early, and the others stay chosen", async () => {
    const { tipster, ids, request } = await createRunTips();
    const body = new URLSearchParams({
      [`result.${ids[0]}`]: "lost",
      [`result.${ids[2]}`]: "won",
    });
    const response = await request("/tipster-dashboard/results", { method: "POST", body });
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(html).toContain("Nothing was saved: 1 of the 2 can&#x27;t be marked.");
    expect(html.match(/<input[^>]*checked=""[^>]*>/g)).toEqual([
      expect.stringMatching(
        new RegExp(
          `name="result\\.${ids[0]}".*value="lost"|value="lost".*name="result\\.${ids[0]}"`,
        ),
      ),
    ]);
    expect((await readResults(tipster.id)).every(({ result }) => result === null)).toBe(true);
  });

  it("are refused for another creator's tips and for a suspended creator", async () => {
    const { tipster, ids, request } = await createRunTips();
    const fields = { [`result.${ids[0]}`]: "won" };
    const otherRequest = await createSender(await makeTipster());
    expect((await submitForm(otherRequest, "/results", fields)).status).toBe(404);
    await pool().query("update creators set suspended_at = $2 where user_id = $1", [
      tipster.id,
      now(),
    ]);
    expect((await submitForm(request, "/results", fields)).status).toBe(403);
    expect((await readResults(tipster.id))[0]?.result).toBeNull();
  });

  it("are saved once for repeated requests, and one of two different concurrent ones wins", async () => {
    const { ids, request } = await createRunTips();
    const [first = "", second = ""] = ids;
    for (let time = 0; time < 2; time += 1)
      expect((await submitForm(request, "/results", { [`result.${first}`]: "won" })).status).toBe(
        200,
      );
    expect(await countResultEntries(first)).toBe(1);
    const responses = await Promise.all(
      ["won", "lost"].map((result) =>
        submitForm(request, "/results", { [`result.${second}`]: result }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await countResultEntries(second)).toBe(1);
  });
});

describe("today", () => {
  const readToday = async (request: SendRequest) =>
    await readVisibleText(await request("/tipster-dashboard"));

  it("says what to do before the first race card", async () => {
    const text = await readToday(await createSender(await makeTipster()));
    expect(text).toContain("Today, Sat, 21 Nov");
    expect(text).toContain("No race card for today");
    expect(text).toContain("Closing for tips A race closes for tips 2 hours before its off.");
    expect(text).not.toContain("to mark");
  });

  it("shows each published race card with its state and what it has brought", async () => {
    const tipster = await makeTipster();
    const other = await makeTipster();
    const venue = await findTestVenue("vaal");
    await reportOffTimes(venue.id, TODAY, { firstOff: "13:00", races: 3 });
    const raceCard = await publishRaceCard({
      creatorId: tipster.id,
      venue: "vaal",
      raceDate: TODAY,
      races: [1, 2, 3],
    });
    const othersCard = await publishRaceCard({ creatorId: other.id, raceDate: TODAY });
    for (const opened of [raceCard, raceCard, othersCard])
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, opened);
    await publishRaceCard({ creatorId: tipster.id, venue: "vaal", raceDate: addDays(TODAY, 1) });
    const request = await createSender(tipster);
    const morning = await readToday(request);
    expect(morning).toContain("Opened by 2 Taken R80.00 Your share R56.00");
    expect(morning).toContain("Vaal, Sat, 21 Nov On sale");
    expect(morning).toContain("Opened by 2 · R80.00 taken · your share R56.00");
    expect(morning).toContain("Later Vaal, Sun, 22 Nov On sale");
    expect(morning).toContain("Not opened yet");
    freezeClock(instantAt(TODAY, "13:05"));
    const underway = await readToday(request);
    expect(underway).toContain("Vaal, Sat, 21 Nov On sale 1 of 3 races run");
    expect(underway).toContain("1 result to mark");
    freezeClock(instantAt(TODAY, "16:00"));
    const evening = await readToday(request);
    expect(evening).toContain("Vaal, Sat, 21 Nov Run");
    expect(evening).toContain("3 results to mark");
  });

  it("counts neither reversed sales nor other creators' race cards", async () => {
    const tipster = await makeTipster();
    const raceCard = await publishRaceCard({ creatorId: tipster.id, raceDate: TODAY });
    const buyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(buyer.id, raceCard);
    await reverseEarningsOfBuyer(buyer.id);
    expect(await readToday(await createSender(tipster))).toContain("Not opened yet");
    const text = await readToday(await createSender(await makeTipster()));
    expect(text).not.toContain("Kenilworth, Sat, 21 Nov On sale");
  });

  it("says when the next race of each reported meeting closes for tips", async () => {
    // No other test reports a race day near this one.
    const raceDate = addDays(TODAY, 30);
    const venue = await findTestVenue("vaal");
    await reportOffTimes(venue.id, raceDate, { firstOff: "13:00", races: 2 });
    freezeClock(instantAt(raceDate, "10:40"));
    const request = await createSender(await makeTipster());
    expect(await readToday(request)).toContain(
      "Vaal, Mon, 21 Dec No tips yet Race 1 closes at 11:00, in 20 min",
    );
    freezeClock(instantAt(raceDate, "11:00"));
    expect(await readToday(request)).toContain("Race 2 closes at 11:35, in 35 min");
    freezeClock(instantAt(raceDate, "11:35"));
    expect(await readToday(request)).toContain(
      "No race of the next three days has a reported off that is open.",
    );
  });

  it("names the scratched horses of the creator's own race cards", async () => {
    const tipster = await makeTipster();
    await publishRaceCard({ creatorId: tipster.id, raceDate: TODAY, races: [1, 2] });
    const [tip] = (await listTips(tipster.id)).filter(({ raceNumber }) => raceNumber === 2);
    await pool().query(
      `insert into tip_scratchings (tip_id, race_card_id, scratched_at) values ($1, $2, $3)`,
      [tip?.id, tip?.raceCardId, now()],
    );
    expect(await readToday(await createSender(tipster))).toContain(
      `Scratched Race 2: #${tip?.horseNumber} Secret Horse 2. Your buyers see it on the race card.`,
    );
  });
});

describe("the earnings page", () => {
  async function createCreatorWithSales(sales: number) {
    freezeClock(instantAt("2026-11-01", "08:00"));
    const tipster = await makeTipster();
    await writeBankDetails(tipster.id, BANK_DETAILS);
    const raceCard = await publishRaceCard({ creatorId: tipster.id });
    for (let sale = 0; sale < sales; sale += 1)
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, raceCard);
    freezeClock(instantAt(TODAY, "08:00"));
    return { tipster, request: await createSender(tipster) };
  }

  it("shows the totals, the sales, the pay day and the bank account", async () => {
    const { request } = await createCreatorWithSales(12);
    const text = await readVisibleText(await request("/tipster-dashboard/earnings"));
    for (const part of [
      "R336.00 R336.00 due on Tue, 15 Dec",
      "Next pay day 15 Dec 2026",
      "account ending in 7890",
      "Total sales 12",
      "Earnings of November 2026",
      "Kenilworth",
      "3 races 12 sold Payable R336.00",
      "Payable R336.00 12 sold, earned R336.00",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("1234567890");
  });

  it("shows one month of race cards, and the months before and after", async () => {
    freezeClock(instantAt("2026-10-30", "08:00"));
    const tipster = await makeTipster();
    for (const [raceDate, buyers] of [
      ["2026-10-31", 1],
      ["2026-11-01", 2],
    ] as const) {
      const raceCard = await publishRaceCard({ creatorId: tipster.id, raceDate });
      for (let buyer = 0; buyer < buyers; buyer += 1)
        await unlockRaceCardAs((await makeUser({ coins: 4 })).id, raceCard);
    }
    const request = await createSender(tipster);
    const readPage = async (search = "") =>
      await readVisibleText(await request(`/tipster-dashboard/earnings${search}`));
    const october = await readPage();
    expect(october).toContain("Earnings of October 2026");
    expect(october).toContain("until 13 Nov 2026");
    expect(october).toContain("1 sold, earned R28.00");
    const november = await readPage("?month=2026-11");
    expect(november).toContain("2 sold, earned R56.00");
    expect(november).toContain("October 2026");
    expect(november).not.toContain("December 2026");
    expect(await readPage("?month=2026-12")).toContain("No sales in December 2026");
    expect(await readPage("?month=nonsense")).toContain("Earnings of October 2026");
  });

  it("says in words why an earning is held or reversed, and when payouts resume", async () => {
    const tipster = await makeTipster();
    await writeBankDetails(tipster.id, BANK_DETAILS);
    const raceCard = await publishRaceCard({ creatorId: tipster.id });
    const buyers = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })] as const;
    for (const buyer of buyers) await unlockRaceCardAs(buyer.id, raceCard);
    await holdEarningsOfBuyer(buyers[0].id);
    await reverseEarningsOfBuyer(buyers[1].id);
    const request = await createSender(tipster);
    const text = await readVisibleText(await request("/tipster-dashboard/earnings"));
    expect(text).toContain("Held 1 sold, R28.00 · We're reviewing the sale");
    expect(text).toContain("Reversed 1 sold, R28.00 · Reversed after review");
    expect(text).toContain("Your bank details have changed. Payouts resume on 24 Nov 2026");
  });

  it("starts one payout on request", async () => {
    const { request } = await createCreatorWithSales(4);
    const response = await submitForm(request, "/payout", {});
    expect(response).toMatchObject({ status: 200 });
    expect(response.text).toContain("R112.00 is in progress");
    const secondResponse = await submitForm(request, "/payout", {});
    expect(secondResponse.status).toBe(409);
    expect(secondResponse.text).toContain("You already have a payout in progress");
    expect(await readVisibleText(await request("/tipster-dashboard/earnings"))).toContain(
      "R112.00 is in progress",
    );
  });

  it("refuses a payout below the minimum and shows the missing amount", async () => {
    const { request } = await createCreatorWithSales(3);
    const response = await submitForm(request, "/payout", {});
    expect(response.status).toBe(409);
    expect(response.text).toContain("You need R16.00 more for a payout");
    const otherRequest = await createSender(await makeTipster());
    expect((await submitForm(otherRequest, "/payout", {})).text).toContain(
      "You need R100.00 more for a payout",
    );
  });

  it("shows no earnings of other creators", async () => {
    const { tipster } = await createCreatorWithSales(4);
    const otherRequest = await createSender(await makeTipster());
    for (const search of ["", `?creatorId=${tipster.id}`, "?before=999999999"]) {
      const text = await readVisibleText(
        await otherRequest(`/tipster-dashboard/earnings${search}`),
      );
      expect(text).toContain("No sales data found");
      expect(text).not.toContain("ending in 7890");
    }
  });
});

describe("bank details", () => {
  it("require the password and show only the last four digits of the account", async () => {
    const tipster = await makeTipster();
    await setPassword(tipster.id, "a good long password");
    const request = await createSender(tipster);
    const fields = { ...BANK_DETAILS, accountNumber: "12 3456-7890" };
    const refusedResponse = await submitForm(request, "/bank-details", {
      ...fields,
      password: "wrong one",
    });
    expect(refusedResponse.status).toBe(422);
    expect(refusedResponse.text).toContain("Password is incorrect");
    const acceptedResponse = await submitForm(request, "/bank-details", {
      ...fields,
      password: "a good long password",
    });
    expect(acceptedResponse.status).toBe(200);
    expect(acceptedResponse.text).toMatch(/account ending in 7890 ?, from 24 Nov 2026, 08:00 on\./);
    expect(acceptedResponse.text).not.toContain("1234567890");
  });

  it.each([
    [{ holder: "" }, "Please enter the account holder's name"],
    [{ bank: "" }, "Please enter the bank"],
    [{ branchCode: "4700" }, "Branch code must have 6 digits"],
    [{ accountNumber: "12ab" }, "Account number must have 5 to 16 digits"],
    [{ accountType: "" }, "Please choose an account type"],
    [{ password: "" }, "Please enter your password"],
  ])("are refused with %j", async (overrides, message) => {
    const response = await submitForm(await createSender(await makeTipster()), "/bank-details", {
      ...BANK_DETAILS,
      password: "a good long password",
      ...overrides,
    });
    expect(response.status).toBe(422);
    expect(response.text).toContain(message);
  });
});

describe("the profile", () => {
  it("saves trimmed values", async () => {
    const tipster = await makeTipster();
    const name = `Renamed ${randomUUID().slice(0, 6)}`;
    const response = await submitForm(await createSender(tipster), "/profile", {
      name: `  ${name}  `,
      specialization: "Stayers",
      bio: "Patient.",
    });
    expect(response.status).toBe(200);
    expect(await findCreator(tipster.id)).toMatchObject({ name, specialization: "Stayers" });
  });

  it("requires a unique name", async () => {
    const { name } = await makeTipster();
    const request = await createSender(await makeTipster());
    const empty = await submitForm(request, "/profile", {
      name: "  ",
      specialization: "",
      bio: "",
    });
    expect(empty).toMatchObject({ status: 422 });
    expect(empty.text).toContain("Name is required");
    expect(
      (await submitForm(request, "/profile", { name, specialization: "", bio: "" })).status,
    ).toBe(409);
  });

  it.each([
    [{ currentPassword: "" }, "All fields are required"],
    [{ confirmPassword: "" }, "All fields are required"],
    [{ confirmPassword: "another one entirely" }, "New passwords don't match"],
    [
      { newPassword: "five5", confirmPassword: "five5" },
      "New password must be at least 6 characters",
    ],
    [{ currentPassword: "not the one" }, "Current password is incorrect"],
    [
      { newPassword: "password", confirmPassword: "password" },
      "Password is too weak. Please use a stronger password.",
    ],
  ])("refuses a password change with %j", async (overrides, message) => {
    const tipster = await makeTipster();
    await setPassword(tipster.id, "a good long password");
    const response = await submitForm(await createSender(tipster), "/password", {
      currentPassword: "a good long password",
      newPassword: "an even longer password",
      confirmPassword: "an even longer password",
      ...overrides,
    });
    expect(response.status).toBe(422);
    expect(response.text).toContain(message);
  });

  it("changes the password and ends all other sessions", async () => {
    const tipster = await makeTipster();
    await setPassword(tipster.id, "a good long password");
    const otherSession = await createSender(tipster);
    const request = await createSender(tipster);
    const response = await submitForm(request, "/password", {
      currentPassword: "a good long password",
      newPassword: "an even longer password",
      confirmPassword: "an even longer password",
    });
    expect(response.text).toContain("Password updated successfully!");
    expect(response.headers.getSetCookie().join()).toContain("furlong=");
    // The previous cookie is invalid in this browser too.
    for (const session of [request, otherSession])
      expect((await session("/tipster-dashboard")).headers.get("location")).toBe("/tipster-auth");
  });

  it("accepts a photo file with any name", async () => {
    const tipster = await makeTipster();
    const request = await createSender(tipster);
    const bytes = await sharp({
      create: { width: 300, height: 500, channels: 3, background: "#0f4d35" },
    })
      .png()
      .toBuffer();
    const post = async (file: File | null) => {
      const body = new FormData();
      if (file) body.set("photo", file);
      return await request("/tipster-dashboard/photo", { method: "POST", body });
    };
    const name = "../../etc/passwd\0.html";
    const response = await post(new File([new Uint8Array(bytes)], name, { type: "text/html" }));
    expect(response.status).toBe(200);
    expect(await readVisibleText(response)).toContain("Profile photo updated successfully!");
    expect((await findCreator(tipster.id))?.photo).toMatch(/^\/uploads\/[0-9a-f]{32}\//);
    expect((await post(null)).status).toBe(422);
    expect((await post(new File(["<html>"], "photo.png", { type: "image/png" }))).status).toBe(415);
    const largeFile = new File([new Uint8Array(5 * 1024 * 1024 + 1)], "photo.png");
    const refusedResponse = await post(largeFile);
    expect(refusedResponse.status).toBe(413);
    expect(await readVisibleText(refusedResponse)).toContain("larger than 5 MB");
  });
});

describe("the analyst's form", () => {
  const PATH = "/admin/add-tip";
  const fields = async (overrides: Record<string, string> = {}) => ({
    idempotencyKey: randomUUID(),
    venueId: (await findTestVenue()).id,
    raceDate: TODAY,
    raceNumber: "4",
    raceTime: "14:05",
    horseNumber: "20",
    horseName: "Analyst Horse",
    tipType: "each-way",
    confidence: "low",
    reasoning: "Drawn well.",
    ...overrides,
  });
  const post = async (request: SendRequest, body: Record<string, string>) => {
    const response = await request(PATH, { method: "POST", body: new URLSearchParams(body) });
    return { status: response.status, text: await readVisibleText(response) };
  };

  it("publishes a tip under the analyst's name, today by default", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    const request = await createSender(analyst);
    const page = await (await request(PATH)).text();
    expect(page).toContain(`value="${TODAY}"`);
    expect(page).toContain(`value="${analyst.name}"`);
    for (const venue of [
      "Kenilworth",
      "Greyville",
      "Turffontein",
      "Vaal",
      "Scottsville",
      "Fairview",
    ])
      expect(page).toContain(venue);
    const body = new URLSearchParams(await fields({ tipsterName: "Somebody Else" }));
    const response = await request(PATH, { method: "POST", body });
    expect(response.status).toBe(200);
    const nextPage = await response.text();
    expect(nextPage).toContain("Racing tip added successfully!");
    expect(nextPage).toMatch(/<option value="5" selected="">/);
    expect(await listTips(analyst.id)).toMatchObject([
      { raceNumber: 4, horseNumber: 20, horseName: "Analyst Horse", tipType: "each-way" },
    ]);
  });

  it("accepts an off time without a colon and refuses 12-hour notation", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    const request = await createSender(analyst);
    const refusedResponse = await post(request, await fields({ raceTime: "2:05 pm" }));
    expect(refusedResponse.status).toBe(422);
    expect(refusedResponse.text).toContain("Off time must use the 24-hour clock, such as 14:05.");
    expect((await post(request, await fields({ raceTime: "1405" }))).status).toBe(200);
    expect((await listTips(analyst.id)).map((tip) => tip.offAt)).toEqual([
      instantAt(TODAY, "14:05"),
    ]);
  });

  it("names every field that is missing", async () => {
    const request = await createSender(await makeTipster({ kind: "analyst" }));
    const response = await post(
      request,
      await fields({ raceTime: "", horseName: " ", reasoning: "" }),
    );
    expect(response.status).toBe(422);
    expect(response.text).toContain(
      "Missing Required Fields Please fill in: race time, horse name, reasoning",
    );
    const empty = await post(request, {});
    expect(empty.text).toContain(
      "Please fill in: venue, race date, race number, race time, horse number, horse name, tip type, confidence, reasoning",
    );
  });

  it.each([
    [{ raceNumber: "13" }, 422, "Race number must be from 1 to 12."],
    [{ horseNumber: "21" }, 422, "Horse number must be from 1 to 20."],
    [{ raceTime: "07:30" }, 409, "Race 4 has already started."],
    [{ raceDate: "2026-11-20" }, 409, "That date has passed."],
  ])("refuses %j", async (overrides, status, message) => {
    const analyst = await makeTipster({ kind: "analyst" });
    const response = await post(await createSender(analyst), await fields(overrides));
    expect(response.status).toBe(status);
    expect(response.text).toContain(message);
    expect(await listTips(analyst.id)).toEqual([]);
  });

  it("publishes one tip despite repeated or concurrent requests", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    const request = await createSender(analyst);
    const body = await fields();
    const responses = await Promise.all([1, 2, 3].map(() => post(request, body)));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(await listTips(analyst.id)).toHaveLength(1);
    const duplicateResponse = await post(request, { ...body, idempotencyKey: randomUUID() });
    expect(duplicateResponse.text).toContain(
      "Race 4 is already selected. Please choose a different race number.",
    );
  });

  it("publishes another race with the key of a published one, and refuses a changed tip", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    const request = await createSender(analyst);
    const body = await fields();
    await post(request, body);
    const changed = await post(request, { ...body, horseName: "Another Horse" });
    expect(changed.status).toBe(409);
    expect(changed.text).toContain("Race 4 is already selected.");
    const other = { ...body, raceNumber: "5", horseName: "Another Horse" };
    expect((await post(request, other)).status).toBe(200);
    expect(await listTips(analyst.id)).toMatchObject([
      { raceNumber: 4, horseName: "Analyst Horse" },
      { raceNumber: 5, horseName: "Another Horse" },
    ]);
  });

  it("refuses everyone except analysts", async () => {
    expect((await sendAsGuest(PATH)).headers.get("location")).toBe("/analyst");
    for (const person of [await makeUser(), await makeTipster(), await makeAdmin()]) {
      const request = await createSender(person);
      expect((await request(PATH)).status).toBe(403);
      expect((await post(request, await fields())).status).toBe(403);
    }
  });
});
