import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "#accounts/accounts.server.ts";
import { api } from "#api.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { updateStaleFigures } from "#records/figures/update-figures.server.ts";
import { DOWNLOADS, OPERATIONS } from "#site/openapi/openapi.route.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { findTestVenue, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";

const PASSWORD = "a-very-long-password";

type Call = {
  role: "guest" | "user" | "user without coins" | "creator";
  path?: string;
  init?: RequestInit;
  status: number;
};

let callers: Record<Call["role"], SendRequest>;
let calls: Record<string, Call[]>;

beforeAll(async () => {
  const card = await publishRaceCard();
  const email = `api-${randomUUID().slice(0, 8)}@example.test`;
  await makeUser({ email, passwordHash: await hashPassword(PASSWORD) });
  const user = await makeUser({ coins: 50 });
  stubFetchInProcess();
  callers = {
    guest: sendAsGuest,
    user: await createSender(user),
    "user without coins": await createSender(await makeUser({ coins: 3 })),
    creator: await createSender({ id: card.creatorId }),
  };
  const json = (body: unknown): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const unlock = (id: string) => `/api/race-cards/${id}/unlock`;
  const post = { method: "POST" };
  calls = {
    "post /api/sign-in": [
      { role: "guest", init: json({ email, password: PASSWORD }), status: 200 },
      { role: "guest", init: json({ email, password: "not this one" }), status: 401 },
      { role: "guest", init: json({ email: 7 }), status: 400 },
    ],
    "post /api/sign-out": [{ role: "guest", init: post, status: 200 }],
    "get /api/me": [
      { role: "user", status: 200 },
      { role: "guest", status: 401 },
    ],
    "get /api/race-cards": [
      { role: "guest", status: 200 },
      { role: "guest", path: "/api/race-cards?venue=kenilworth&date=2026-01-01", status: 200 },
      { role: "guest", path: "/api/race-cards?date=soon", status: 400 },
      { role: "guest", path: "/api/race-cards?venue=ascot", status: 404 },
      { role: "guest", path: "/api/race-cards?cursor=made-up", status: 400 },
      { role: "guest", path: "/api/race-cards?date=2026-01-01&cursor=made-up", status: 400 },
    ],
    "post /api/race-cards/{id}/unlock": [
      { role: "guest", path: unlock(card.raceCardId), init: post, status: 401 },
      { role: "user without coins", path: unlock(card.raceCardId), init: post, status: 402 },
      { role: "creator", path: unlock(card.raceCardId), init: post, status: 403 },
      { role: "user", path: unlock(randomUUID()), init: post, status: 404 },
      {
        role: "user",
        path: unlock(card.raceCardId),
        init: json({ acknowledgedRacesRun: "x" }),
        status: 400,
      },
      { role: "user", path: unlock(card.raceCardId), init: post, status: 200 },
      { role: "user", path: unlock(card.raceCardId), init: post, status: 200 },
      { role: "user", path: "/api/race-cards", status: 200 },
    ],
    "get /api/leaderboard": [{ role: "guest", status: 200 }],
    "get /api/venues": [{ role: "guest", status: 200 }],
    "post /.netlify/functions/create-checkout-session": [
      { role: "user", init: json({ packageId: "value_8" }), status: 200 },
      { role: "user", init: json({}), status: 400 },
      { role: "guest", init: json({ packageId: "value_8" }), status: 401 },
      { role: "user", init: json({ packageId: "unlock_tip_starter" }), status: 403 },
      { role: "user", init: json({ packageId: "value_8", price: 1 }), status: 422 },
    ],
    "post /.netlify/functions/send-purchase-receipt": [
      { role: "user", init: json({}), status: 400 },
      { role: "guest", init: json({ transactionId: "x" }), status: 401 },
      { role: "user", init: json({ transactionId: "x" }), status: 404 },
      { role: "user", init: json({ transactionId: "x", email }), status: 403 },
    ],
    "post /.netlify/functions/send-welcome-email-sendgrid": [
      { role: "user", init: json({ email: user.email }), status: 200 },
      { role: "user", init: json({}), status: 400 },
      { role: "guest", init: json({ email }), status: 401 },
      { role: "user", init: json({ email }), status: 403 },
    ],
    "post /.netlify/functions/send-tipster-application": [
      {
        role: "guest",
        init: json({ email, fullName: "Sipho Dlamini", displayName: `Api ${randomUUID()}` }),
        status: 200,
      },
      { role: "guest", init: json({}), status: 422 },
      { role: "guest", init: { ...json({}), body: "{" }, status: 400 },
    ],
    "post /.netlify/functions/send-tip-notification": [
      {
        role: "creator",
        init: json({ tipData: { venue: card.venue.name, race_date: card.raceDate } }),
        status: 200,
      },
      { role: "creator", init: json({}), status: 400 },
      { role: "guest", init: json({}), status: 401 },
      { role: "user", init: json({}), status: 403 },
    ],
    "post /.netlify/functions/update-tipster-profile": [
      { role: "creator", init: json({ name: `Api ${randomUUID()}` }), status: 200 },
      { role: "creator", init: json(null), status: 422 },
      { role: "guest", init: json({}), status: 401 },
      { role: "user", init: json({}), status: 403 },
    ],
    "post /.netlify/functions/update-tipster-profile-image": [
      { role: "creator", init: json({}), status: 400 },
      { role: "creator", init: json({ imageData: "data:text/html,hello" }), status: 415 },
      { role: "guest", init: json({}), status: 401 },
      { role: "user", init: json({}), status: 403 },
    ],
  };
});

const operations = Object.entries(OPERATIONS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    operation,
  })),
);

function isDataPath(path: string): boolean {
  return /^\/(api|\.netlify)\//.test(path) && path !== "/api/openapi.json";
}

describe("the JSON API", () => {
  async function sendInvalidRequest(path: string, init: RequestInit = {}) {
    const response = await sendAsGuest(path, init);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(await response.clone().json()).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
    return response;
  }

  it.each(["/api", "/api/nothing", "/.netlify/functions/nothing", "/api/me/nothing"])(
    "returns 404 as JSON for the unknown path %s",
    async (path) => {
      for (const method of ["GET", "POST", "DELETE"])
        expect((await sendInvalidRequest(path, { method })).status).toBe(404);
    },
  );

  it("returns 405 with the allowed methods for another method", async () => {
    for (const { path, name } of operations) {
      const allowedMethod = name.split(" ")[0]?.toUpperCase() ?? "";
      const url = path.replace("{id}", randomUUID());
      for (const method of ["GET", "POST", "PUT", "DELETE"].filter(
        (candidate) => candidate !== allowedMethod,
      )) {
        const response = await sendInvalidRequest(url, { method });
        expect({ url, method, status: response.status }).toMatchObject({ status: 405 });
        expect(response.headers.get("Allow")).toContain(allowedMethod);
      }
    }
  });

  it("refuses bodies that are not JSON or too large", async () => {
    for (const { path, name } of operations) {
      if (!name.startsWith("post ") || path === "/api/sign-out") continue;
      const url = path.replace("{id}", randomUUID());
      const form = new URLSearchParams({ email: "x" });
      expect((await sendInvalidRequest(url, { method: "POST", body: form })).status).toBe(415);
      if (url.endsWith("image")) continue;
      const largeRequest = { method: "POST", body: JSON.stringify({ email: "x".repeat(70_000) }) };
      const headers = { "Content-Type": "application/json" };
      expect((await sendInvalidRequest(url, { ...largeRequest, headers })).status).toBe(413);
    }
  });

  it("names missing and invalid fields in the error message", async () => {
    const readError = async (body: unknown) => {
      const init = { method: "POST", headers: { "Content-Type": "application/json" } };
      const path = "/.netlify/functions/create-checkout-session";
      return (await (await sendAsGuest(path, { ...init, body: JSON.stringify(body) })).json())
        .error;
    };
    expect(await readError({})).toBe("packageId is missing");
    expect(await readError(null)).toBe("Send a JSON object.");
    expect(await readError({ packageId: "value_8", price: "R70" })).toBe(
      "price has the wrong type or format",
    );
    expect(await readError({ packageId: "value_8", userRegistration: {} })).toBe(
      "userRegistration.email is missing",
    );
  });

  it("describes every endpoint", () => {
    const registered = api()
      .routes.filter(({ method, path }) => isDataPath(path) && method !== "ALL")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(registered)].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it("serves its OpenAPI 3.1 description", async () => {
    const description = await (await sendAsGuest("/api/openapi.json")).json();
    expect(description.openapi).toBe("3.1.0");
    expect(Object.keys(description.paths)).toEqual(Object.keys({ ...OPERATIONS, ...DOWNLOADS }));
  });

  it.each(operations)("responds to $name as described", async ({ name, path, operation }) => {
    expect(calls[name]?.length).toBeGreaterThan(0);
    for (const call of calls[name] ?? []) {
      const response = await callers[call.role](call.path ?? path, call.init);
      expect({ call, status: response.status }).toEqual({ call, status: call.status });
      // A request that verifies another operation's effect is checked against its own description.
      const described = call.path === "/api/race-cards" ? getRaceCardsOperation() : operation;
      const description = described.responses[response.status];
      expect(description, `${name} does not describe ${response.status}`).toBeDefined();
      if (!description?.schema) continue;
      const parsed = v.safeParse(description.schema, await response.json());
      expect(parsed.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toBe(
        undefined,
      );
    }
  });
});

describe("the download of a record", () => {
  afterAll(() => freezeClock(null));

  it("is as described, with figures and without", async () => {
    const raceDate = "2028-08-01";
    freezeClock(instantAt(raceDate, "07:00"));
    const tipster = await makeTipster();
    const venueId = (await findTestVenue()).id;
    await reportRacesWithRunners(venueId, raceDate, { races: 2 });
    await publishRaceCard({
      creatorId: tipster.id,
      raceDate,
      races: [1, 2].map((raceNumber) => ({
        raceNumber,
        horseNumber: 1,
        horseName: "Horse 1",
        tipType: raceNumber === 1 ? "win" : "each-way",
      })),
    });
    const download = async () => {
      const response = await sendAsGuest(`/records/${tipster.slug}.json`);
      const schema = DOWNLOADS["/records/{slug}.json"]?.get.responses[200]?.schema;
      return v.parse(schema as v.GenericSchema<Record<string, unknown>>, await response.json());
    };
    expect(await download()).toMatchObject({ figures: null, tips: [] });
    const confirmResult = await createResultConfirmer();
    const prices = [1, 2, 3, 4, 5, 6].map((number): [number, string] => [number, `${number}/1`]);
    await confirmResult({ venueId, raceDate, raceNumber: 1 }, { order: prices });
    await confirmResult({ venueId, raceDate, raceNumber: 2 }, { order: [], status: "abandoned" });
    while ((await updateStaleFigures()) > 0);
    // The selection of a race that was not run becomes public at midnight.
    freezeClock(instantAt(addDays(raceDate, 1)));
    expect(await download()).toMatchObject({
      figures: { settled: 1, luck: { won: 1 } },
      tips: [{ outcome: "won" }, { outcome: "void", voidReason: "abandoned" }],
    });
  });
});

function getRaceCardsOperation() {
  const operation = OPERATIONS["/api/race-cards"]?.get;
  if (!operation) throw new Error("the list of race cards is not described");
  return operation;
}
