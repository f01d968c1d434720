import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { startSession } from "#identity/identity.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { Browser } from "#test/browser.ts";
import type { Endpoint } from "#test/endpoints.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { answerInProcess } from "#test/gateway.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";
import { makeVictim } from "#test/victim.ts";

// Compares docs/rights.md with the product: it names every endpoint, and access matches what the
// document says.

const EVERYBODY = ["a guest", "a user", "a tipster", "an analyst", "the operator"];
const LET_IN: Record<string, string[]> = {
  Everybody: EVERYBODY,
  "Whoever is signed in": EVERYBODY.slice(1),
  "Tipsters and analysts": ["a tipster", "an analyst"],
  Analysts: ["an analyst"],
  "The operator": ["the operator"],
  "This machine, or whoever has the token": [],
};
/** Authenticated by signature instead of roles. */
const SIGNED = "The payment provider";

/** A valid body, because validation comes before authorisation here. */
const BODIES: Record<string, unknown> = {
  "/.netlify/functions/send-purchase-receipt": { transactionId: "cs_test_unknown" },
};

/** Maps "GET /path" to its heading in the document. */
function document(): Map<string, string> {
  const found = new Map<string, string>();
  let heading = "";
  for (const line of readFileSync("docs/rights.md", "utf8").split("\n")) {
    if (line.startsWith("## ")) heading = line.slice(3);
    const [, does, list = ""] = /^- (Reads|Writes): (.*)$/.exec(line) ?? [];
    if (!does) continue;
    for (const [, path] of list.matchAll(/`([^`]+)`/g))
      found.set(`${does === "Reads" ? "GET" : "POST"} ${path}`, heading);
  }
  return found;
}

/** Formats an endpoint as the document does. */
const written = ({ method, path }: Endpoint) =>
  `${method} ${path.replace("/nowhere/at-all", "/*").replace(/\{.*\}$/, "")}`;

/** Whether a response redirects to sign-in or denies access. */
function isTurnedAway(answer: Response, who: string): boolean {
  const to = answer.headers.get("Location") ?? "";
  if (/^\/(login|admin\?return=|tipster-auth$|analyst$)/.test(to)) return true;
  // For signed-in users 401 means that the repeated password is wrong.
  return answer.status === 403 || (answer.status === 401 && who === "a guest");
}

let named: Endpoint[];
let real: Endpoint[];
let people: [string, Person | null][];

beforeAll(async () => {
  answerInProcess();
  const victim = await makeVictim();
  freezeClock(instantAt(victim.raceDate as never, "18:30"));
  real = await listRunningEndpoints(victim.ids);
  const names = new Proxy({}, { get: (_all, name) => `:${String(name)}` });
  named = await listRunningEndpoints(names as Record<string, string>);
  people = [
    ["a guest", null],
    ["a user", await makeUser()],
    ["a tipster", await makeTipster()],
    ["an analyst", await makeTipster({ kind: "analyst" })],
    ["the operator", await makeAdmin()],
  ];
}, 60_000);
afterAll(() => freezeClock(null));

async function ask({ method, path, kind }: Endpoint, person: Person | null): Promise<Response> {
  const browser = new Browser({ address: `10.77.${Math.floor(Math.random() * 250)}.1` });
  if (person) browser.take(await startSession(person.id));
  if (method === "GET") return await browser.get(path);
  return kind === "page"
    ? await browser.post(path, {})
    : await browser.postJson(path, BODIES[path] ?? {});
}

describe("docs/rights.md", () => {
  it("names every endpoint and no other", () => {
    expect([...document().keys()].sort()).toEqual(named.map(written).sort());
  });

  it("matches the product: admits the named roles and refuses all others", async () => {
    const rights = document();
    // Reads first: some writes delete what the reads need.
    const order = [...real.keys()].sort(
      (one, other) => Number(real[one]?.method === "POST") - Number(real[other]?.method === "POST"),
    );
    for (const index of order) {
      const address = real[index] as Endpoint;
      const name = written(named[index] as Endpoint);
      const heading = rights.get(name) ?? "";
      const letIn: string[] = [];
      for (const [who, person] of people) {
        const answer = await ask(address, person);
        expect(answer.status, `${name} for ${who}`).toBeLessThan(500);
        if (heading === SIGNED) expect(answer.status).toBe(400);
        else if (!isTurnedAway(answer, who)) letIn.push(who);
        await answer.body?.cancel();
      }
      if (heading !== SIGNED) expect(letIn, name).toEqual(LET_IN[heading]);
    }
  }, 240_000);
});
