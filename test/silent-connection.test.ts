import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#identity/identity.server.ts";
import { isDatabaseUnavailable, pool, transaction } from "#platform/database.server.ts";
import { startListening, stopListening } from "#platform/notify.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { proxyTestDatabase, type TcpProxy } from "#test/tcp-proxy.ts";

// One connection goes silent while all others work, as when a firewall drops its state.

/** The application name of the connection that monitors the others. */
const SPARED = "furlong-listen";
/** Detection takes about four seconds; a busy machine needs longer. */
const DETECTION_TIMEOUT_MS = 20_000;

let proxy: TcpProxy;
let card: { raceCardId: string };
let buyer: Person;
const browser = new Browser();

beforeAll(async () => {
  proxy = await proxyTestDatabase();
  await startListening();
  card = await publishRaceCard();
  buyer = await makeUser({ coins: 8 });
  browser.applyCookies(await startSession(buyer.id));
  expect((await browser.get("/my-cards")).status).toBe(200);
}, 60_000);

afterAll(async () => {
  await stopListening();
  await proxy.close();
});

async function inTime<T>(work: Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const done = await work;
  expect(performance.now() - beganAt).toBeLessThan(DETECTION_TIMEOUT_MS);
  return done;
}

/** Repeats a request after 503, as clients do. */
async function sentAgain(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await inTime(send());
    if (response.status !== 503) return response;
  }
}

describe("a silent connection", () => {
  it("is dropped: the request gets 503, and its retry succeeds on another connection", async () => {
    proxy.silence(SPARED);
    proxy.forwardNew();
    const response = await inTime(browser.get("/my-cards"));
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect((await sentAgain(() => browser.get("/my-cards"))).status).toBe(200);
  });

  it("does not charge twice when the response to an unlock is lost", async () => {
    const unlock = () => browser.postJson(`/api/race-cards/${card.raceCardId}/unlock`, {});
    expect((await browser.get("/my-cards")).status).toBe(200);
    proxy.dropResponses(SPARED);
    expect((await inTime(unlock())).status).toBe(503);
    const response = await sentAgain(unlock);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ coins: 4 });
  });

  it("fails a transaction as a database outage, during a statement or at commit", async () => {
    const rename = (name: string) => sql`update users set name = ${name} where id = ${buyer.id}`;
    const { promise: silent, resolve: beSilent } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const failures = await inTime(
      Promise.all([
        transaction(async (tx) => {
          begin();
          await silent;
          await tx.execute(rename("Amid"));
        }).catch((error) => error),
        transaction(async (tx) => {
          await begun;
          await tx.execute(rename("At its end"));
          proxy.dropResponses(SPARED);
          beSilent();
        }).catch((error) => error),
      ]),
    );
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true]);
    // Its locks are released, although the server never noticed that the client is gone.
    await inTime(pool().query("update users set name = name where id = $1", [buyer.id]));
    // The failed commit was applied, because only its response was lost.
    const { rows } = await pool().query("select name from users where id = $1", [buyer.id]);
    expect(rows).toEqual([{ name: "At its end" }]);
  });

  it("leaves no locks when all connections go silent and the server notices late", async () => {
    const failure = inTime(
      transaction(async (tx) => {
        await tx.execute(sql`update users set name = 'Left' where id = ${buyer.id}`);
        proxy.silence();
        await tx.execute(sql`select 1`);
      }).catch((error) => error),
    );
    expect(isDatabaseUnavailable(await failure)).toBe(true);
    proxy.forwardNew();
    await inTime(
      transaction((tx) => tx.execute(sql`update users set name = 'Next' where id = ${buyer.id}`)),
    );
  });

  it("does not reduce the pool when all connections go silent before a transaction", async () => {
    const asMany = Array.from({ length: pool().options.max ?? 0 });
    await Promise.all(asMany.map(() => pool().query("select pg_sleep(0.2)")));
    proxy.silence(SPARED);
    proxy.forwardNew();
    const failures = await inTime(
      Promise.all(asMany.map(() => transaction(async () => null).catch((error) => error))),
    );
    expect(failures.filter(isDatabaseUnavailable)).toHaveLength(asMany.length);
    const { rows } = await inTime(pool().query("select 'there' as word"));
    expect(rows).toEqual([{ word: "there" }]);
  });

  it("is distinguished from a connection with a running statement", async () => {
    const { rows } = await pool().query("select 'done' as word from pg_sleep(7)");
    expect(rows).toEqual([{ word: "done" }]);
  });
});
