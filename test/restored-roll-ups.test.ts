import { expect, it, vi } from "vitest";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { pool } from "#platform/database.server.ts";
import { withMigrationLock } from "#platform/postgres/migration-lock.server.ts";
import { renumberTransactions } from "#platform/postgres/renumber-transactions.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { rollUpStandings } from "#standings/standings.server.ts";
import { makeTipster, makeUser, publishRaceCard, reverseEarningsOfBuyer } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";

// Restores a dump into another server, which has different transaction ids.

const renumber = (onRestore?: () => Promise<void>) =>
  withMigrationLock(process.env.DATABASE_URL ?? "", (client) =>
    renumberTransactions(client, onRestore),
  );

async function sell(creatorId: string, venue: string): Promise<string> {
  const { raceCardId } = await publishRaceCard({ creatorId, venue });
  const { id } = await makeUser({ coins: 8 });
  await unlockRaceCardAs(id, { raceCardId });
  return id;
}

/** Returns a creator's totals once both include `sales` sales. */
async function expectRolledUp(creatorId: string, sales: number) {
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
  // The roll-up waits for every transaction in progress on the server, including those of other tests.
  await expect.poll(read).toEqual({ earned: sales, standing: sales });
}

/** Adds a billion to the transaction id of every row, as in a dump of another server. */
async function simulateOtherServer(): Promise<void> {
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

it("counts every sale once, whether rolled up before, pending or new", async () => {
  const { id } = await makeTipster();
  await sell(id, "kenilworth");
  const buyer = await sell(id, "vaal");
  await expectRolledUp(id, 2);
  await sell(id, "turffontein");
  await simulateOtherServer();

  expect(await renumber()).toBe(true);
  await expectInvariantsToHold();
  await sell(id, "greyville");
  await expectRolledUp(id, 4);
  await reverseEarningsOfBuyer(buyer);
  await expectRolledUp(id, 3);
  await expectInvariantsToHold();
});

it("renumbers only restored rows, and once in repeated or concurrent runs", async () => {
  expect(await renumber()).toBe(false);
  await simulateOtherServer();
  const both = await Promise.all([renumber(), renumber()]);
  expect(both.sort()).toEqual([false, true]);
  expect(await renumber()).toBe(false);
});

it("reports a restored database again until its rows are renumbered", async () => {
  await simulateOtherServer();
  const killed = () => Promise.reject(new Error("killed"));
  for (let start = 0; start < 2; start++) await expect(renumber(killed)).rejects.toThrow("killed");
  const onRestore = vi.fn(async () => {});
  for (const isRestored of [true, false]) expect(await renumber(onRestore)).toBe(isRestored);
  expect(onRestore).toHaveBeenCalledTimes(1);
});
