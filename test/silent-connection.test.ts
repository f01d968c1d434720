import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#identity/identity.server.ts";
import { isDatabaseAway, pool, transaction } from "#platform/database.server.ts";
import { startListening, stopListening } from "#platform/notify.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser, type Person, publishRaceCard } from "#test/cast.ts";
import { type CuttableWay, leadOverCuttableWay } from "#test/tcp-proxy.ts";

// A connection goes silent while the database answers every other: a firewall has forgotten it.

/** The one that looks after the others. */
const SPARED = "furlong-listen";
/** It takes some four seconds; a busy machine takes its time. */
const TOLD_WITHIN_MS = 20_000;

let way: CuttableWay;
let card: { raceCardId: string };
let buyer: Person;
const browser = new Browser();

beforeAll(async () => {
  way = await leadOverCuttableWay();
  await startListening();
  card = await publishRaceCard();
  buyer = await makeUser({ coins: 8 });
  browser.take(await startSession(buyer.id));
  expect((await browser.get("/my-cards")).status).toBe(200);
}, 60_000);

afterAll(async () => {
  await stopListening();
  await way.close();
});

async function inTime<T>(work: Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const done = await work;
  expect(performance.now() - beganAt).toBeLessThan(TOLD_WITHIN_MS);
  return done;
}

/** Sent until it is done, as a client does who is told to come later. */
async function sentAgain(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await inTime(send());
    if (answer.status !== 503) return answer;
  }
}

describe("a connection that is silent", () => {
  it("is broken off: who asked is told to come later, and is answered on another", async () => {
    way.swallow(SPARED);
    way.letThrough();
    const answer = await inTime(browser.get("/my-cards"));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect((await sentAgain(() => browser.get("/my-cards"))).status).toBe(200);
  });

  it("whose answer is lost though the card was opened costs nothing twice", async () => {
    const unlock = () => browser.postJson(`/api/race-cards/${card.raceCardId}/unlock`, {});
    expect((await browser.get("/my-cards")).status).toBe(200);
    way.loseAnswers(SPARED);
    expect((await inTime(unlock())).status).toBe(503);
    const answer = await sentAgain(unlock);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ coins: 4 });
  });

  it("amid a transaction, or at its end, fails it as a database that is away", async () => {
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
          way.loseAnswers(SPARED);
          beSilent();
        }).catch((error) => error),
      ]),
    );
    expect(failures.map(isDatabaseAway)).toEqual([true, true]);
    // What the first had locked is let go, though the server never heard that it is gone.
    await inTime(pool().query("update users set name = name where id = $1", [buyer.id]));
    // By the failure alone nobody can know whether it was written: one of the two was.
    const { rows } = await pool().query("select name from users where id = $1", [buyer.id]);
    expect(rows).toEqual([{ name: "At its end" }]);
  });

  it("like all the others leaves nothing locked, though the server hears of it late", async () => {
    const failure = inTime(
      transaction(async (tx) => {
        await tx.execute(sql`update users set name = 'Left' where id = ${buyer.id}`);
        way.swallow();
        await tx.execute(sql`select 1`);
      }).catch((error) => error),
    );
    expect(isDatabaseAway(await failure)).toBe(true);
    way.letThrough();
    await inTime(
      transaction((tx) => tx.execute(sql`update users set name = 'Next' where id = ${buyer.id}`)),
    );
  });

  it("before a transaction began is not missing afterwards, were it all there are", async () => {
    const asMany = Array.from({ length: pool().options.max ?? 0 });
    await Promise.all(asMany.map(() => pool().query("select pg_sleep(0.2)")));
    way.swallow(SPARED);
    way.letThrough();
    const failures = await inTime(
      Promise.all(asMany.map(() => transaction(async () => null).catch((error) => error))),
    );
    expect(failures.filter(isDatabaseAway)).toHaveLength(asMany.length);
    const { rows } = await inTime(pool().query("select 'there' as word"));
    expect(rows).toEqual([{ word: "there" }]);
  });

  it("is told from one that the database is at work on", async () => {
    const { rows } = await pool().query("select 'done' as word from pg_sleep(7)");
    expect(rows).toEqual([{ word: "done" }]);
  });
});
