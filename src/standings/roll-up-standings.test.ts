import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeTipster, makeUser, publishRaceCard, reverseEarningsOfBuyer } from "#test/factories.ts";
import { readStandings } from "./read-standings.server.ts";
import { rollUpStandings } from "./roll-up-standings.server.ts";

/**
 * Returns the standings of a creator as soon as they include this many sales. A roll-up waits for every
 * running transaction of the server, including those of other tests, so it may take several runs.
 */
async function waitForSales(creatorId: string, sales: number) {
  await expect
    .poll(async () => {
      await rollUpStandings();
      return (await readRows(creatorId))[0]?.sales;
    })
    .toBe(sales);
  return await readRows(creatorId);
}

async function readRows(creatorId: string) {
  const { rows } = await pool().query(
    "select month, sales, coins_earned from standings where creator_id = $1 order by month",
    [creatorId],
  );
  return rows;
}

describe("the standings", () => {
  it("count each sale once, per month and for all time, after repeated roll-ups", async () => {
    const creator = await makeTipster();
    freezeClock(instantAt("2026-10-31", "23:30"));
    const october = await publishRaceCard({ creatorId: creator.id });
    const buyers = [await makeUser({ coins: 8 }), await makeUser({ coins: 8 })];
    for (const buyer of buyers) await unlockRaceCardAs(buyer.id, october);
    freezeClock(instantAt("2026-11-01", "00:10"));
    const november = await publishRaceCard({ creatorId: creator.id, venue: "vaal" });
    await unlockRaceCardAs(buyers[0]?.id ?? "", november);

    await waitForSales(creator.id, 3);
    await rollUpStandings();
    expect(await waitForSales(creator.id, 3)).toEqual([
      { month: "0001-01-01", sales: 3, coins_earned: 12 },
      { month: "2026-10-01", sales: 2, coins_earned: 8 },
      { month: "2026-11-01", sales: 1, coins_earned: 4 },
    ]);
  });

  it("subtract reversed sales", async () => {
    const card = await publishRaceCard();
    const buyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(buyer.id, card);
    await waitForSales(card.creatorId, 1);
    await reverseEarningsOfBuyer(buyer.id);
    expect(await waitForSales(card.creatorId, 0)).toMatchObject([
      { month: "0001-01-01", sales: 0, coins_earned: 0 },
      { sales: 0, coins_earned: 0 },
    ]);
  });

  it("include a sale whose transaction commits after a later one", async () => {
    const card = await publishRaceCard();
    const [firstBuyer, secondBuyer] = [await makeUser({ coins: 4 }), await makeUser({ coins: 4 })];
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select * from unlock_race_card($1, $2, $3, $4)", [
        firstBuyer.id,
        card.raceCardId,
        randomUUID(),
        now(),
      ]);
      await unlockRaceCardAs(secondBuyer.id, card);
      await rollUpStandings();
      await client.query("commit");
    } finally {
      // An open transaction would hold up the roll-ups of every test.
      await client.end();
    }
    expect((await waitForSales(card.creatorId, 2))[0]).toMatchObject({ coins_earned: 8 });
  });

  it("count each sale once when five roll-ups run together", async () => {
    const card = await publishRaceCard();
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, card);
    await Promise.all(Array.from({ length: 5 }, () => rollUpStandings()));
    await waitForSales(card.creatorId, 1);
    await Promise.all(Array.from({ length: 5 }, () => rollUpStandings()));
    expect(await waitForSales(card.creatorId, 1)).toMatchObject([{ sales: 1 }, { sales: 1 }]);
  });

  it("are ranked by sales score: 50 per sale, 5 per coin and 20 per tip", async () => {
    const [leader] = await readStandings(1);
    expect(leader).toMatchObject({ rank: 1, sales: 3, coinsEarned: 12, tips: 6 });
    expect(leader?.score).toBe(3 * 50 + 12 * 5 + 6 * 20);
  });

  it("rank a creator with sales above 6,000 creators without sales", async () => {
    const card = await publishRaceCard({
      creatorId: (await makeTipster({ name: `Zz ${randomUUID().slice(0, 8)}` })).id,
    });
    for (let sale = 0; sale < 5; sale += 1)
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, card);
    await waitForSales(card.creatorId, 5);
    await pool().query(`
      with new_users as (
        insert into users (email, name, created_at, updated_at)
        select 'listed-user' || n || '@example.test', 'User', now(), now() from generate_series(1, 6000) n
        returning id
      ), new_creators as (
        insert into creators (user_id, kind, display_name, slug, approved_at, created_at, updated_at)
        select id, 'tipster', 'Aa ' || id, 'aa-' || id, now(), now(), now() from new_users returning user_id
      )
      insert into creator_records (creator_id) select user_id from new_creators`);
    // A notification invalidates the cached board.
    await publishUpdate("standings");
    await expect
      .poll(async () => (await readStandings(50)).map(({ creatorId }) => creatorId))
      .toContain(card.creatorId);
    expect(await readStandings(50)).toHaveLength(50);
  });
});
