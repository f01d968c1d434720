import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { readEarnings } from "#payouts/earnings.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { listRaceDays } from "#racing/race-days.server.ts";
import { readOpenedCards } from "#sales/opened-cards.server.ts";
import { readOwnTips } from "#tips/own-tips.server.ts";
import { readRecordTips, WHOLE_RECORD } from "#tips/public-record.server.ts";
import { readRecordedTips } from "#tips/tips.server.ts";

const ID = randomUUID();
const TIP_CURSOR = `2031-03-01_${ID}_1`;

/** Reads of a later page, each with the conditions by which an index must start at the cursor. */
const LATER_PAGES: [string, () => Promise<unknown>, RegExp[]][] = [
  [
    "the tips of a record download",
    () => readRecordedTips(ID, { at: now(), cursor: TIP_CURSOR, limit: 500 }),
    [/creator_id = \$1\).*race_date >= \$4/],
  ],
  [
    "the tips of a record",
    () => readRecordTips(ID, { at: now(), filter: WHOLE_RECORD, cursor: TIP_CURSOR, limit: 20 }),
    [/creator_id = \$1\).*race_date <= \$9/],
  ],
  [
    "a creator's own tips",
    () => readOwnTips(ID, { at: now(), cursor: TIP_CURSOR, limit: 20 }),
    [/creator_id = \$1\).*race_date <= \$7/],
  ],
  [
    "a creator's earnings",
    () => readEarnings(ID, { beforeSaleId: 1_000, limit: 500 }),
    [/creator_id = \$1\).*sale_id < \$2/, /\(id < \$2/],
  ],
  [
    "opened race cards",
    () => readOpenedCards(ID, { beforeSaleId: 1_000, limit: 200 }),
    [/buyer_id = \$1\).*id < \$2/],
  ],
  [
    "the race days of a venue",
    () => listRaceDays(ID, { before: "2031-03-01", limit: 20 }),
    [/venue_id = \$1\).*race_date < COALESCE\(\$2/],
  ],
];

it.each(LATER_PAGES)("start %s at the cursor with a generic plan", async (_, read, conditions) => {
  const sent = vi.spyOn(pool(), "query");
  await read();
  const [statement] = sent.mock.calls[0] as unknown as [{ text: string }];
  sent.mockRestore();
  const plan = await explainGenericPlan(statement.text);
  const indexConditions = plan.filter((line) => line.includes("Index Cond:"));
  for (const condition of conditions)
    expect(
      indexConditions.some((line) => condition.test(line)),
      plan.join("\n"),
    ).toBe(true);
});

/** Returns the plan for any values. Without other scans, it shows which conditions an index can use. */
async function explainGenericPlan(text: string): Promise<string[]> {
  return await transaction(async (tx) => {
    for (const scan of ["seqscan", "bitmapscan"])
      await tx.execute(`set local enable_${scan} = off`);
    const { rows } = await tx.execute<{ "QUERY PLAN": string }>(`explain (generic_plan) ${text}`);
    return rows.map((row) => row["QUERY PLAN"]);
  });
}
