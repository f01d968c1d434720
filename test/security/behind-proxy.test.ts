import { request } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "#platform/ports.server.ts";

// The application listens on plain HTTP behind a proxy that terminates TLS. Requests use real sockets,
// because trust depends on the peer address: 127.0.0.1 is the trusted proxy, 127.0.0.2 is not.

const APP_URL = "https://furlong.example";
const PROXY = "127.0.0.1";
const UNTRUSTED_PEER = "127.0.0.2";
const PASSWORD = "steady as she goes";
let port = 0;
let email = "";

beforeAll(async () => {
  process.env.APP_URL = APP_URL;
  process.env.DEMO_PUBLIC = "yes";
  process.env.TRUSTED_PROXY = PROXY;
  port = await findFreePort();
  const { serve } = await import("#server.ts");
  const { stop } = await serve({ port, host: PROXY, runsJobs: false });
  const { makeUser } = await import("#test/factories.ts");
  const { hashPassword } = await import("#accounts/accounts.server.ts");
  ({ email } = await makeUser({ passwordHash: await hashPassword(PASSWORD) }));
  return () => stop("immediate");
});

type RequestParams = {
  localAddress?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Sends a request from a given address of this machine: the proxy's or another. */
function send({
  localAddress = PROXY,
  method = "GET",
  path = "/",
  headers = {},
  body,
}: RequestParams) {
  return new Promise<{ status: number; cookies: string[]; body: string }>((resolve, reject) => {
    const sent = request(
      { host: PROXY, port, localAddress, method, path, headers, agent: false },
      async (response) =>
        resolve({
          status: response.statusCode ?? 0,
          cookies: response.headers["set-cookie"] ?? [],
          body: await text(response),
        }),
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The login form as it arrives through the proxy. */
const logIn = (params: RequestParams & { path?: string } = {}) =>
  send({
    method: "POST",
    path: "/login",
    body: new URLSearchParams({ email, password: PASSWORD }).toString(),
    ...params,
    headers: {
      host: "furlong.example",
      origin: APP_URL,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
      ...params.headers,
    },
  });

/** Returns the session cookie of a login response. */
const findSessionCookie = ({ cookies }: { cookies: string[] }) =>
  cookies.find((cookie) => cookie.startsWith("__Host-furlong="));

describe("behind a proxy that terminates TLS", () => {
  it("accepts forms with and without JavaScript, and sets Secure cookies", async () => {
    for (const path of ["/login", "/login.data"])
      expect(findSessionCookie(await logIn({ path })), path).toMatch(/; Secure/);
  });

  it("accepts a multipart form", async () => {
    const boundary = "----furlong";
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const response = await logIn({
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body: `${field("email", email)}${field("password", PASSWORD)}--${boundary}--\r\n`,
    });
    expect(findSessionCookie(response)).toBeDefined();
  });

  it("uses the protocol and host of APP_URL, regardless of forwarded headers", async () => {
    const headerSets: Record<string, string>[] = [
      { host: "10.0.0.11:3000" },
      { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
      { host: "_" },
    ];
    for (const headers of headerSets)
      expect(findSessionCookie(await logIn({ headers })), JSON.stringify(headers)).toBeDefined();
    expect(findSessionCookie(await logIn({ path: "http://evil.example/login" }))).toBeDefined();
  });

  it("refuses forms from other origins, including the same host over plain http", async () => {
    for (const origin of [
      "https://evil.example",
      "http://furlong.example",
      "https://furlong.example:8443",
      "http://127.0.0.1",
    ])
      expect((await logIn({ headers: { origin } })).status, origin).toBe(403);
    const withoutOrigin = { origin: "null", "sec-fetch-site": "same-site" };
    expect((await logIn({ headers: withoutOrigin })).status).toBe(403);
    const aliased = await logIn({
      headers: { host: "evil.example", origin: "https://evil.example" },
    });
    expect(aliased.status).toBe(403);
  });

  it("serves pages, files, paths with two slashes, and health checks without a Host header", async () => {
    expect((await send({ path: "/", headers: { host: "furlong.example" } })).status).toBe(200);
    expect((await send({ path: "/health/live", headers: { host: "" } })).status).toBe(200);
    expect((await send({ path: "//evil.example/login" })).status).toBe(404);
    expect((await send({ path: "/tracks/../login" })).status).toBe(200);
  });
});

describe("a peer that is not in TRUSTED_PROXY", () => {
  it("cannot send forms from another origin, regardless of its headers", async () => {
    const response = await logIn({
      localAddress: UNTRUSTED_PEER,
      headers: { host: "evil.example", origin: "https://furlong.example.evil.example" },
    });
    expect(response.status).toBe(403);
  });

  it("can send forms from APP_URL, so that a missing TRUSTED_PROXY breaks no form", async () => {
    const headers = { "x-forwarded-proto": "http" };
    for (const path of ["/login", "/login.data"])
      expect(
        findSessionCookie(await logIn({ localAddress: UNTRUSTED_PEER, path, headers })),
        path,
      ).toBeDefined();
  });
});
