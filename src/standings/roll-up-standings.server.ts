import { eq, sql } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { sumSalesSince } from "#sales/sales.server.ts";
import { rollUpPositions } from "./tables.server.ts";

/** The month value of a creator's all-time standing. */
export const ALL_TIME = "0001-01-01";

/**
 * Adds the sales since the last run to the standings, each sale exactly once. Returns true if there
 * were any. It does not block sales, because nothing else writes the standings.
 */
export async function rollUpStandings(): Promise<boolean> {
  return await transaction(async (tx) => {
    const [position] = await tx
      .select({ beforeXid: rollUpPositions.beforeXid })
      .from(rollUpPositions)
      .where(eq(rollUpPositions.name, "standings"))
      .for("update");
    if (!position) throw new Error("roll_up_positions has no row for the standings");
    const { beforeXid, sums } = await sumSalesSince(tx, position.beforeXid);
    await tx.execute(sql`
      with moved as (
        select * from jsonb_to_recordset(${JSON.stringify(sums)}::jsonb)
          as m ("creatorId" uuid, month date, sales integer, coins bigint)
      ), periods as (
        select "creatorId", month, sales, coins from moved
        union all select "creatorId", ${ALL_TIME}::date, sales, coins from moved
      )
      insert into standings as s (creator_id, month, sales, coins_earned)
      select "creatorId", month, sum(sales), sum(coins) from periods group by 1, 2
      on conflict (creator_id, month) do update set
        sales = s.sales + excluded.sales, coins_earned = s.coins_earned + excluded.coins_earned`);
    await tx
      .update(rollUpPositions)
      .set({ beforeXid })
      .where(eq(rollUpPositions.name, "standings"));
    return sums.length > 0;
  });
}

/** Updates the standings and notifies open pages, once per run. */
export const rollUpStandingsJob: Job = {
  name: "roll-up-standings",
  everySeconds: 1,
  async run() {
    if (await rollUpStandings()) await publishUpdate("standings");
  },
};
