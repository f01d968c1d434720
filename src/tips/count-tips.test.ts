import { expect, it } from "vitest";
import { pool, transaction } from "#platform/database.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import { makeAdmin, publishRaceCard } from "#test/factories.ts";
import { countTips } from "./list-tips.server.ts";
import { hideTip } from "./tip-visibility.server.ts";

it("counts every tip, including void and hidden ones", async () => {
  const admin = await makeAdmin();
  const before = await countTips();
  const { raceCardId } = await publishRaceCard({ races: [1, 2, 3] });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  const [first, second] = rows.map((row) => row.id) as [string, string];
  await transaction((tx) =>
    setTipResultAsTwo(tx, { tipId: first, result: "void", reason: "Scratched", actorId: admin.id }),
  );
  await hideTip(admin.id, second);
  expect(await countTips()).toBe(before + 3);
  const { rows: all } = await pool().query("select count(*) as tips from tips");
  expect(await countTips()).toBe(all[0].tips);
});
