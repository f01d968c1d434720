import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { databaseLimits, pool } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { createHttpServer } from "#server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser } from "#test/factories.ts";

// The real HTTP server while every database connection is in use.

const BUSY = "We are very busy right now. Please try again in a few seconds.";
let server: Server;
let port: number;
const user = new Browser();
const guest = new Browser();
let releaseAll: () => void = () => {};

beforeAll(async () => {
  // The limit of visitors. Other tests have a wide one.
  databaseLimits.connectMs = 1_800;
  server = createHttpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  user.applyCookies(await startSession((await makeUser()).id));
  expect((await user.get("/my-cards")).status).toBe(200);
});
afterEach(() => {
  releaseAll();
  vi.restoreAllMocks();
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
});

async function useAllConnections() {
  const clients = await Promise.all(
    Array.from({ length: pool().options.max }, () => pool().connect()),
  );
  releaseAll = () => {
    for (const client of clients.splice(0)) client.release();
  };
  return [...clients];
}

/** Sends raw text on a new connection. */
async function send(text: string) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (part) => {
    received += part;
  });
  await once(socket, "connect");
  socket.write(text);
  return { socket, received: () => received };
}

const request = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${headers}\r\n`;

it("calls a full pool an overload in answers, log and metrics", async () => {
  const warnings = vi.spyOn(log, "warn").mockImplementation(() => {});
  await useAllConnections();
  const page = await user.get("/my-cards");
  const html = await page.text();
  expect(html).toContain("Furlong is very busy");
  expect(html).not.toContain("temporarily unavailable");
  const data = await user.get("/my-cards.data");
  const json = await user.get("/api/me");
  expect(await json.json()).toEqual({ error: BUSY });
  const ready = await guest.get("/health/ready");
  expect(await ready.json()).toEqual({ error: BUSY });
  const form = await guest.post("/login", { email: "a@example.test", password: "long enough" });
  expect(await form.text()).toContain(`Login failed: ${BUSY}`);
  for (const response of [page, data, json, ready, form]) {
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
  }
  const messages = warnings.mock.calls.map(([, message]) => message);
  expect(messages).toContain("overloaded");
  expect(messages).not.toContain("database unavailable");
  releaseAll();
  const { received } = await send(request("/metrics"));
  await expect
    .poll(received)
    .toMatch(/furlong_database_failures_total{problem="overloaded"} [1-9]/);
});

it("calls a full pool whose queries get no response an outage", async () => {
  const [blocker, ...others] = await useAllConnections();
  await blocker?.query("select pg_advisory_lock(7091)");
  const responses = others.map((client) => client.query("select pg_advisory_lock_shared(7091)"));
  const html = await (await user.get("/my-cards")).text();
  await blocker?.query("select pg_advisory_unlock_all()");
  await Promise.all(responses);
  for (const client of others) await client.query("select pg_advisory_unlock_all()");
  expect(html).toContain("Furlong is temporarily unavailable");
  expect(html).not.toContain("very busy");
});

it("uses one database connection for the pipelined requests of a connection", async () => {
  await useAllConnections();
  const { socket, received } = await send(request("/health/ready").repeat(50));
  await expect.poll(() => pool().waitingCount).toBeGreaterThan(0);
  expect(pool().waitingCount).toBe(1);
  releaseAll();
  await expect.poll(() => received().match(/HTTP\/1.1 200 OK/g)).toHaveLength(50);
  socket.destroy();
});

it.each(["/help", "/health/ready"])(
  "closes the connection of a GET %s with an endless body after its response",
  async (path) => {
    const { socket, received } = await send(request(path, "Transfer-Encoding: chunked\r\n"));
    const timer = setInterval(() => socket.write("5\r\nhello\r\n"), 20);
    // The client is still writing when the server closes, which is an error that `once` would throw.
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(timer);
    expect(received()).toMatch(/^HTTP\/1.1 200/);
    expect(received()).toMatch(/^Connection: close/im);
  },
);

it("keeps the connection of a GET without a body open", async () => {
  const { socket, received } = await send(request("/health/ready", "Content-Length: 0\r\n"));
  await expect.poll(() => received()).toMatch(/^HTTP\/1.1 200/);
  expect(received()).not.toMatch(/^Connection: close/im);
  socket.destroy();
});
