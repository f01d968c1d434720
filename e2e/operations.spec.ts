import { connect } from "node:net";
import { text as wholeTextOf } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type StartedProduct, startProduct } from "#test/started-product.ts";

// Metrics, logs and process replacement with two web processes.

// A long timeout, because a start can take minutes on a busy machine.
test.describe.configure({ mode: "serial", timeout: 600_000 });

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let product: StartedProduct | null = null;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  folder = await makeDataFolder();
  product = await startProduct({
    PORT: String(await findFreePort()),
    DATA_DIR: folder.dataDir,
    WEB_PROCESSES: "2",
  });
});
test.afterAll(async () => {
  await product?.stop();
  await folder.remove();
});

const url = () => product?.url ?? "";

/** Sends requests on separate connections, so that both processes get some. */
const ask = (path: string, init: RequestInit = {}) =>
  fetch(url() + path, { ...init, headers: { Connection: "close", ...init.headers } });

test("metrics combine both processes and include jobs, connections and integrity checks", async () => {
  const count = async () => {
    const text = await (await ask("/metrics")).text();
    const line = /furlong_http_request_seconds_count\{[^}]*kind="api venues"[^}]*\} (\d+)/.exec(
      text,
    );
    return { text, asked: Number(line?.[1] ?? 0) };
  };
  const before = await count();
  for (let times = 0; times < 20; times += 1) await (await ask("/api/venues")).text();
  // Either process reports the counts of both.
  for (let times = 0; times < 4; times += 1) expect((await count()).asked).toBe(before.asked + 20);
  const { text } = before;
  expect(text).toMatch(/furlong_database_connections\{state="open"\} \d+/);
  expect(text).toMatch(/furlong_process_cpu_seconds_total \d/);
  await expect(async () => {
    const later = (await count()).text;
    expect(later).toMatch(/furlong_jobs\{[^}]*state="completed"[^}]*\} \d+/);
    expect(later).toMatch(/furlong_integrity_check_failures\{[^}]*\} 0/);
  }).toPass({ timeout: 90_000 });
});

test("metrics are refused through an untrusted proxy", async () => {
  const answer = await ask("/metrics", { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(answer.status).toBe(403);
});

test("a health check without a Host header succeeds", async () => {
  const { port } = new URL(url());
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("GET /health/ready HTTP/1.0\r\n\r\n");
  expect(await wholeTextOf(socket)).toMatch(/^HTTP\/1.1 200 /);
});

test("rejects TRACE", async () => {
  const { hostname, port } = new URL(url());
  for (const path of ["/", "/api/me", "/assets/nothing.js"]) {
    const socket = connect(Number(port), hostname);
    socket.write(
      `TRACE ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-Secret: kept\r\nConnection: close\r\n\r\n`,
    );
    const answer = await wholeTextOf(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(answer).not.toContain("X-Secret");
  }
});

test("logs contain no personal data and no secrets", async () => {
  const secrets = {
    email: "nandi.canary@example.test",
    name: "Nandi Canaryname",
    password: "canary-password-here",
    wrong: "canary-wrong-password",
    card: "4242424242424242",
  };
  const json = (body: object): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const form = (fields: Record<string, string>): RequestInit => ({
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const { email, name, password, wrong } = secrets;
  await ask("/login?mode=register", form({ name, email, password, agreed: "on" }));
  await ask("/login", form({ email, password }));
  await ask("/api/sign-in", json({ email, password: wrong }));
  await ask("/api/sign-in", { ...json({}), body: `{"email":"${email}","password":"${wrong}"` });
  await ask("/forgot-password", form({ email }));
  await ask(`/login?return=${encodeURIComponent(email)}`);
  await ask(`/reset-password?token=canary-token-${password}`);
  const { raceCards } = await (await ask("/api/race-cards")).json();
  const guest = {
    packageId: "unlock_tip_starter",
    idempotencyKey: crypto.randomUUID(),
    acknowledgedRacesRun: "0",
  };
  await ask(
    `/unlock/${raceCards[0]?.id}`,
    form({ ...guest, name, email: `guest.${email}`, password, agreed: "on" }),
  );
  const signIn = await ask(
    "/api/sign-in",
    json({ email: "punter@furlong.test", password: "furlong-demo" }),
  );
  const cookie = (signIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  await ask("/api/me", { headers: { Cookie: cookie } });
  await ask("/nowhere/at/all", { headers: { Cookie: cookie } });
  await ask("/webhooks/stripe", { method: "POST", body: `{"email":"${email}"}` });
  // The requested emails have been sent or attempted by now.
  await expect(async () => {
    const mails = await (await ask("/demo/mail.json")).text();
    expect(mails).toContain(email);
  }).toPass();

  const said = product?.said() ?? "";
  // The start prints the demo accounts and their password, which are public.
  const logged = said.slice(said.indexOf("Furlong is ready"));
  for (const [what, secret] of Object.entries(secrets))
    expect(logged.includes(secret), what).toBe(false);
  expect(logged).not.toContain("canary");
  expect(logged).not.toContain(cookie.split("=")[1] ?? "no cookie");
  for (const line of logged.split("\n").filter((each) => each.startsWith("{")))
    expect(() => JSON.parse(line), line).not.toThrow();
});

test("browser files contain no server code", async () => {
  const { readdirSync, readFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const secret = readFileSync(join(folder.dataDir, "auth-secret"), "utf8").trim();
  const { password } = JSON.parse(readFileSync(join(folder.dataDir, "postgres.json"), "utf8"));
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
    for (const each of forbidden) expect(text.includes(each), `${each} in ${file}`).toBe(false);
  }
});

test("a process stopped under load finishes its requests, and none is refused", async () => {
  const { readFileSync } = await import("node:fs");
  const pid = product?.process.pid;
  const children = () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const [first = 0] = children();
  let isOver = false;
  const statuses: number[] = [];
  const failures: string[] = [];
  const client = async () => {
    while (!isOver)
      try {
        // On keep-alive connections, as a load balancer uses.
        const answer = await fetch(`${url()}/leaderboard`);
        await answer.text();
        statuses.push(answer.status);
      } catch (error) {
        failures.push(String(error instanceof Error ? (error.cause ?? error) : error));
      }
  };
  const clients = Array.from({ length: 6 }, client);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  process.kill(first, "SIGTERM");
  await expect.poll(() => children().includes(first), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => children().length, { timeout: 30_000 }).toBe(2);
  const soFar = statuses.length;
  await expect.poll(() => statuses.length).toBeGreaterThan(soFar + 20);
  isOver = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
