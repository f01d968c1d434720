import { expect, it } from "vitest";
import { rollUpStandings } from "#leaderboard/leaderboard.server.ts";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { withMigrationLock } from "#platform/postgres/migration-lock.server.ts";
import { renumberTransactions } from "#platform/postgres/renumber-transactions.server.ts";
import { reverseNewestSales, unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeTipster, makeUser, publishRaceCard } from "#test/cast.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";

// A dump that was put into another server, whose transactions have other numbers.

const renumber = () => withMigrationLock(process.env.DATABASE_URL ?? "", renumberTransactions);

async function sell(creatorId: string, venue: string): Promise<string> {
  const { raceCardId } = await publishRaceCard({ creatorId, venue });
  const { id } = await makeUser({ coins: 8 });
  await unlockRaceCardAs(id, { raceCardId });
  return id;
}

/** The sums of a creator once so many sales are in both of them. */
async function rolledUp(creatorId: string, sales: number) {
  const read = async () => {
    await rollUpEarnings();
    await rollUpStandings();
    const { rows } = await pool().query<{ earned: number; standing: number }>(
      `select t.sales - t.reversed_sales as earned, s.sales as standing
       from earning_totals t join standings s using (creator_id)
       where t.creator_id = $1 and s.month = '0001-01-01'`,
      [creatorId],
    );
    return rows[0];
  };
  // It waits for whatever transaction is under way on the whole server, another test's too.
  await expect.poll(read).toEqual({ earned: sales, standing: sales });
}

/** As if every row had been written by a server that is a billion transactions further. */
async function comeFromElsewhere(): Promise<void> {
  for (const [table, column] of [
    ["sales", "created_xid"],
    ["earning_reversals", "created_xid"],
    ["coin_purchases", "created_xid"],
    ["earning_days_position", "before_xid"],
    ["roll_up_positions", "before_xid"],
    ["purchase_days_position", "before_xid"],
  ])
    await pool().query(
      `alter table ${table} alter column ${column} type xid8
       using ((${column}::text::numeric + 1000000000)::text::xid8)`,
    );
}

it("adds up each sale once, those from before, those not yet added up, and those written here", async () => {
  const { id } = await makeTipster();
  await sell(id, "kenilworth");
  const buyer = await sell(id, "vaal");
  await rolledUp(id, 2);
  await sell(id, "turffontein");
  await comeFromElsewhere();

  expect(await renumber()).toBe(true);
  await expectInvariantsToHold();
  await sell(id, "greyville");
  await rolledUp(id, 4);
  await transaction((tx) =>
    reverseNewestSales(tx, {
      buyerId: buyer,
      afterTransactionId: 0,
      upToCoins: 4,
      reason: "dispute",
    }),
  );
  await rolledUp(id, 3);
  await expectInvariantsToHold();
});

it("is left as it is where it comes from here, however often one looks, and from two machines at once", async () => {
  expect(await renumber()).toBe(false);
  await comeFromElsewhere();
  const both = await Promise.all([renumber(), renumber()]);
  expect(both.sort()).toEqual([false, true]);
  expect(await renumber()).toBe(false);
});
