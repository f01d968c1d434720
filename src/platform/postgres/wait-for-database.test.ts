import { afterEach, beforeEach, expect, it } from "vitest";
import { openTcpProxy, type TcpProxy } from "#test/tcp-proxy.ts";
import { waitForDatabase } from "./wait-for-database.server.ts";

let proxy: TcpProxy;
let url: string;
let lines: string[];

beforeEach(async () => {
  lines = [];
  const database = new URL(process.env.DATABASE_URL ?? "");
  proxy = await openTcpProxy({ host: database.hostname, port: Number(database.port) });
  database.port = String(proxy.port);
  url = database.href;
});
afterEach(() => proxy.close());

const waitThroughProxy = (options?: Parameters<typeof waitForDatabase>[2]) =>
  waitForDatabase(url, (line) => lines.push(line), options);

it("reports nothing when the database is available", async () => {
  await waitThroughProxy();
  expect(lines).toEqual([]);
});

it("reports once that it waits, and resolves when the database is available", async () => {
  await proxy.disconnect();
  let isResolved = false;
  const wait = waitThroughProxy().then(() => {
    isResolved = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(isResolved).toBe(false);
  await proxy.reconnect();
  await wait;
  expect(lines).toEqual([`Waiting for the database at 127.0.0.1:${proxy.port} (ECONNREFUSED)`]);
});

it("throws a one-line error after timeoutMs", async () => {
  await proxy.disconnect();
  await expect(waitThroughProxy({ timeoutMs: 600 })).rejects.toThrow(
    `The database at 127.0.0.1:${proxy.port} is not available (ECONNREFUSED).`,
  );
});

it("waits while the database is read-only, unless acceptsReadOnly is set", async () => {
  url += "?options=-c%20default_transaction_read_only=on";
  await waitThroughProxy({ acceptsReadOnly: true });
  await expect(waitThroughProxy({ timeoutMs: 600 })).rejects.toThrow("(it is read-only)");
});

it.each([
  ["the password is wrong", (text: string) => text.replace(/:[^:@]+@/, ":wrong@")],
  ["the database does not exist", (text: string) => `${text}_unknown`],
])("throws immediately when %s", async (_reason, change) => {
  url = change(url);
  await expect(waitThroughProxy()).rejects.toMatchObject({
    code: expect.stringMatching(/^(28P01|3D000)$/),
  });
  expect(lines).toEqual([]);
});
