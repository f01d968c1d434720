import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { type Surroundings, startSurroundings } from "#test/production.ts";
import { type StartedProduct, startProduct } from "#test/started-product.ts";

// Runs HAProxy with the documented configuration, if it is installed.

test.describe.configure({ mode: "serial", timeout: 600_000 });
test.skip(spawnSync("haproxy", ["-v"]).status !== 0, "HAProxy is not installed");

let surroundings: Surroundings;
let product: StartedProduct;
let balancer: ChildProcess;
let url = "";

test.beforeAll(async () => {
  test.setTimeout(600_000);
  surroundings = await startSurroundings();
  const [port, plain, secure] = [await findFreePort(), await findFreePort(), await findFreePort()];
  url = `https://localhost:${secure}`;
  product = await startProduct({ ...surroundings.variables, PORT: String(port), APP_URL: url });
  const folder = surroundings.variables.DATA_DIR;
  const { NODE_EXTRA_CA_CERTS: cert = "", TLS_KEY_FILE: key = "" } = process.env;
  writeFileSync(
    join(folder, "furlong.pem"),
    readFileSync(cert, "utf8") + readFileSync(key, "utf8"),
  );
  const config = readFileSync("docs/operations/haproxy.cfg", "utf8")
    .replace("bind :80", `bind 127.0.0.1:${plain}`)
    .replace("bind :443", `bind 127.0.0.1:${secure}`)
    .replace("/etc/haproxy/furlong.pem", join(folder, "furlong.pem"))
    // The tests may run without root.
    .replaceAll(/^ {2}(user|group) .*\n/gm, "")
    .replaceAll("10.0.0.11:3000", `127.0.0.1:${port}`)
    .replaceAll(/^ {2}server m2 .*\n/gm, "");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  const checked = spawnSync("haproxy", ["-c", "-f", file], { encoding: "utf8" });
  expect(checked.status, checked.stderr).toBe(0);
  expect(checked.stderr).not.toContain("WARNING");
  balancer = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  await expect(async () => {
    expect(balancer.exitCode).toBeNull();
    expect((await ask("/health/ready")).status).toBe(200);
  }).toPass({ timeout: 60_000 });
});
test.afterAll(async () => {
  balancer?.kill("SIGKILL");
  await product?.stop();
  await surroundings?.stop();
});

async function ask(path: string, init?: RequestInit) {
  const answer = await fetch(url + path, { redirect: "manual", ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("pages and forms are served over HTTPS, metrics are not", async () => {
  expect((await ask("/")).text).toContain("Furlong");
  const form = (origin: string) =>
    ask("/login", {
      method: "POST",
      headers: { Origin: origin },
      body: new URLSearchParams({ email: "nobody@example.test", password: "not it at all" }),
    });
  // A wrong password shows that the form was processed.
  expect((await form(url)).text).toContain("Invalid email or password");
  expect((await form("https://evil.example")).status).toBe(403);
  expect((await ask("/metrics")).status).toBe(403);
});

test("serves cached pages and Furlong's own error page while the database is down", async () => {
  const before = await ask("/");
  expect(before.status).toBe(200);
  const { DATA_DIR: dataDir } = surroundings.variables;
  await (await startEmbeddedPostgres({ dataDir })).stop();
  // After two failed checks HAProxy has no ready server.
  await expect(async () => {
    const ready = await ask("/health/ready");
    expect(ready.status).toBe(503);
    expect(ready.headers.get("x-request-id")).not.toBeNull();
  }).toPass({ timeout: 60_000 });
  const statusOfMinutes: number[] = [];
  for (let times = 0; times < 12; times += 1) {
    for (const path of ["/", "/profile", "/api/race-cards", "/api/me"]) {
      const answer = await ask(path);
      // HAProxy's own page has no request id and says "No server is available".
      expect(answer.headers.get("x-request-id"), `${path}: ${answer.text}`).not.toBeNull();
      expect(answer.text).not.toContain("No server is available");
      if (path === "/") statusOfMinutes.push(answer.status);
    }
    await new Promise((done) => setTimeout(done, 1_000));
  }
  // The page cached for guests is still served.
  expect(new Set(statusOfMinutes)).toEqual(new Set([200]));
  expect((await ask("/health/live")).status).toBe(200);

  await startEmbeddedPostgres({ dataDir });
  await expect(async () => expect((await ask("/health/ready")).status).toBe(200)).toPass({
    timeout: 60_000,
  });
  expect((await ask("/api/race-cards")).status).toBe(200);
});
