import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, makeTipster, publishRaceCard } from "#test/factories.ts";
import { resendBatchNotice } from "./batch-notice.server.ts";

it("sends one notice and does not exhaust the pool when more requests than connections arrive together", async () => {
  const { id } = await makeTipster();
  const venue = await findTestVenue();
  const { raceDate } = await publishRaceCard({ creatorId: id, venue: venue.slug });
  const before = await countNotices();
  const results = await Promise.all(
    Array.from({ length: 2 * (pool().options.max ?? 0) }, () =>
      resendBatchNotice(id, { venueName: venue.name, raceDate }),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await countNotices()).toBe(before + 1);
});

async function countNotices(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "select count(*) from emails where kind = 'tip-notice'",
  );
  return rows[0]?.count ?? 0;
}
