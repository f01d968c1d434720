import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { api } from "#api.server.ts";
import { hashPassword } from "#identity/identity.server.ts";
import { OPERATIONS } from "#site/openapi/openapi.route.ts";
import { as, asGuest, type SendRequest } from "#test/app.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";

const PASSWORD = "a-very-long-password";

type Call = {
  who: "guest" | "user" | "poor" | "creator";
  path?: string;
  init?: RequestInit;
  status: number;
};

let people: Record<Call["who"], SendRequest>;
let calls: Record<string, Call[]>;

beforeAll(async () => {
  const card = await publishRaceCard();
  const email = `api-${randomUUID().slice(0, 8)}@example.test`;
  await makeUser({ email, passwordHash: await hashPassword(PASSWORD) });
  const user = await makeUser({ coins: 50 });
  stubFetchInProcess();
  people = {
    guest: asGuest,
    user: await as(user),
    poor: await as(await makeUser({ coins: 3 })),
    creator: await as({ id: card.creatorId }),
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
      { who: "guest", init: json({ email, password: PASSWORD }), status: 200 },
      { who: "guest", init: json({ email, password: "not this one" }), status: 401 },
      { who: "guest", init: json({ email: 7 }), status: 400 },
    ],
    "post /api/sign-out": [{ who: "guest", init: post, status: 200 }],
    "get /api/me": [
      { who: "user", status: 200 },
      { who: "guest", status: 401 },
    ],
    "get /api/race-cards": [
      { who: "guest", status: 200 },
      { who: "guest", path: "/api/race-cards?venue=kenilworth&date=2026-01-01", status: 200 },
      { who: "guest", path: "/api/race-cards?date=soon", status: 400 },
      { who: "guest", path: "/api/race-cards?venue=ascot", status: 404 },
      { who: "guest", path: "/api/race-cards?cursor=made-up", status: 400 },
      { who: "guest", path: "/api/race-cards?date=2026-01-01&cursor=made-up", status: 400 },
    ],
    "post /api/race-cards/{id}/unlock": [
      { who: "guest", path: unlock(card.raceCardId), init: post, status: 401 },
      { who: "poor", path: unlock(card.raceCardId), init: post, status: 402 },
      { who: "creator", path: unlock(card.raceCardId), init: post, status: 403 },
      { who: "user", path: unlock(randomUUID()), init: post, status: 404 },
      { who: "user", path: unlock(card.raceCardId), init: json({ racesRun: "x" }), status: 400 },
      { who: "user", path: unlock(card.raceCardId), init: post, status: 200 },
      { who: "user", path: unlock(card.raceCardId), init: post, status: 200 },
      { who: "user", path: "/api/race-cards", status: 200 },
    ],
    "get /api/leaderboard": [{ who: "guest", status: 200 }],
    "get /api/venues": [{ who: "guest", status: 200 }],
    "post /.netlify/functions/create-checkout-session": [
      { who: "user", init: json({ packageId: "value_8" }), status: 200 },
      { who: "user", init: json({}), status: 400 },
      { who: "guest", init: json({ packageId: "value_8" }), status: 401 },
      { who: "user", init: json({ packageId: "unlock_tip_starter" }), status: 403 },
      { who: "user", init: json({ packageId: "value_8", price: 1 }), status: 422 },
    ],
    "post /.netlify/functions/send-purchase-receipt": [
      { who: "user", init: json({}), status: 400 },
      { who: "guest", init: json({ transactionId: "x" }), status: 401 },
      { who: "user", init: json({ transactionId: "x" }), status: 404 },
      { who: "user", init: json({ transactionId: "x", email }), status: 403 },
    ],
    "post /.netlify/functions/send-welcome-email-sendgrid": [
      { who: "user", init: json({ email: user.email }), status: 200 },
      { who: "user", init: json({}), status: 400 },
      { who: "guest", init: json({ email }), status: 401 },
      { who: "user", init: json({ email }), status: 403 },
    ],
    "post /.netlify/functions/send-tipster-application": [
      {
        who: "guest",
        init: json({ email, fullName: "Sipho Dlamini", displayName: `Api ${randomUUID()}` }),
        status: 200,
      },
      { who: "guest", init: json({}), status: 422 },
      { who: "guest", init: { ...json({}), body: "{" }, status: 400 },
    ],
    "post /.netlify/functions/send-tip-notification": [
      {
        who: "creator",
        init: json({ tipData: { venue: card.venue.name, race_date: card.raceDate } }),
        status: 200,
      },
      { who: "creator", init: json({}), status: 400 },
      { who: "guest", init: json({}), status: 401 },
      { who: "user", init: json({}), status: 403 },
    ],
    "post /.netlify/functions/update-tipster-profile": [
      { who: "creator", init: json({ name: `Api ${randomUUID()}` }), status: 200 },
      { who: "creator", init: json(null), status: 422 },
      { who: "guest", init: json({}), status: 401 },
      { who: "user", init: json({}), status: 403 },
    ],
    "post /.netlify/functions/update-tipster-profile-image": [
      { who: "creator", init: json({}), status: 400 },
      { who: "creator", init: json({ imageData: "data:text/html,hello" }), status: 415 },
      { who: "guest", init: json({}), status: 401 },
      { who: "user", init: json({}), status: 403 },
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

function isData(path: string): boolean {
  return /^\/(api|\.netlify)\//.test(path) && path !== "/api/openapi.json";
}

describe("the JSON API", () => {
  async function refusal(path: string, init: RequestInit = {}) {
    const answer = await asGuest(path, init);
    expect(answer.headers.get("Content-Type")).toContain("application/json");
    expect(await answer.clone().json()).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
    return answer;
  }

  it.each(["/api", "/api/nothing", "/.netlify/functions/nothing", "/api/me/nothing"])(
    "returns 404 as JSON for the unknown path %s",
    async (path) => {
      for (const method of ["GET", "POST", "DELETE"])
        expect((await refusal(path, { method })).status).toBe(404);
    },
  );

  it("returns 405 with the allowed methods for another method", async () => {
    for (const { path, name } of operations) {
      const known = name.split(" ")[0]?.toUpperCase() ?? "";
      const there = path.replace("{id}", randomUUID());
      for (const method of ["GET", "POST", "PUT", "DELETE"].filter((each) => each !== known)) {
        const answer = await refusal(there, { method });
        expect({ there, method, status: answer.status }).toMatchObject({ status: 405 });
        expect(answer.headers.get("Allow")).toContain(known);
      }
    }
  });

  it("refuses bodies that are not JSON or too large", async () => {
    for (const { path, name } of operations) {
      if (!name.startsWith("post ") || path === "/api/sign-out") continue;
      const there = path.replace("{id}", randomUUID());
      const form = new URLSearchParams({ email: "x" });
      expect((await refusal(there, { method: "POST", body: form })).status).toBe(415);
      if (there.endsWith("image")) continue;
      const much = { method: "POST", body: JSON.stringify({ email: "x".repeat(70_000) }) };
      const headers = { "Content-Type": "application/json" };
      expect((await refusal(there, { ...much, headers })).status).toBe(413);
    }
  });

  it("names missing and invalid fields in the error message", async () => {
    const said = async (body: unknown) => {
      const init = { method: "POST", headers: { "Content-Type": "application/json" } };
      const path = "/.netlify/functions/create-checkout-session";
      return (await (await asGuest(path, { ...init, body: JSON.stringify(body) })).json()).error;
    };
    expect(await said({})).toBe("packageId is missing");
    expect(await said(null)).toBe("Send a JSON object.");
    expect(await said({ packageId: "value_8", price: "R70" })).toBe(
      "price has the wrong type or format",
    );
    expect(await said({ packageId: "value_8", userRegistration: {} })).toBe(
      "userRegistration.email is missing",
    );
  });

  it("describes every endpoint", () => {
    const mounted = api()
      .routes.filter(({ method, path }) => isData(path) && method !== "ALL")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(mounted)].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it("serves its OpenAPI 3.1 description", async () => {
    const description = await (await asGuest("/api/openapi.json")).json();
    expect(description.openapi).toBe("3.1.0");
    expect(Object.keys(description.paths)).toEqual(Object.keys(OPERATIONS));
  });

  it.each(operations)("responds to $name as described", async ({ name, path, operation }) => {
    expect(calls[name]?.length).toBeGreaterThan(0);
    for (const call of calls[name] ?? []) {
      const response = await people[call.who](call.path ?? path, call.init);
      expect({ call, status: response.status }).toEqual({ call, status: call.status });
      // A request that verifies another operation's effect is checked against its own description.
      const described = call.path === "/api/race-cards" ? raceCards() : operation;
      const answer = described.responses[response.status];
      expect(answer, `${name} does not describe ${response.status}`).toBeDefined();
      if (!answer?.schema) continue;
      const checked = v.safeParse(answer.schema, await response.json());
      expect(checked.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toBe(
        undefined,
      );
    }
  });
});

function raceCards() {
  const operation = OPERATIONS["/api/race-cards"]?.get;
  if (!operation) throw new Error("the list of race cards is not described");
  return operation;
}
