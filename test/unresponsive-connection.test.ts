import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import {
  databaseLimits,
  isDatabaseUnavailable,
  pool,
  transaction,
} from "#platform/database.server.ts";
import { startListening, stopListening } from "#platform/notify.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { proxyTestDatabase, type TcpProxy } from "#test/tcp-proxy.ts";

// One connection stops responding while all others work, as when a firewall drops its state.

/** The application name of the connection that monitors the others. */
const MONITOR_APPLICATION = "furlong-listen";

let proxy: TcpProxy;
let card: { raceCardId: string };
let buyer: Person;
const browser = new Browser();

beforeAll(async () => {
  Object.assign(databaseLimits, {
    connectMs: 1_800,
    idleTransactionMs: 5_000,
    statementMs: 15_000,
  });
  proxy = await proxyTestDatabase();
  await startListening();
  card = await publishRaceCard();
  buyer = await makeUser({ coins: 8 });
  browser.applyCookies(await startSession(buyer.id));
  expect((await browser.get("/my-cards")).status).toBe(200);
});

afterAll(async () => {
  await stopListening();
  await proxy.close();
});

/** Repeats a request after 503, as clients do. */
async function retryUntilAvailable(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}

describe("an unresponsive connection", () => {
  it("is closed: the request gets 503, and its retry succeeds on another connection", async () => {
    proxy.stall(MONITOR_APPLICATION);
    proxy.forwardNewConnections();
    const response = await browser.get("/my-cards");
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect((await retryUntilAvailable(() => browser.get("/my-cards"))).status).toBe(200);
  });

  it("does not charge twice when the response to an unlock is lost", async () => {
    const unlock = () => browser.postJson(`/api/race-cards/${card.raceCardId}/unlock`, {});
    expect((await browser.get("/my-cards")).status).toBe(200);
    proxy.dropResponses(MONITOR_APPLICATION);
    expect((await unlock()).status).toBe(503);
    const response = await retryUntilAvailable(unlock);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ coins: 4 });
  });

  it("fails a transaction as a database outage, during a statement or at commit", async () => {
    const rename = (name: string) => sql`update users set name = ${name} where id = ${buyer.id}`;
    const { promise: stalled, resolve: markStalled } = Promise.withResolvers<void>();
    const { promise: started, resolve: markStarted } = Promise.withResolvers<void>();
    const failures = await Promise.all([
      transaction(async (tx) => {
        markStarted();
        await stalled;
        await tx.execute(rename("During statement"));
      }).catch((error) => error),
      transaction(async (tx) => {
        await started;
        await tx.execute(rename("At commit"));
        proxy.dropResponses(MONITOR_APPLICATION);
        markStalled();
      }).catch((error) => error),
    ]);
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true]);
    // Its locks are released, although the server never detected the disconnected client.
    await pool().query("update users set name = name where id = $1", [buyer.id]);
    // The failed commit was applied, because only its response was lost.
    const { rows } = await pool().query("select name from users where id = $1", [buyer.id]);
    expect(rows).toEqual([{ name: "At commit" }]);
  });

  it("leaves no locks when all connections stop responding, even if the server detects it late", async () => {
    const failure = transaction(async (tx) => {
      await tx.execute(sql`update users set name = 'Uncommitted' where id = ${buyer.id}`);
      proxy.stall();
      await tx.execute(sql`select 1`);
    }).catch((error) => error);
    expect(isDatabaseUnavailable(await failure)).toBe(true);
    proxy.forwardNewConnections();
    await transaction((tx) =>
      tx.execute(sql`update users set name = 'Next' where id = ${buyer.id}`),
    );
  });

  it("does not reduce the pool when all connections stop responding before a transaction", async () => {
    const poolSlots = Array.from({ length: pool().options.max ?? 0 });
    await Promise.all(poolSlots.map(() => pool().query("select pg_sleep(0.2)")));
    proxy.stall(MONITOR_APPLICATION);
    proxy.forwardNewConnections();
    const failures = await Promise.all(
      poolSlots.map(() => transaction(async () => null).catch((error) => error)),
    );
    expect(failures.filter(isDatabaseUnavailable)).toHaveLength(poolSlots.length);
    const { rows } = await pool().query("select 'ok' as status");
    expect(rows).toEqual([{ status: "ok" }]);
  });

  it("is distinguished from a connection with a running statement", async () => {
    const { rows } = await pool().query("select 'ok' as status from pg_sleep(7)");
    expect(rows).toEqual([{ status: "ok" }]);
  });
});
