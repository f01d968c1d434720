import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { serveInOrder } from "./serve-in-order.server.ts";

let server: Server;
let client: Socket;
let received = "";
let bytesRead = () => 0;
/** The requests that were handled, with a function that responds to each. */
let handled: { url: string; respond: () => void; response: ServerResponse }[] = [];

/** The URLs of the requests that were passed on, whether or not their bodies have arrived. */
let started: string[] = [];

async function listen(): Promise<void> {
  handled = [];
  started = [];
  received = "";
  server = createServer(
    serveInOrder(async (request, response) => {
      const url = request.url ?? "";
      started.push(url);
      const body = await text(request);
      handled.push({ url, response, respond: () => response.end(`[${url} ${body}]`) });
    }),
  ).listen(0, "127.0.0.1");
  server.on("connection", (socket) => {
    bytesRead = () => socket.bytesRead;
  });
  await once(server, "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.setEncoding("utf8").on("data", (part) => {
    received += part;
  });
  await once(client, "connect");
}

afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const formatRequest = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const listHandled = () => handled.map(({ url }) => url);
const listAnswers = () => received.match(/\[[^\]]*\]/g) ?? [];

it("handles the requests of a connection one by one, in order, with their bodies", async () => {
  await listen();
  client.write(
    `${formatRequest("/1")}POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhel`,
  );
  await expect.poll(() => listHandled()).toEqual(["/1"]);
  // The answer to another connection shows that the server has read the second request.
  const other = connect((server.address() as AddressInfo).port, "127.0.0.1");
  other.write(formatRequest("/other"));
  await expect.poll(() => listHandled()).toEqual(["/1", "/other"]);
  other.destroy();
  handled[0]?.respond();
  client.write(`lo${formatRequest("/3")}`);
  await expect.poll(() => listHandled()).toEqual(["/1", "/other", "/2"]);
  handled[2]?.respond();
  await expect.poll(() => listHandled()).toEqual(["/1", "/other", "/2", "/3"]);
  handled[3]?.respond();
  await expect.poll(() => listAnswers()).toEqual(["[/1 ]", "[/2 hello]", "[/3 ]"]);
});

it("answers 3,000 pipelined requests in order", async () => {
  await listen();
  const paths = Array.from({ length: 3_000 }, (_, index) => `/${index}`);
  client.write(paths.map((path) => formatRequest(path)).join(""));
  for (const index of paths.keys()) {
    while (handled.length === index) await new Promise((resolve) => setImmediate(resolve));
    expect(handled.length).toBe(index + 1);
    handled[index]?.respond();
  }
  await expect.poll(() => listAnswers()).toEqual(paths.map((path) => `[${path} ]`));
});

it("stops reading from a connection while its requests wait", async () => {
  await listen();
  const total = 20 * 1024 * 1024;
  const requests = formatRequest("/many").repeat(1_000);
  for (let written = 0; written < total; written += requests.length) client.write(requests);
  await expect.poll(() => handled).toHaveLength(1);
  let previous = -1;
  await expect
    .poll(
      () => {
        const before = previous;
        previous = bytesRead();
        return previous - before;
      },
      { interval: 200 },
    )
    .toBe(0);
  expect(bytesRead()).toBeLessThan(1024 * 1024);
  handled[0]?.respond();
  await expect.poll(() => handled).toHaveLength(2);
});

it("handles no waiting request after a response that closes the connection", async () => {
  await listen();
  client.write(formatRequest("/1") + formatRequest("/2"));
  await expect.poll(() => handled).toHaveLength(1);
  handled[0]?.response.setHeader("Connection", "close");
  handled[0]?.respond();
  await once(client, "end");
  expect(listAnswers()).toEqual(["[/1 ]"]);
  expect(listHandled()).toEqual(["/1"]);
});

it("handles no waiting request of a connection that was destroyed", async () => {
  await listen();
  client.write(formatRequest("/1") + formatRequest("/2"));
  await expect.poll(() => handled).toHaveLength(1);
  const closed = once(handled[0]?.response as ServerResponse, "close");
  handled[0]?.response.destroy();
  await closed;
  await new Promise(setImmediate);
  expect(started).toEqual(["/1"]);
});
