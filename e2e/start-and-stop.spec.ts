import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { type ServerProcess, spawnServer, startServer } from "#test/server-process.ts";

// Tests starts and stops of real server processes, without a browser.
test.describe.configure({ mode: "serial" });

let dataFolder: Awaited<ReturnType<typeof makeDataFolder>>;
let variables: { PORT: string; DATA_DIR: string };
let server: ServerProcess | null = null;

test.beforeAll(async () => {
  dataFolder = await makeDataFolder();
  variables = { PORT: String(await findFreePort()), DATA_DIR: dataFolder.dataDir };
});
test.afterEach(async () => {
  await server?.stop();
  server = null;
});
test.afterAll(() => dataFolder.remove());

const isReady = async ({ url }: ServerProcess) => {
  const response = await fetch(`${url}/health/ready`).catch(() => null);
  return response?.status === 200;
};

function readDatabasePid(): number {
  const { cluster } = JSON.parse(readFileSync(join(dataFolder.dataDir, "postgres.json"), "utf8"));
  return Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Returns the web processes: the children of the started process. */
function readWebPids({ process: { pid } }: ServerProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").map(Number);
}

test("an invalid environment prevents the start and prints one line for each variable", async () => {
  const invalidServer = spawnServer({ ...variables, PORT: "many", WEB_PROCESSES: "0" });
  expect(await invalidServer.exited).toBe(1);
  const lines = invalidServer.output().trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^PORT /);
  expect(lines[1]).toMatch(/^WEB_PROCESSES /);
});

test("a start prints the URL and the accounts, and Ctrl-C stops it despite an open event stream", async () => {
  server = await startServer(variables);
  expect(server.output()).toContain(server.url);
  expect(server.output()).toContain("punter@furlong.test");
  expect(await isReady(server)).toBe(true);
  const eventStream = await fetch(`${server.url}/events/leaderboard`);
  expect(eventStream.headers.get("content-type")).toContain("text/event-stream");
  expect(await server.stop()).toBe(0);
  expect(await isReady(server)).toBe(false);
  expect(() => readDatabasePid()).toThrow(); // its database has stopped too
});

test.describe("while a server is running", () => {
  let runningServer: ServerProcess;
  test.beforeAll(async () => {
    runningServer = await startServer({ ...variables, WEB_PROCESSES: "2" });
  });
  test.afterAll(() => runningServer.stop());

  test("a second start on the same data or port fails with a message and does not affect the first", async () => {
    const secondServer = spawnServer({ ...variables, PORT: String(await findFreePort()) });
    expect(await secondServer.exited).toBe(1);
    expect(secondServer.output().trim().split("\n")).toEqual([
      expect.stringContaining(`already running on ${dataFolder.dataDir}`),
    ]);
    const otherDataFolder = await makeDataFolder();
    const serverOnSamePort = spawnServer({ ...variables, DATA_DIR: otherDataFolder.dataDir });
    expect(await serverOnSamePort.exited).toBe(1);
    expect(serverOnSamePort.output()).toContain(
      `Port ${variables.PORT} on 127.0.0.1 is already in use`,
    );
    await otherDataFolder.remove();
    expect(await isReady(runningServer)).toBe(true);
  });

  test("a crashed database is restarted, and the server becomes ready again", async () => {
    const killedPid = readDatabasePid();
    process.kill(killedPid, "SIGKILL");
    await expect(async () => {
      expect(readDatabasePid()).not.toBe(killedPid);
      expect(await isReady(runningServer)).toBe(true);
    }).toPass();
  });

  test("a killed web process is replaced while the other keeps running", async () => {
    test.skip(process.platform !== "linux", "reads /proc");
    const [killedPid = 0, otherPid] = readWebPids(runningServer);
    process.kill(killedPid, "SIGKILL");
    await expect(async () => {
      const pids = readWebPids(runningServer);
      expect(pids).toHaveLength(2);
      expect(pids).toContain(otherPid);
      expect(pids).not.toContain(killedPid);
    }).toPass();
    expect(await isReady(runningServer)).toBe(true);
  });
});

test("a start after a kill reuses the database that kept running", async () => {
  server = await startServer(variables);
  const databasePid = readDatabasePid();
  server.process.kill("SIGKILL");
  await server.exited;
  server = await startServer(variables);
  expect(readDatabasePid()).toBe(databasePid);
  expect(await isReady(server)).toBe(true);
});

test("a request in progress completes before the server stops", async () => {
  server = await startServer(variables);
  const body = JSON.stringify({ email: "punter@furlong.test", password: "not-it" });
  const socket = connect(Number(variables.PORT), "127.0.0.1");
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk;
  });
  const socketClosed = new Promise((resolve) => socket.once("close", resolve));
  const headerLines = [
    "POST /api/sign-in HTTP/1.1",
    `Host: localhost:${variables.PORT}`,
    `Origin: ${server.url}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  // Half of the body is sent before the stop, the rest after.
  socket.write(`${headerLines.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const stopping = server.stop();
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.write(body.slice(10));
  await socketClosed;
  expect(response).toMatch(/^HTTP\/1.1 4\d\d/);
  expect(await stopping).toBe(0);
});
