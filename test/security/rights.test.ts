import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { Browser, uniqueAddress } from "#test/browser.ts";
import type { Endpoint } from "#test/endpoints.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { createRecordOwners } from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// Checks that docs/rights.md lists every endpoint, and that access matches the document.

/** The columns of the table, each with the role whose requests test it. */
const ROLES = {
  Guest: "a guest",
  User: "a user",
  Tipster: "a tipster",
  Analyst: "an analyst",
  Admin: "an admin",
};
const WEBHOOK = "POST /webhooks/:provider";
/** Refused for every role, because access does not depend on roles. */
const WITHOUT_ROLE = ["GET /metrics", WEBHOOK];

/** A valid body, because validation comes before authorisation here. */
const BODIES: Record<string, unknown> = {
  "/.netlify/functions/send-purchase-receipt": { transactionId: "cs_test_unknown" },
};

/** Returns the roles that docs/rights.md gives access, by "GET /path" or "POST /path". */
function documentedRights(): Map<string, string[]> {
  const rights = new Map<string, string[]>(WITHOUT_ROLE.map((name) => [name, []]));
  for (const line of readFileSync("docs/rights.md", "utf8").split("\n")) {
    const [, path = "", columns = ""] = /^\| `(\/[^`]*)`\s*\|(.*)\|$/.exec(line) ?? [];
    const cells = columns.split("|").map((cell) => cell.trim());
    if (cells.length !== Object.keys(ROLES).length) continue;
    for (const [method, right] of [
      ["GET", "read"],
      ["POST", "write"],
    ] as const) {
      const roles = Object.values(ROLES).filter((_, column) => cells[column]?.includes(right));
      if (roles.length > 0) rights.set(`${method} ${path}`, roles);
    }
  }
  return rights;
}

/** Formats an endpoint as the document does. */
const formatEndpoint = ({ method, path }: Endpoint) =>
  `${method} ${path.replace("/nowhere/at-all", "/*").replace(/\{.*\}$/, "")}`;

/** Returns true for a response that redirects to sign-in or denies access. */
function isAccessDenied(response: Response, role: string): boolean {
  const to = response.headers.get("Location") ?? "";
  if (/^\/(login|admin\?return=|tipster-auth$|analyst$)/.test(to)) return true;
  // For signed-in users 401 means that the repeated password is wrong.
  return response.status === 403 || (response.status === 401 && role === "a guest");
}

let templateEndpoints: Endpoint[];
let endpoints: Endpoint[];
let people: [string, Person | null][];

beforeAll(async () => {
  stubFetchInProcess();
  const owners = await createRecordOwners();
  freezeClock(instantAt(owners.raceDate as never, "18:30"));
  endpoints = await listRunningEndpoints(owners.ids);
  const names = new Proxy({}, { get: (_all, name) => `:${String(name)}` });
  templateEndpoints = await listRunningEndpoints(names as Record<string, string>);
  people = [
    ["a guest", null],
    ["a user", await makeUser()],
    ["a tipster", await makeTipster()],
    ["an analyst", await makeTipster({ kind: "analyst" })],
    ["an admin", await makeAdmin()],
  ];
});
afterAll(() => freezeClock(null));

async function sendRequest(
  { method, path, kind }: Endpoint,
  person: Person | null,
): Promise<Response> {
  const browser = new Browser({ address: uniqueAddress() });
  if (person) browser.applyCookies(await startSession(person.id));
  if (method === "GET") return await browser.get(path);
  return kind === "page"
    ? await browser.post(path, {})
    : await browser.postJson(path, BODIES[path] ?? {});
}

describe("docs/rights.md", () => {
  it("lists exactly the endpoints of the application", () => {
    expect([...documentedRights().keys()].sort()).toEqual(
      templateEndpoints.map(formatEndpoint).sort(),
    );
  });

  it("matches the access of every role to every endpoint", async () => {
    const rights = documentedRights();
    // Reads come first, because some writes delete what is read.
    const order = [...endpoints.keys()].sort(
      (first, second) =>
        Number(endpoints[first]?.method === "POST") - Number(endpoints[second]?.method === "POST"),
    );
    for (const index of order) {
      const endpoint = endpoints[index] as Endpoint;
      const name = formatEndpoint(templateEndpoints[index] as Endpoint);
      const allowedRoles: string[] = [];
      for (const [role, person] of people) {
        const response = await sendRequest(endpoint, person);
        expect(response.status, `${name} for ${role}`).toBeLessThan(500);
        if (name === WEBHOOK) expect(response.status).toBe(400);
        else if (!isAccessDenied(response, role)) allowedRoles.push(role);
        await response.body?.cancel();
      }
      if (name !== WEBHOOK) expect(allowedRoles, name).toEqual(rights.get(name));
    }
  }, 240_000);
});
