import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "#identity/identity.server.ts";
import { OPERATIONS } from "#site/openapi.route.ts";
import { api } from "../src/api.server.ts";
import { type Ask, as, asGuest } from "./app.ts";
import { makeUser, publishRaceCard } from "./cast.ts";

const PASSWORD = "a-very-long-password";

type Call = {
  who: "guest" | "user" | "poor" | "creator";
  path?: string;
  init?: RequestInit;
  status: number;
};

let people: Record<Call["who"], Ask>;
let calls: Record<string, Call[]>;

beforeAll(async () => {
  const card = await publishRaceCard();
  const email = `api-${randomUUID().slice(0, 8)}@example.test`;
  await makeUser({ email, passwordHash: await hashPassword(PASSWORD) });
  people = {
    guest: asGuest,
    user: await as(await makeUser({ coins: 50 })),
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
  };
});

const operations = Object.entries(OPERATIONS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    operation,
  })),
);

describe("the JSON API", () => {
  it("describes every address it has", () => {
    const mounted = api()
      .routes.filter(({ path }) => path.startsWith("/api/") && path !== "/api/openapi.json")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(mounted)].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it("is described in OpenAPI 3.1 at its own address", async () => {
    const description = await (await asGuest("/api/openapi.json")).json();
    expect(description.openapi).toBe("3.1.0");
    expect(Object.keys(description.paths)).toEqual(Object.keys(OPERATIONS));
  });

  it.each(operations)("answers $name as described", async ({ name, path, operation }) => {
    expect(calls[name]?.length).toBeGreaterThan(0);
    for (const call of calls[name] ?? []) {
      const response = await people[call.who](call.path ?? path, call.init);
      expect({ call, status: response.status }).toEqual({ call, status: call.status });
      // A call that looks at what another has changed is described by its own operation.
      const described = call.path === "/api/race-cards" ? raceCards() : operation;
      const answer = described.answers[response.status];
      expect(answer, `${name} does not describe ${response.status}`).toBeDefined();
      if (!answer?.shape) continue;
      const checked = v.safeParse(answer.shape, await response.json());
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
