import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startSession } from "#identity/identity.server.ts";
import { beginShutdown } from "#platform/shutdown.server.ts";
import { createHttpServer } from "#server.ts";
import { makeUser } from "#test/factories.ts";
import { readyGuestPage } from "./page-cache.server.ts";

const PATHS = ["/health/live", "/help", "/api/race-cards", "/api/venues", "/api/leaderboard"];
/** Sends a request through the application, because bodies have limits. */
const THROUGH_APPLICATION = { "content-length": "0" };

let server: Server;
let port: number;

beforeAll(async () => {
  server = createHttpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  for (const encoding of ["identity", "br"])
    await vi.waitFor(
      async () => {
        await ask("/help", { "accept-encoding": encoding });
        expect(readyGuestPage("/help", { "accept-encoding": encoding })).not.toBeNull();
      },
      { timeout: 20_000, interval: 100 },
    );
}, 60_000);
afterAll(() => new Promise((done) => server.close(done)));

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Returns how many requests of a kind the metrics have counted. */
async function countRequests(kind: string): Promise<number> {
  const { body } = await ask("/metrics");
  const lines = body.match(
    new RegExp(`^furlong_http_request_seconds_count{.*kind="${kind}".*} \\d+$`, "gm"),
  );
  return (lines ?? []).reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("a ready response", () => {
  it.each(PATHS)("of %s equals the response of the application", async (path) => {
    for (const encoding of ["identity", "br"]) {
      const asked = { "accept-encoding": encoding };
      const ready = await ask(path, asked);
      const built = await ask(path, { ...asked, ...THROUGH_APPLICATION });
      for (const { headers } of [ready, built]) {
        expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
        delete headers["x-request-id"];
        delete headers.date;
      }
      expect(ready).toEqual(built);
      expect(ready.status).toBe(200);
      expect(ready.headers["x-frame-options"]).toBe("DENY");
    }
  });

  it("has another request id each time", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask("/help")).headers["x-request-id"]),
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
    for (let turn = 0; turn < 7; turn += 1) for (const path of PATHS) await ask(path);
    expect(await count()).toEqual(before.map((each) => each + 7));
  });

  it("has no body when the client has the same page", async () => {
    const asked = { "accept-encoding": "br" };
    const { etag = "" } = (await ask("/help", asked)).headers;
    const conditional = { ...asked, "if-none-match": etag };
    const ready = await ask("/help", conditional);
    const built = await ask("/help", { ...conditional, ...THROUGH_APPLICATION });
    for (const response of [ready, built]) {
      expect([response.status, response.body]).toEqual([304, ""]);
      expect(response.headers.etag).toBe(etag);
      expect(response.headers["content-security-policy"]).toContain("script-src 'self' 'sha256-");
    }
  });

  it("of a guest is not sent to a user", async () => {
    const user = await makeUser({ name: "Thandi Nkosi" });
    const cookie = (await startSession(user.id))
      .getSetCookie()
      .map((each) => each.slice(0, each.indexOf(";")))
      .join("; ");
    const [guest, own, again] = [
      await ask("/help"),
      await ask("/help", { cookie }),
      await ask("/help", { cookie: `other=1; ${cookie}` }),
    ];
    expect(guest.headers["offline-owner"]).toBe("none");
    for (const { headers, body } of [own, again]) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["offline-owner"]).toMatch(/^[\w-]{22}$/);
      expect(body).toContain("Thandi");
    }
    expect((await ask("/help")).body).not.toContain("Thandi");
  });

  it("is sent to a guest whose cookie has no valid signature", async () => {
    expect((await ask("/help", { cookie: "furlong=made-up.signature" })).headers.etag).toBe(
      (await ask("/help")).headers.etag,
    );
  });
});

describe("a request with a ready response", () => {
  it.each([
    ["another method", 403, () => ask("/health/live", { origin: "https://evil.test" }, "POST")],
    ["HEAD", 200, () => ask("/help", {}, "HEAD")],
    ["an invalid host", 400, () => ask("/help", { host: "a b" })],
    ["too large a body", 413, () => ask("/help", { "content-length": "9000000" })],
    ["a method that echoes", 405, () => ask("/help", {}, "TRACE")],
  ])("passes through the application with %s", async (_, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    if (status !== 200) expect(response.body).not.toContain("<html");
  });

  it("is asked not to reuse its connection during shutdown", async () => {
    const open = { connection: "keep-alive" };
    expect((await ask("/health/live", open)).headers.connection).toBe("keep-alive");
    beginShutdown("now");
    for (const path of PATHS) expect((await ask(path, open)).headers.connection).toBe("close");
  });
});
