import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type StartedProduct, spawnProduct, startProduct } from "#test/started-product.ts";

// Starts and stops real server processes, without a browser.
test.describe.configure({ mode: "serial" });

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let variables: { PORT: string; DATA_DIR: string };
let product: StartedProduct | null = null;

test.beforeAll(async () => {
  folder = await makeDataFolder();
  variables = { PORT: String(await findFreePort()), DATA_DIR: folder.dataDir };
});
test.afterEach(async () => {
  await product?.stop();
  product = null;
});
test.afterAll(() => folder.remove());

const isReady = async ({ url }: StartedProduct) => {
  const answer = await fetch(`${url}/health/ready`).catch(() => null);
  return answer?.status === 200;
};

function databasePid(): number {
  const { cluster } = JSON.parse(readFileSync(join(folder.dataDir, "postgres.json"), "utf8"));
  return Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Returns the web processes: the children of the started process. */
function webPids({ process: { pid } }: StartedProduct): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").map(Number);
}

test("an invalid environment prevents the start and prints one line for each variable", async () => {
  const refused = spawnProduct({ ...variables, PORT: "many", WEB_PROCESSES: "0" });
  expect(await refused.ended).toBe(1);
  const lines = refused.said().trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^PORT /);
  expect(lines[1]).toMatch(/^WEB_PROCESSES /);
});

test("a start prints the URL and the accounts, and Ctrl-C stops it within 5 s despite an open event stream", async () => {
  product = await startProduct(variables);
  expect(product.said()).toContain(product.url);
  expect(product.said()).toContain("punter@furlong.test");
  expect(await isReady(product)).toBe(true);
  const live = await fetch(`${product.url}/events/leaderboard`);
  expect(live.headers.get("content-type")).toContain("text/event-stream");
  const told = Date.now();
  expect(await product.stop()).toBe(0);
  expect(Date.now() - told).toBeLessThan(5_000);
  expect(await isReady(product)).toBe(false);
  expect(() => databasePid()).toThrow(); // its database has stopped too
});

test.describe("while a server is running", () => {
  let running: StartedProduct;
  test.beforeAll(async () => {
    running = await startProduct({ ...variables, WEB_PROCESSES: "2" });
  });
  test.afterAll(() => running.stop());

  test("a second start on the same data or port fails with a message and does not affect the first", async () => {
    const again = spawnProduct({ ...variables, PORT: String(await findFreePort()) });
    expect(await again.ended).toBe(1);
    expect(again.said().trim().split("\n")).toEqual([
      expect.stringContaining(`already running on ${folder.dataDir}`),
    ]);
    const elsewhere = await makeDataFolder();
    const samePort = spawnProduct({ ...variables, DATA_DIR: elsewhere.dataDir });
    expect(await samePort.ended).toBe(1);
    expect(samePort.said()).toContain(`Port ${variables.PORT} on 127.0.0.1 is already in use`);
    await elsewhere.remove();
    expect(await isReady(running)).toBe(true);
  });

  test("a crashed database is restarted, and the server becomes ready again", async () => {
    const killed = databasePid();
    process.kill(killed, "SIGKILL");
    await expect(async () => {
      expect(databasePid()).not.toBe(killed);
      expect(await isReady(running)).toBe(true);
    }).toPass();
  });

  test("a killed web process is replaced while the other keeps running", async () => {
    test.skip(process.platform !== "linux", "reads /proc");
    const [killed = 0, other] = webPids(running);
    process.kill(killed, "SIGKILL");
    await expect(async () => {
      const pids = webPids(running);
      expect(pids).toHaveLength(2);
      expect(pids).toContain(other);
      expect(pids).not.toContain(killed);
    }).toPass();
    expect(await isReady(running)).toBe(true);
  });
});

test("a start after a kill reuses the database that kept running", async () => {
  product = await startProduct(variables);
  const database = databasePid();
  product.process.kill("SIGKILL");
  await product.ended;
  product = await startProduct(variables);
  expect(databasePid()).toBe(database);
  expect(await isReady(product)).toBe(true);
});

test("a request in progress completes before the server stops", async () => {
  product = await startProduct(variables);
  const body = JSON.stringify({ email: "punter@furlong.test", password: "not-it" });
  const socket = connect(Number(variables.PORT), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const over = new Promise((done) => socket.once("close", done));
  const head = [
    "POST /api/sign-in HTTP/1.1",
    `Host: localhost:${variables.PORT}`,
    `Origin: ${product.url}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  // Half of the body is sent before the stop, the rest after.
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  await new Promise((done) => setTimeout(done, 300));
  const stopped = product.stop();
  await new Promise((done) => setTimeout(done, 500));
  socket.write(body.slice(10));
  await over;
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d/);
  expect(await stopped).toBe(0);
});
