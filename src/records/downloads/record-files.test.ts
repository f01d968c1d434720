import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { computeFigures, type Figures, type SettledTip } from "#domain/figures/figures.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { setTipResultAsTwo } from "#test/admin-results.ts";
import { sendAsGuest } from "#test/app.ts";
import { findTestVenue, makeAdmin, makeTipster, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { readRecordedTips } from "#tips/tips.server.ts";
import { readFigures } from "../figures/read-figures.server.ts";
import { updateStaleFigures } from "../figures/update-figures.server.ts";
import type { DownloadedTip } from "./downloaded-tip.ts";
import { RECORD_COLUMNS } from "./record-columns.ts";

const FIRST_DAY = "2028-07-01";
const LAST_DAY = addDays(FIRST_DAY, 1);
const PRICES: [number, string][] = [
  [1, "5/1"],
  [2, "evens"],
  [3, "2/1"],
  [4, "5/1"],
  [5, "9/1"],
  [6, "9/1"],
];

let tipster: Awaited<ReturnType<typeof makeTipster>>;
let tipIds: string[];

/**
 * Publishes two days of six races. On the first: won, placed each-way, void, late, marked by the tipster, and set by an
 * admin. On the second one race has an official result.
 */
beforeAll(async () => {
  freezeClock(instantAt(FIRST_DAY, "07:00"));
  const venue = await findTestVenue("scottsville");
  const admin = await makeAdmin();
  tipster = await makeTipster({ name: "=Formula Jack" });
  await startLog();
  const confirmResult = await createResultConfirmer();
  const publish = async (raceDate: string) => {
    freezeClock(instantAt(raceDate, "07:00"));
    await reportRacesWithRunners(venue.id, raceDate, { races: 6 });
    return await publishRaceCard({
      creatorId: tipster.id,
      venue: "scottsville",
      raceDate,
      races: [1, 2, 3, 4, 5, 6].map((raceNumber) => ({
        raceNumber,
        horseNumber: raceNumber,
        horseName: `Horse ${raceNumber}`,
        tipType: raceNumber === 2 ? "each-way" : "win",
        analysis: "Nobody may read this.",
      })),
    });
  };
  const { raceCardId } = await publish(FIRST_DAY);
  await appendToLog();
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  tipIds = rows.map((row) => row.id);
  const race = (raceDate: string, raceNumber: number) => ({
    venueId: venue.id,
    raceDate,
    raceNumber,
  });
  const dividends = { winDividendCents: 640, placeDividendCents: 260 };
  await confirmResult(race(FIRST_DAY, 1), { order: PRICES, ...dividends });
  await confirmResult(race(FIRST_DAY, 2), { order: PRICES, ...dividends });
  await confirmResult(race(FIRST_DAY, 3), { order: [], status: "abandoned" });
  await confirmResult(race(FIRST_DAY, 4), { order: PRICES, time: "06:30" });
  await hideTip(admin.id, tipIds[0] ?? "");
  await markResult(tipster.id, { tipId: tipIds[4] ?? "", result: "won" });
  await transaction((tx) =>
    setTipResultAsTwo(tx, {
      tipId: tipIds[5] ?? "",
      result: "lost",
      reason: "Checked",
      actorId: admin.id,
    }),
  );
  await publish(LAST_DAY);
  await confirmResult(race(LAST_DAY, 6), { order: PRICES });
  await appendToLog();
  while ((await updateStaleFigures()) > 0);
  freezeClock(instantAt(LAST_DAY, "23:59"));
});
afterAll(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const download = (extension: string) => sendAsGuest(`/records/${tipster.slug}.${extension}`);
async function downloadJson(): Promise<{
  computedAt: string;
  voidTips: number;
  lateTips: number;
  figures: Figures;
  tips: DownloadedTip[];
}> {
  return await (await download("json")).json();
}

describe("/records/:slug.json", () => {
  it("has the figures, which follow from its tips alone", async () => {
    const { tips, figures, computedAt, voidTips, lateTips } = await downloadJson();
    expect(figures.settled).toBe(3);
    const countedTips = tips.filter((tip) => tip.status === "counted") as SettledTip[];
    expect(computeFigures(countedTips)).toEqual(figures);
    const stored = await readFigures(tipster.id);
    expect(figures).toEqual(stored?.figures);
    expect({ computedAt, voidTips, lateTips }).toEqual({
      computedAt: stored?.computedAt.toISOString(),
      voidTips: 1,
      lateTips: 1,
    });
  });

  it("says of each tip whether it counts and why not", async () => {
    const { tips } = await downloadJson();
    expect(
      tips.map((tip) => [tip.raceNumber, tip.status, tip.outcome, tip.isHidden, tip.claimedResult]),
    ).toEqual([
      [1, "counted", "won", true, null],
      [2, "counted", "placed", false, null],
      [3, "void", "void", false, null],
      [4, "late", "lost", false, null],
      [5, "claimed", null, false, "won"],
      [6, "set-by-admin", null, false, null],
      [6, "counted", "lost", false, null],
    ]);
    expect(tips[0]).toMatchObject({
      horseName: "Horse 1",
      startingPrice: { numerator: 5, denominator: 1 },
      win: { stakeCents: 1000, startingPriceReturnCents: 6000, toteReturnCents: 6400 },
      favouriteReturnCents: 0,
      resultVersion: 1,
      rules: "2026-12",
    });
  });

  it("has the entry of each tip in the public log", async () => {
    const { tips } = await downloadJson();
    for (const { id, entry, logIndex } of tips) {
      const { rows } = await pool().query(
        `select e.body from proof_entries e join tip_commitments k on k.entry_index = e.entry_index
         where k.tip_id = $1 and e.entry_index = $2`,
        [id, logIndex],
      );
      expect(JSON.parse(rows[0].body)).toMatchObject({ kind: "tip", seq: entry });
    }
  });

  it("names a horse once its race has an official result, at midnight at the latest", async () => {
    const listLastDay = async () =>
      (await downloadJson()).tips.filter((tip) => tip.raceDate === LAST_DAY);
    expect((await listLastDay()).map((tip) => tip.raceNumber)).toEqual([6]);
    freezeClock(instantAt(addDays(LAST_DAY, 1)));
    const tips = await listLastDay();
    freezeClock(instantAt(LAST_DAY, "23:59"));
    expect(tips.map((tip) => tip.raceNumber)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(tips.map((tip) => tip.status)).toEqual([
      ...Array.from({ length: 5 }, () => "no-result"),
      "counted",
    ]);
  });

  it("is cached for a minute and has no analysis", async () => {
    const response = await download("json");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(await response.text()).not.toContain("Nobody may read this");
  });
});

describe("/records/:slug.csv", () => {
  it("has the same tips with the described columns", async () => {
    const response = await download("csv");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const lines = (await response.text()).trimEnd().split("\r\n");
    const rows = lines.map((line) => line.replace(/^\uFEFF/, "").split(","));
    const [head, first] = rows;
    expect(head).toEqual(RECORD_COLUMNS.map((column) => column.name));
    const { tips } = await downloadJson();
    expect(rows.slice(1).map((row) => row.at(-1))).toEqual(tips.map((tip) => tip.id));
    const cells = Object.fromEntries(head?.map((name, index) => [name, first?.[index]]) ?? []);
    expect(cells).toMatchObject({
      date: FIRST_DAY,
      venue: "scottsville",
      race: "1",
      horse: "Horse 1",
      status: "counted",
      late: "no",
      hidden: "yes",
      starting_price: "5/1",
      win_stake: "10.00",
      win_return_sp: "60.00",
      win_return_tote: "64.00",
      place_stake: "",
      entry: String(tips[0]?.entry),
    });
  });

  it("describes every field of a tip", async () => {
    const { tips } = await downloadJson();
    const fields = new Set(RECORD_COLUMNS.map((column) => String(column.field)));
    expect([...fields].sort()).toEqual(Object.keys(tips[0] ?? {}).sort());
  });
});

it("does not depend on the size of its pages", async () => {
  const readAll = async (limit: number) => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await readRecordedTips(tipster.id, {
        at: instantAt(addDays(LAST_DAY, 1)),
        cursor,
        limit,
      });
      ids.push(...page.tips.map((tip) => tip.id));
      cursor = page.next;
    } while (cursor);
    return ids;
  };
  const all = await readAll(100);
  expect(all).toHaveLength(12);
  for (const limit of [1, 5, 6, 12]) expect(await readAll(limit)).toEqual(all);
});

it.each(["nobody.csv", "nobody.json", "x", ".csv", "a.xml", "../a.csv", "%00.csv"])(
  "refuses /records/%s",
  async (file) => {
    expect((await sendAsGuest(`/records/${encodeURIComponent(file)}`)).status).toBe(404);
  },
);

it("keeps the files of a suspended tipster, and says since when they are suspended", async () => {
  const suspended = await makeTipster();
  const readTipster = async () =>
    (await (await sendAsGuest(`/records/${suspended.slug}.json`)).json()).tipster;
  expect(await readTipster()).toMatchObject({ suspendedAt: null });
  await suspendCreator((await makeAdmin()).id, suspended.id, "Sold tips elsewhere");
  expect(await readTipster()).toEqual({
    slug: suspended.slug,
    name: expect.any(String),
    suspendedAt: expect.stringMatching(/^20/),
  });
  expect((await sendAsGuest(`/records/${suspended.slug}.csv`)).status).toBe(200);
});
