import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { pool } from "#platform/database.server.ts";
import { startListening, stopListening } from "#platform/notify.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser } from "#test/factories.ts";
import { proxyTestDatabase, type TcpProxy } from "#test/tcp-proxy.ts";

// PgBouncer reports an arbitrary process id at connect, which can belong to another session.

let proxy: TcpProxy;
/** An unrelated session, whose process id the proxy reports for every connection. */
let unrelatedSession: Client;
const browser = new Browser();

beforeAll(async () => {
  unrelatedSession = new Client({
    connectionString: process.env.DATABASE_URL ?? "",
    application_name: "furlong-unrelated",
  });
  await unrelatedSession.connect();
  unrelatedSession.on("error", () => {});
  const { rows } = await unrelatedSession.query<{ pid: number }>("select pg_backend_pid() as pid");
  proxy = await proxyTestDatabase({ reportedPid: rows[0]?.pid ?? 0 });
  await startListening();
  browser.applyCookies(await startSession((await makeUser({ coins: 8 })).id));
});

afterAll(async () => {
  await stopListening();
  await unrelatedSession.end().catch(() => {});
  await proxy.close();
});

describe("behind a pooler that reports an arbitrary process id", () => {
  it("completes a statement of seven seconds", async () => {
    const { rows } = await pool().query("select 'ok' as status from pg_sleep(7)");
    expect(rows).toEqual([{ status: "ok" }]);
  });

  it("closes an unresponsive connection without terminating the session with the reported id", async () => {
    expect((await browser.get("/my-cards")).status).toBe(200);
    proxy.stall("furlong-listen");
    proxy.forwardNewConnections();
    expect((await browser.get("/my-cards")).status).toBe(503);
    let status = 503;
    while (status === 503) status = (await browser.get("/my-cards")).status;
    expect(status).toBe(200);
    // The watchdog terminates right after it drops the connection.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await unrelatedSession.query("select 'ok' as status")).rows).toEqual([
      { status: "ok" },
    ]);
  });
});
