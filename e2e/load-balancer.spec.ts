import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { type ProductionServices, startProductionServices } from "#test/production.ts";
import { type ServerProcess, startServer } from "#test/server-process.ts";

// Runs HAProxy with the documented configuration, if it is installed.

test.describe.configure({ mode: "serial", timeout: 600_000 });
test.skip(spawnSync("haproxy", ["-v"]).status !== 0, "HAProxy is not installed");

let services: ProductionServices;
let server: ServerProcess;
let haproxy: ChildProcess;
let url = "";

test.beforeAll(async () => {
  test.setTimeout(600_000);
  services = await startProductionServices();
  const [port, httpPort, httpsPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  url = `https://localhost:${httpsPort}`;
  server = await startServer({ ...services.variables, PORT: String(port), APP_URL: url });
  const folder = services.variables.DATA_DIR;
  const { NODE_EXTRA_CA_CERTS: cert = "", TLS_KEY_FILE: key = "" } = process.env;
  writeFileSync(
    join(folder, "furlong.pem"),
    readFileSync(cert, "utf8") + readFileSync(key, "utf8"),
  );
  const config = readFileSync("docs/operations/haproxy.cfg", "utf8")
    .replace("bind :80", `bind 127.0.0.1:${httpPort}`)
    .replace("bind :443", `bind 127.0.0.1:${httpsPort}`)
    .replace("/etc/haproxy/furlong.pem", join(folder, "furlong.pem"))
    // The tests may run without root.
    .replaceAll(/^ {2}(user|group) .*\n/gm, "")
    .replaceAll("10.0.0.11:3000", `127.0.0.1:${port}`)
    .replaceAll(/^ {2}server m2 .*\n/gm, "");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  const validation = spawnSync("haproxy", ["-c", "-f", file], { encoding: "utf8" });
  expect(validation.status, validation.stderr).toBe(0);
  expect(validation.stderr).not.toContain("WARNING");
  haproxy = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  await expect(async () => {
    expect(haproxy.exitCode).toBeNull();
    expect((await request("/health/ready")).status).toBe(200);
  }).toPass({ timeout: 60_000 });
});
test.afterAll(async () => {
  haproxy?.kill("SIGKILL");
  await server?.stop();
  await services?.stop();
});

async function request(path: string, init?: RequestInit) {
  const response = await fetch(url + path, { redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("pages and forms are served over HTTPS, metrics are not", async () => {
  expect((await request("/")).text).toContain("Furlong");
  const postLogin = (origin: string) =>
    request("/login", {
      method: "POST",
      headers: { Origin: origin },
      body: new URLSearchParams({ email: "nobody@example.test", password: "not it at all" }),
    });
  // A wrong password shows that the form was processed.
  expect((await postLogin(url)).text).toContain("Invalid email or password");
  expect((await postLogin("https://evil.example")).status).toBe(403);
  expect((await request("/metrics")).status).toBe(403);
});

test("serves cached pages and Furlong's own error page while the database is down", async () => {
  const homePage = await request("/");
  expect(homePage.status).toBe(200);
  const { DATA_DIR: dataDir } = services.variables;
  await (await startEmbeddedPostgres({ dataDir })).stop();
  // After two failed checks HAProxy has no ready server.
  await expect(async () => {
    const ready = await request("/health/ready");
    expect(ready.status).toBe(503);
    expect(ready.headers.get("x-request-id")).not.toBeNull();
  }).toPass({ timeout: 60_000 });
  const homeStatuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    for (const path of ["/", "/profile", "/api/race-cards", "/api/me"]) {
      const response = await request(path);
      // HAProxy's error page has no request ID and contains "No server is available".
      expect(response.headers.get("x-request-id"), `${path}: ${response.text}`).not.toBeNull();
      expect(response.text).not.toContain("No server is available");
      if (path === "/") homeStatuses.push(response.status);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  // The page cached for guests is still served.
  expect(new Set(homeStatuses)).toEqual(new Set([200]));
  expect((await request("/health/live")).status).toBe(200);

  await startEmbeddedPostgres({ dataDir });
  await expect(async () => expect((await request("/health/ready")).status).toBe(200)).toPass({
    timeout: 60_000,
  });
  expect((await request("/api/race-cards")).status).toBe(200);
});
