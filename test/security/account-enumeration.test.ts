import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Browser } from "#test/browser.ts";
import { makeUser, type Person } from "#test/factories.ts";

// An attacker probes for accounts or passwords. The tests count password hashes instead of
// measuring time, which varies on a busy machine.

const counter = vi.hoisted(() => ({ hashes: 0 }));
vi.mock("#accounts/password/hash-workers.server.ts", async (original) => {
  const hashers = await original<typeof import("#accounts/password/hash-workers.server.ts")>();
  return {
    ...hashers,
    deriveTag: (...given: Parameters<typeof hashers.deriveTag>) => {
      counter.hashes += 1;
      return hashers.deriveTag(...given);
    },
  };
});

const PASSWORD = "steady as she goes";
let confirmedUser: Person;
let unconfirmed: Person;
let networkCount = 0;

beforeAll(async () => {
  const { hashPassword, grantRole } = await import("#accounts/accounts.server.ts");
  const { transaction } = await import("#platform/database.server.ts");
  const passwordHash = await hashPassword(PASSWORD);
  confirmedUser = await makeUser({ passwordHash });
  await transaction(async (tx) => {
    for (const role of ["admin", "tipster", "analyst"] as const)
      await grantRole(tx, { userId: confirmedUser.id, role, actorId: null });
  });
  unconfirmed = await makeUser({ passwordHash, verified: false });
});
beforeEach(() => {
  networkCount += 1;
});
afterEach(async () => {
  const { pool } = await import("#platform/database.server.ts");
  await pool().query("delete from rate_limits");
});

const newBrowser = (host = 0) => new Browser({ address: `10.20.${networkCount}.${host}` });

/** Returns a comparable response: without nonces, ids and repeated input. */
async function toComparable(response: Response, input: string) {
  const headers = [...response.headers].filter(
    ([name]) => !["x-request-id", "content-security-policy", "set-cookie", "etag"].includes(name),
  );
  const body = (await response.text())
    .replaceAll(input, "TYPED")
    .replaceAll(encodeURIComponent(input), "TYPED")
    .replace(/nonce="[^"]*"/g, "");
  return JSON.stringify([response.status, headers, body]);
}

async function countHashes(send: () => Promise<Response>) {
  counter.hashes = 0;
  const response = await send();
  return { response, hashes: counter.hashes };
}

const forms: [string, (browser: Browser, email: string) => Promise<Response>][] = [
  ["/login", (browser, email) => browser.post("/login", { email, password: "not this one" })],
  ["/admin/sign-in", (browser, email) => browser.post("/admin/sign-in", { email, password: "no" })],
  [
    "/tipster-auth",
    (browser, email) => browser.post("/tipster-auth", { email, password: "no way" }),
  ],
  ["/analyst", (browser, email) => browser.post("/analyst", { email, accessCode: "no way" })],
  ["/api/sign-in", (browser, email) => browser.postJson("/api/sign-in", { email, password: "no" })],
];

describe("account enumeration", () => {
  it.each(forms)(
    "is prevented at %s: same response and same work for known and unknown accounts",
    async (form, send) => {
      const unknown = "unknown@example.test";
      const known = await countHashes(() => send(newBrowser(), confirmedUser.email));
      const unknownResult = await countHashes(() => send(newBrowser(), unknown));
      expect(known.response.status).toBe(401);
      expect(unknownResult.response.status).toBe(401);
      // The tipster sign-in form has two messages, which reveal who is a tipster.
      if (form !== "/tipster-auth") {
        const isAlike =
          (await toComparable(known.response, confirmedUser.email)) ===
          (await toComparable(unknownResult.response, unknown));
        expect(isAlike).toBe(true);
      }
      expect([known.hashes, unknownResult.hashes]).toEqual([1, 1]);
      // A correct password without the role costs the same work.
      const unconfirmedResult = await countHashes(() => send(newBrowser(), unconfirmed.email));
      expect(unconfirmedResult.hashes).toBe(1);
      expect(unconfirmedResult.response.status).toBe(401);
    },
  );

  it("of confirmed accounts is prevented when registering: same response and same work", async () => {
    const withoutPassword = await makeUser({ verified: false });
    const register = (email: string) =>
      countHashes(() =>
        newBrowser().post("/login?mode=register", {
          name: "Thandi",
          email,
          password: "not this one",
          agreed: "on",
        }),
      );
    const responses = [];
    for (const { email } of [confirmedUser, unconfirmed, withoutPassword]) {
      const { response, hashes } = await register(email);
      expect(response.status).toBe(409);
      expect(hashes).toBe(1);
      responses.push(await toComparable(response, email));
    }
    expect(new Set(responses).size).toBe(1);
    // The form says that an address is registered, which takes as long as a new address.
    expect((await register("new-here@example.test")).hashes).toBe(1);
    // Nor does the work reveal that the attempts at a password are used up.
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect((await register(unconfirmed.email)).hashes).toBe(1);
  });

  it.each(["/forgot-password", "/resend-confirmation"])(
    "is prevented at %s: same response and no additional work",
    async (path) => {
      const [known, unknownResult, unconfirmedResult] = await Promise.all(
        [confirmedUser.email, "unknown@example.test", unconfirmed.email].map(async (email) =>
          toComparable(await newBrowser().post(path, { email }), email),
        ),
      );
      expect(new Set([known, unknownResult, unconfirmedResult]).size).toBe(1);
      expect(counter.hashes).toBeLessThanOrEqual(1);
    },
  );
});

describe("rate limits by client address", () => {
  const FORWARDING_HEADERS = [
    "X-Forwarded-For",
    "X-Real-IP",
    "Forwarded",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
    "Fly-Client-IP",
  ];
  const forgeHeaders = (count: number) =>
    Object.fromEntries(FORWARDING_HEADERS.map((name) => [name, `203.0.113.${count}`]));

  it("are not bypassed by any forwarding header", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) {
      const email = `person-${count}@example.test`;
      const response = await newBrowser().post("/forgot-password", { email }, forgeHeaders(count));
      statuses.push(response.status);
    }
    expect(statuses.slice(0, 60)).not.toContain(429);
    expect(new Set(statuses.slice(60))).toEqual(new Set([429]));
  });

  it("refuse writes from the limited address only, and never refuse reads", async () => {
    for (let count = 0; count < 61; count += 1)
      await newBrowser(1).post("/forgot-password", { email: `reader-${count}@example.test` });
    const email = "somebody-else@example.test";
    expect((await newBrowser(1).post("/forgot-password", { email })).status).toBe(429);
    expect((await newBrowser(2).post("/forgot-password", { email })).status).toBe(200);
    for (const path of ["/", "/login", "/leaderboard", "/api/venues"])
      expect((await newBrowser(1).get(path)).status, path).toBe(200);
  });

  it("let the owner of an attacked account sign in from a known browser", async () => {
    const ownerBrowser = newBrowser(3);
    expect(
      (await ownerBrowser.post("/login", { email: confirmedUser.email, password: PASSWORD }))
        .status,
    ).toBe(200);
    await ownerBrowser.post("/logout", {});
    for (let count = 0; count < 8; count += 1)
      await newBrowser(10 + count).postJson("/api/sign-in", {
        email: confirmedUser.email,
        password: `guess ${count}`,
      });
    const unknown = await newBrowser(30).post("/login", {
      email: confirmedUser.email,
      password: PASSWORD,
    });
    expect(unknown.status).toBe(429);
    expect(
      (await ownerBrowser.post("/login", { email: confirmedUser.email, password: PASSWORD }))
        .status,
    ).toBe(200);
  });
});
