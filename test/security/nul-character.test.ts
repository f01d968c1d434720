import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { toDataUrl } from "#test/endpoints.ts";
import { makeAdmin, makeUser, type Person } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import {
  createBrowserFor,
  createRecordOwners,
  PASSWORD,
  type RecordOwners,
} from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// A NUL character, which PostgreSQL cannot store, inside otherwise valid text: in each path segment
// and query parameter of every endpoint, and in every field of every form and body.

const NUL = "\u0000";
let owners: RecordOwners;
let user: Person;
let admin: Person;

beforeAll(async () => {
  stubFetchInProcess();
  owners = await createRecordOwners();
  user = await makeUser({ coins: 20 });
  admin = await makeAdmin();
});

/** Returns who may do most at an address. All others are refused before the input is read. */
function findPerson(url: string): Person {
  if (url.startsWith("/admin")) return admin;
  return /\/(tipster-dashboard|update-tipster|send-tip-)/.test(url) ? owners.tipster : user;
}

/** Sends a request as a guest and as the person who may do most at its address. */
async function expectNoServerError(url: string, work: (browser: Browser) => Promise<Response>) {
  for (const browser of [new Browser(), await createBrowserFor(findPerson(url))]) {
    await pool().query("delete from rate_limits");
    const response = await work(browser);
    const text = await response.text();
    const where = `${url} ${browser.cookies.size > 0 ? "signed in" : "as a guest"}`;
    expect(response.status, `${where}: ${text.slice(0, 200)}`).toBeLessThan(500);
    expect(text, where).not.toContain("Failed query");
  }
}

/** Valid form and body fields, with the character inserted into each text. */
function createFields(): Record<string, string> {
  const textFields = [
    "name",
    "fullName",
    "displayName",
    "bio",
    "specialization",
    "location",
    "reason",
  ];
  const otherFields = [
    "holder",
    "source",
    "search",
    "idempotencyKey",
    "transactionId",
    "favouriteTracks",
  ];
  return {
    ...owners.ids,
    ...Object.fromEntries(
      [...textFields, ...otherFields].map((name) => [name, `Quiet${NUL}Lantern`]),
    ),
    email: `naledi-${randomUUID().slice(0, 8)}@example.test`,
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: `another${NUL}fine one`,
    confirmPassword: `another${NUL}fine one`,
    accessCode: PASSWORD,
    code: `123${NUL}456`,
    token: `a${NUL}b`,
    agreed: "on",
    confirmed: "yes",
    amountCoins: "1",
    coinPackId: "starter_4",
    packageId: "starter_4",
    totalRaces: "8",
    bank: "Capitec Bank",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  };
}

describe("a NUL character", () => {
  it("causes no 5xx in any path segment, of pages or page data", async () => {
    const parameters = new Proxy({}, { get: () => `a%00b` }) as Record<string, string>;
    for (const { path, method, kind } of await listRunningEndpoints(parameters)) {
      if (!path.includes("%00")) continue;
      for (const url of kind === "page" ? [path, toDataUrl(path)] : [path])
        await expectNoServerError(url, (browser) =>
          method === "GET"
            ? browser.get(url)
            : kind === "page"
              ? browser.post(url, { confirmed: "yes" })
              : browser.postJson(url, {}),
        );
    }
  }, 120_000);

  it("causes no 5xx in any query parameter", async () => {
    const names = ["venue", "date", "search", "tipster", "state", "session_id", "token", "return"];
    const query = (some: string[]) => some.map((name) => `${name}=a%00b`).join("&");
    for (const { path, method } of await listRunningEndpoints(owners.ids)) {
      if (method !== "GET" || path.startsWith("/demo")) continue;
      const all = [...names, "cursor", "after", "problem", "subject", "actor", "order"];
      const url = `${path}?${query(all)}`;
      await expectNoServerError(url, (browser) => browser.get(url));
    }
  }, 120_000);

  it("causes no 5xx in any field of a form or body", async () => {
    for (const { path, method, kind } of await listRunningEndpoints(owners.ids)) {
      if (method !== "POST") continue;
      await expectNoServerError(path, (browser) =>
        kind === "page"
          ? browser.post(path, createFields())
          : browser.postJson(path, createFields()),
      );
      if (kind === "page")
        await expectNoServerError(path, (browser) =>
          browser.post(path, { ...createFields(), email: `na${NUL}ledi@example.test` }),
        );
    }
    const body = { email: `a${NUL}b`, password: `c${NUL}d` };
    await expectNoServerError("/api/sign-in", (browser) => browser.postJson("/api/sign-in", body));
    const { rows } = await pool().query(
      "select count(*)::int as n from users where name like 'Quiet%'",
    );
    expect(rows[0].n).toBe(0);
  }, 120_000);

  it("does not let path segments match properties of Object.prototype", async () => {
    for (const word of ["__proto__", "constructor", "toString"])
      for (const path of ["/admin/payouts?problem=", "/admin/users?order=", "/leaderboard?by="])
        await expectNoServerError(path + word, (browser) => browser.get(path + word));
  });
});
