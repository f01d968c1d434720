import { afterEach, expect, it } from "vitest";
import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { TipResult } from "#domain/tip.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import {
  enterResults,
  findTestVenue,
  makeTipster,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { readLastResults, readVenueTallies } from "./creator-form.server.ts";
import { updateStaleTallies } from "./tallies.server.ts";

afterEach(() => freezeClock(null));

const RESULTS: Record<string, TipResult> = { W: "won", L: "lost", V: "void" };

/** Publishes a race card and enters the results of its races: W, L, V, or a dash for none. */
async function publishSettled(
  creatorId: string,
  raceDate: CalendarDate,
  letters: string,
  { venue = "kenilworth", publishedAt = "08:00" } = {},
) {
  freezeClock(instantAt(raceDate, publishedAt));
  const { raceCardId } = await publishRaceCard({
    creatorId,
    venue,
    raceDate,
    races: [...letters].map((_, index) => index + 1),
  });
  freezeClock(instantAt(raceDate, "19:00"));
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  await enterResults(
    [...letters].flatMap((letter, index) => {
      const [tipId, result] = [rows[index]?.id, RESULTS[letter]];
      return tipId && result ? [{ tipId, result }] : [];
    }),
  );
}

it("reads the newest ten settled tips of each creator, oldest first", async () => {
  const [first, second, none] = [await makeTipster(), await makeTipster(), await makeTipster()];
  await publishSettled(first.id, "2026-11-18", "LWL");
  await publishSettled(first.id, "2026-11-20", "WWVL-");
  await publishSettled(first.id, "2026-11-19", "LLLLLW");
  await publishSettled(second.id, "2026-11-19", "W");
  const results = await readLastResults([first.id, second.id, none.id]);
  expect(results.get(first.id)).toBe("LLLLLLWWWL".slice(-10));
  expect(results.get(second.id)).toBe("W");
  expect(results.has(none.id)).toBe(false);
  expect(await readLastResults([])).toEqual(new Map());
});

it("orders the tips of one day by their off, at several venues", async () => {
  const { id } = await makeTipster();
  for (const [slug, firstOff] of [
    ["vaal", "12:00"],
    ["greyville", "12:10"],
  ] as const)
    await reportOffTimes((await findTestVenue(slug)).id, "2026-10-07", { firstOff });
  await publishSettled(id, "2026-10-07", "WW", { venue: "greyville" });
  await publishSettled(id, "2026-10-07", "LL", { venue: "vaal" });
  expect((await readLastResults([id])).get(id)).toBe("LWLW");
});

it("leaves out tips that were published too late", async () => {
  const { id } = await makeTipster();
  await publishSettled(id, "2026-11-19", "W");
  // Without a known off, a tip counts if it was published before 11:00.
  await publishSettled(id, "2026-11-20", "LL", { publishedAt: "12:00", venue: "fairview" });
  expect((await readLastResults([id])).get(id)).toBe("W");
});

it("reads the tallies of each venue, whether they are stored or stale", async () => {
  const [creator, other] = [await makeTipster(), await makeTipster()];
  await publishSettled(creator.id, "2026-11-18", "WLL");
  await publishSettled(creator.id, "2026-11-19", "WW", { venue: "vaal" });
  await publishSettled(other.id, "2026-11-19", "L");
  const [kenilworth, vaal] = [await findTestVenue("kenilworth"), await findTestVenue("vaal")];
  const read = async () => {
    const tallies = await readVenueTallies([creator.id]);
    return Object.fromEntries(
      tallies.map(({ creatorId, venueId, settled, won }) => {
        expect(creatorId).toBe(creator.id);
        return [venueId, { settled, won }];
      }),
    );
  };
  const expected = {
    [kenilworth.id]: { settled: 3, won: 1 },
    [vaal.id]: { settled: 2, won: 2 },
  };
  expect(await read()).toEqual(expected);
  while ((await updateStaleTallies()) > 0);
  expect(await read()).toEqual(expected);
  expect(await readVenueTallies([])).toEqual([]);
});
