import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { pool } from "#platform/database.server.ts";
import {
  type BadInputTarget,
  generateRequests,
  naughtyRequests,
  sendBadInput,
  validForm,
} from "#test/bad-input.ts";
import { Browser } from "#test/browser.ts";
import type { Endpoint } from "#test/endpoints.ts";
import { makeAdmin, makeUser, type Person } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { createRecordOwners, PASSWORD, type RecordOwners } from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";
import { readSourceEndpoints } from "#test/source-endpoints.ts";

// Any input, from any role, to any endpoint: no 5xx response, and input is never rendered as markup.
// `every-page.test.ts` reads the pages that show stored input. BAD_INPUT_RUNS and BAD_INPUT_SEED set the number of
// requests and the seed.

const RUNS = Number(process.env.BAD_INPUT_RUNS ?? 300);
const SEED = Number(process.env.BAD_INPUT_SEED ?? 20261121);

let owners: RecordOwners;
let target: BadInputTarget;

beforeAll(async () => {
  stubFetchInProcess();
  owners = await createRecordOwners();
  const people: (Person | null)[] = [
    null,
    owners.buyer,
    owners.tipster,
    await makeAdmin(),
    await makeUser({ coins: 400 }),
  ];
  target = {
    endpoints: await listRunningEndpoints(owners.ids),
    roleCount: people.length,
    async createCaller(role) {
      // Clears rate limits of earlier requests.
      await pool().query("delete from rate_limits");
      const browser = new Browser();
      const person = people[role];
      if (person) browser.applyCookies(await startSession(person.id));
      return browser;
    },
    createValidForm: () => validForm(owners.ids, PASSWORD),
  };
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await expectInvariantsToHold();
});

describe("bad input", () => {
  it("is sent to every endpoint: the list parsed from the source is complete", async () => {
    const describeAll = (endpoints: Endpoint[]) =>
      endpoints.map(({ path, method, kind }) => `${method} ${path} ${kind}`).sort();
    expect(describeAll(await readSourceEndpoints(owners.ids))).toEqual(
      describeAll(target.endpoints),
    );
  });

  it(
    `causes no 5xx in ${RUNS} requests and is never rendered as markup`,
    async () => {
      const requests = [
        ...generateRequests({ runs: RUNS, seed: SEED }),
        ...naughtyRequests({ seed: SEED, step: 10 }),
      ];
      const { responded, faults } = await sendBadInput(target, requests);
      expect(faults).toEqual([]);
      // HTTP clients refuse to send some of the input.
      expect(responded).toBeGreaterThan(requests.length * 0.8);
    },
    120_000 + RUNS * 500,
  );

  it("is refused when it contains an unsupported character, in any position", async () => {
    const textWithNul = "a\u0000b";
    const cases: [role: number, path: string, fields: Record<string, string>][] = [
      [1, "/profile/name", { name: textWithNul }],
      [0, "/tipster", { email: textWithNul }],
      [0, "/tipster-auth?mode=apply", { bio: textWithNul, email: "nul@example.test" }],
      [0, "/analyst", { email: textWithNul }],
      [0, "/login?mode=register", { name: textWithNul, email: "nul2@example.test" }],
      [2, "/tipster-dashboard/profile", { bio: textWithNul }],
      [3, "/admin/users", { search: textWithNul }],
    ];
    for (const [role, path, fields] of cases) {
      const body = new URLSearchParams({ ...target.createValidForm(), ...fields });
      const response = await (await target.createCaller(role)).send(path, { method: "POST", body });
      expect(response.status, path).toBeLessThan(500);
      const dataResponse = await (await target.createCaller(role)).send(
        `${path.split("?")[0]}?${new URLSearchParams(fields)}`,
        { method: "GET" },
      );
      expect(dataResponse.status, path).toBeLessThan(500);
    }
    const json = {
      email: "nul3@example.test",
      fullName: textWithNul,
      displayName: textWithNul,
      experience: 3,
    };
    const filed = await (await target.createCaller(0)).send(
      "/.netlify/functions/send-tipster-application",
      {
        method: "POST",
        body: JSON.stringify(json),
        headers: { "Content-Type": "application/json" },
      },
    );
    expect(filed.status).toBe(422);
  });
});
