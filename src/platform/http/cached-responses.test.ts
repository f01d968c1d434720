import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { getCachedData } from "#api.server.ts";
import { beginShutdown } from "#platform/shutdown.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { createHttpServer } from "#server.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { getCachedGuestPage } from "./page-cache.server.ts";

const PATHS = ["/health/live", "/help", "/api/race-cards", "/api/venues", "/api/leaderboard"];
/** A Content-Length bypasses the cached responses, because the application limits bodies. */
const BYPASS_HEADERS = { "content-length": "0" };

let server: Server;
let port: number;

beforeAll(async () => {
  server = createHttpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  for (const encoding of ["identity", "br"]) {
    const headers = { "accept-encoding": encoding };
    do await sendRequest("/help", headers);
    while (!getCachedGuestPage("/help", headers));
  }
});
afterAll(() => new Promise((done) => server.close(done)));

async function sendRequest(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Returns how many requests of a kind the metrics have counted. */
async function countRequests(kind: string): Promise<number> {
  const { body } = await sendRequest("/metrics");
  const lines = body.match(
    new RegExp(`^furlong_http_request_seconds_count{.*kind="${kind}".*} \\d+$`, "gm"),
  );
  return (lines ?? []).reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Starts a session and returns its cookies. */
async function signIn(userId: string): Promise<string> {
  return (await startSession(userId))
    .getSetCookie()
    .map((each) => each.slice(0, each.indexOf(";")))
    .join("; ");
}

describe("a cached response", () => {
  it.each(PATHS)("of %s equals the response of the application", async (path) => {
    for (const encoding of ["identity", "br"]) {
      const requestHeaders = { "accept-encoding": encoding };
      const cached = await sendRequest(path, requestHeaders);
      const rendered = await sendRequest(path, { ...requestHeaders, ...BYPASS_HEADERS });
      for (const { headers } of [cached, rendered]) {
        expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
        delete headers["x-request-id"];
        delete headers.date;
      }
      expect(cached).toEqual(rendered);
      expect(cached.status).toBe(200);
      expect(cached.headers["x-frame-options"]).toBe("DENY");
    }
  });

  it("has another request id each time", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await sendRequest("/help")).headers["x-request-id"]),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it("is counted in the metrics", async () => {
    const kinds = ["health", "page", "api race-cards", "api venues", "api leaderboard"];
    const count = async () => {
      const counts = [];
      for (const kind of kinds) counts.push(await countRequests(kind));
      return counts;
    };
    const before = await count();
    for (let turn = 0; turn < 7; turn += 1) for (const path of PATHS) await sendRequest(path);
    expect(await count()).toEqual(before.map((each) => each + 7));
  });

  it("is a 304 without a body when the ETag matches", async () => {
    const requestHeaders = { "accept-encoding": "br" };
    const { etag = "" } = (await sendRequest("/help", requestHeaders)).headers;
    const conditional = { ...requestHeaders, "if-none-match": etag };
    const cached = await sendRequest("/help", conditional);
    const rendered = await sendRequest("/help", { ...conditional, ...BYPASS_HEADERS });
    for (const response of [cached, rendered]) {
      expect([response.status, response.body]).toEqual([304, ""]);
      expect(response.headers.etag).toBe(etag);
      expect(response.headers["content-security-policy"]).toContain("script-src 'self' 'sha256-");
    }
  });

  it("of a guest is not sent to a user", async () => {
    const user = await makeUser({ name: "Thandi Nkosi" });
    const cookie = await signIn(user.id);
    const [guest, own, again] = [
      await sendRequest("/help"),
      await sendRequest("/help", { cookie }),
      await sendRequest("/help", { cookie: `other=1; ${cookie}` }),
    ];
    expect(guest.headers["offline-owner"]).toBe("none");
    for (const { headers, body } of [own, again]) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["offline-owner"]).toMatch(/^[\w-]{22}$/);
      expect(body).toContain("Thandi");
    }
    expect((await sendRequest("/help")).body).not.toContain("Thandi");
  });

  it("of the guests' race cards is not sent to a user", async () => {
    const buyer = await makeUser({ coins: 4 });
    const { raceCardId } = await publishRaceCard();
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const isOpened = async (headers: Record<string, string> = {}) => {
      const { raceCards } = JSON.parse((await sendRequest("/api/race-cards", headers)).body);
      return raceCards.find(({ id }: { id: string }) => id === raceCardId)?.opened;
    };
    // The notice of the publication clears the cache, possibly after the first request.
    await expect
      .poll(async () => [await isOpened(), getCachedData("/api/race-cards", {}, true) !== null])
      .toEqual([false, true]);
    expect(await isOpened({ cookie: await signIn(buyer.id) })).toBe(true);
  });

  it("is sent to a guest whose cookie has no valid signature", async () => {
    expect((await sendRequest("/help", { cookie: "furlong=made-up.signature" })).headers.etag).toBe(
      (await sendRequest("/help")).headers.etag,
    );
  });
});

describe("a request with a cached response", () => {
  it.each([
    [
      "another method",
      403,
      () => sendRequest("/health/live", { origin: "https://evil.test" }, "POST"),
    ],
    ["HEAD", 200, () => sendRequest("/help", {}, "HEAD")],
    ["an invalid host", 400, () => sendRequest("/help", { host: "a b" })],
    ["too large a body", 413, () => sendRequest("/help", { "content-length": "9000000" })],
    ["TRACE", 405, () => sendRequest("/help", {}, "TRACE")],
  ])("passes through the application with %s", async (_, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    if (status !== 200) expect(response.body).not.toContain("<html");
  });

  it("closes its connection during shutdown", async () => {
    const keepAlive = { connection: "keep-alive" };
    expect((await sendRequest("/health/live", keepAlive)).headers.connection).toBe("keep-alive");
    beginShutdown("immediate");
    for (const path of PATHS)
      expect((await sendRequest(path, keepAlive)).headers.connection).toBe("close");
  });
});
