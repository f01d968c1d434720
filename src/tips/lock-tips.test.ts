import { expect, it } from "vitest";
import { pool, transaction } from "#platform/database.server.ts";
import { publishRaceCard } from "#test/factories.ts";
import { lockTips } from "./lock-tips.server.ts";

// PostgreSQL locks rows in the order in which it returns them, so this test checks the order of the result. A test
// with concurrent transactions would always pass, because a transaction that deadlocks is retried.
it("locks tips in the order of their ids, whatever the order of the request", async () => {
  const { raceCardId } = await publishRaceCard({ races: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by id",
    [raceCardId],
  );
  const ids = rows.map((row) => row.id);
  const locked = await transaction((tx) => lockTips(tx, ids.toReversed()));
  expect(locked.map((tip) => tip.id)).toEqual(ids);
});
