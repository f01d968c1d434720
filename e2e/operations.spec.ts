import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { copyDemoFolder } from "#test/demo-folder.ts";
import { type ServerProcess, startServer } from "#test/server-process.ts";

// Metrics, logs and process replacement with two web processes.

// A long timeout, because a start can take minutes on a busy machine.
test.describe.configure({ mode: "serial", timeout: 600_000 });

let dataFolder: Awaited<ReturnType<typeof copyDemoFolder>>;
let server: ServerProcess | null = null;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  dataFolder = await copyDemoFolder();
  server = await startServer({
    PORT: String(await findFreePort()),
    DATA_DIR: dataFolder.dataDir,
    WEB_PROCESSES: "2",
  });
});
test.afterAll(async () => {
  await server?.stop();
  await dataFolder.remove();
});

const url = () => server?.url ?? "";

/** Sends a request on a new connection, so that both processes receive requests. */
const request = (path: string, init: RequestInit = {}) =>
  fetch(url() + path, { ...init, headers: { Connection: "close", ...init.headers } });

test("metrics combine both processes and include jobs, connections and integrity checks", async () => {
  const readRequestCount = async () => {
    const text = await (await request("/metrics")).text();
    const line = /furlong_http_request_seconds_count\{[^}]*kind="api venues"[^}]*\} (\d+)/.exec(
      text,
    );
    return { text, requestCount: Number(line?.[1] ?? 0) };
  };
  const metricsBefore = await readRequestCount();
  for (let attempt = 0; attempt < 20; attempt += 1) await (await request("/api/venues")).text();
  // Either process reports the counts of both.
  for (let attempt = 0; attempt < 4; attempt += 1)
    expect((await readRequestCount()).requestCount).toBe(metricsBefore.requestCount + 20);
  const { text } = metricsBefore;
  expect(text).toMatch(/furlong_database_connections\{state="open"\} \d+/);
  expect(text).toMatch(/furlong_process_cpu_seconds_total \d/);
  await expect(async () => {
    const currentText = (await readRequestCount()).text;
    expect(currentText).toMatch(/furlong_jobs\{[^}]*state="completed"[^}]*\} \d+/);
    expect(currentText).toMatch(/furlong_integrity_check_failures\{[^}]*\} 0/);
  }).toPass({ timeout: 90_000 });
});

test("metrics are refused through an untrusted proxy", async () => {
  const response = await request("/metrics", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(response.status).toBe(403);
});

test("a health check without a Host header succeeds", async () => {
  const { port } = new URL(url());
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("GET /health/ready HTTP/1.0\r\n\r\n");
  expect(await readText(socket)).toMatch(/^HTTP\/1.1 200 /);
});

test("rejects TRACE", async () => {
  const { hostname, port } = new URL(url());
  for (const path of ["/", "/api/me", "/assets/nothing.js"]) {
    const socket = connect(Number(port), hostname);
    socket.write(
      `TRACE ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-Secret: kept\r\nConnection: close\r\n\r\n`,
    );
    const response = await readText(socket);
    expect(response).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(response).not.toContain("X-Secret");
  }
});

test("logs contain no personal data and no secrets", async () => {
  const secrets = {
    email: "nandi.canary@example.test",
    name: "Nandi Canaryname",
    password: "canary-password-here",
    wrong: "canary-wrong-password",
    cardNumber: "4242424242424242",
  };
  const jsonRequest = (body: object): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const formRequest = (fields: Record<string, string>): RequestInit => ({
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const { email, name, password, wrong: wrongPassword } = secrets;
  await request("/login?mode=register", formRequest({ name, email, password, agreed: "on" }));
  await request("/login", formRequest({ email, password }));
  await request("/api/sign-in", jsonRequest({ email, password: wrongPassword }));
  await request("/api/sign-in", {
    ...jsonRequest({}),
    body: `{"email":"${email}","password":"${wrongPassword}"`,
  });
  await request("/forgot-password", formRequest({ email }));
  await request(`/login?return=${encodeURIComponent(email)}`);
  await request(`/reset-password?token=canary-token-${password}`);
  const { raceCards } = await (await request("/api/race-cards")).json();
  const guest = {
    packageId: "unlock_tip_starter",
    idempotencyKey: crypto.randomUUID(),
    acknowledgedRacesRun: "0",
  };
  await request(
    `/unlock/${raceCards[0]?.id}`,
    formRequest({ ...guest, name, email: `guest.${email}`, password, agreed: "on" }),
  );
  const signIn = await request(
    "/api/sign-in",
    jsonRequest({ email: "punter@furlong.test", password: "furlong-demo" }),
  );
  const cookie = (signIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  await request("/api/me", { headers: { Cookie: cookie } });
  await request("/nowhere/at/all", { headers: { Cookie: cookie } });
  await request("/webhooks/stripe", { method: "POST", body: `{"email":"${email}"}` });
  // The requested emails have been sent or attempted by now.
  await expect(async () => {
    const emails = await (await request("/demo/mail.json")).text();
    expect(emails).toContain(email);
  }).toPass();

  const output = server?.output() ?? "";
  // The start prints the demo accounts and their password, which are public.
  const logOutput = output.slice(output.indexOf("Furlong is ready"));
  for (const [name, secret] of Object.entries(secrets))
    expect(logOutput.includes(secret), name).toBe(false);
  expect(logOutput).not.toContain("canary");
  expect(logOutput).not.toContain(cookie.split("=")[1] ?? "no cookie");
  for (const line of logOutput.split("\n").filter((logLine) => logLine.startsWith("{")))
    expect(() => JSON.parse(line), line).not.toThrow();
});

test("browser files contain no server code", async () => {
  const { readdirSync, readFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const secret = readFileSync(join(dataFolder.dataDir, "auth-secret"), "utf8").trim();
  const { password } = JSON.parse(readFileSync(join(dataFolder.dataDir, "postgres.json"), "utf8"));
  expect(secret.length).toBeGreaterThan(30);
  const files = readdirSync("build/client", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(js|css|json|html|map|txt)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
  const forbidden = [
    secret,
    password,
    "furlong-demo",
    "sk_test_",
    "whsec_",
    "node:crypto",
    "timingSafeEqual",
    "drizzle",
    "DATABASE_URL",
    "AUTH_SECRET",
    "select pg_",
  ];
  for (const file of files) {
    const text = readFileSync(join("build/client", file), "utf8");
    for (const forbiddenText of forbidden)
      expect(text.includes(forbiddenText), `${forbiddenText} in ${file}`).toBe(false);
  }
});

test("a process stopped under load completes its requests, and no request fails", async () => {
  const { readFileSync } = await import("node:fs");
  const pid = server?.process.pid;
  const readWebPids = () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const [stoppedPid = 0] = readWebPids();
  let isStopped = false;
  const statuses: number[] = [];
  const failures: string[] = [];
  const sendRequests = async () => {
    while (!isStopped)
      try {
        // Uses keep-alive connections like a load balancer.
        const response = await fetch(`${url()}/leaderboard`);
        await response.text();
        statuses.push(response.status);
      } catch (error) {
        failures.push(String(error instanceof Error ? (error.cause ?? error) : error));
      }
  };
  const clients = Array.from({ length: 6 }, sendRequests);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  process.kill(stoppedPid, "SIGTERM");
  await expect.poll(() => readWebPids().includes(stoppedPid), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => readWebPids().length, { timeout: 30_000 }).toBe(2);
  const countBefore = statuses.length;
  await expect.poll(() => statuses.length).toBeGreaterThan(countBefore + 20);
  isStopped = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
