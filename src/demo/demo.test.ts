import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listApplications, listCreators } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { findUserByEmail, signIn } from "#identity/identity.server.ts";
import { runIntegrityChecks } from "#integrity/integrity.server.ts";
import { countOpenPayouts, readEarningsSummary } from "#payouts/payouts.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { ensureVenues, readVenueBoard } from "#racing/racing.server.ts";
import { createBatchInput, findTestVenue } from "#test/factories.ts";
import {
  listRaceCardsOnSale,
  markResult,
  publishBatch,
  readOwnTips,
  readPublicTips,
} from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";
import { updateDemo } from "./update-demo.server.ts";

const TODAY = "2026-11-21";
const at = (time: string, date: CalendarDate = TODAY) => instantAt(date, time);

async function findUserId(mailbox: string): Promise<string> {
  return (await findUserByEmail(`${mailbox}@furlong.test`))?.id ?? "";
}

async function countRows(table: string): Promise<number> {
  return (await pool().query(`select count(*) as n from ${table}`)).rows[0].n;
}

const TABLES = ["users", "race_cards", "tips", "sales", "coin_purchases", "payouts", "race_days"];

async function countAllRows(): Promise<Record<string, number>> {
  const entries: [string, number][] = [];
  for (const table of TABLES) entries.push([table, await countRows(table)]);
  return Object.fromEntries(entries);
}

/** Expects four race cards at three venues, one with eight races and one with a single tip. */
async function expectEnoughOnSale(instant: Date): Promise<void> {
  const { raceCards } = await listRaceCardsOnSale({ at: instant, limit: 100 });
  expect(raceCards.length).toBeGreaterThanOrEqual(4);
  expect(new Set(raceCards.map((card) => card.venue.id)).size).toBeGreaterThanOrEqual(3);
  const sizes = raceCards.map((card) => card.races.length);
  expect(sizes).toContain(8);
  expect(sizes).toContain(1);
}

beforeAll(async () => {
  freezeClock(at("08:15"));
  await ensureVenues();
  await updateDemo();
}, 120_000);
beforeEach(() => freezeClock(at("08:15")));
afterEach(() => freezeClock(null));

describe("the demo's accounts", () => {
  it.each([
    ["punter", undefined],
    ["new.punter", undefined],
    ["applicant", undefined],
    ["tipster", "tipster"],
    ["analyst1", "analyst"],
    ["analyst2", "analyst"],
    ["analyst3", "analyst"],
    ["admin", "admin"],
  ] as const)("%s signs in with the demo password", async (mailbox, role) => {
    const result = await signIn({
      email: `${mailbox}@furlong.test`,
      password: "furlong-demo",
      restrictTo: role,
      request: new Request("http://localhost:3000/login"),
      clientAddress: "127.0.0.1",
    });
    expect(result.ok).toBe(true);
  });

  it("hold the documented number of coins", async () => {
    expect((await readWallet(await findUserId("punter"))).balanceCoins).toBe(50);
    expect((await readWallet(await findUserId("new.punter"))).balanceCoins).toBe(0);
  });

  it("include a pending applicant and a tipster with payable earnings and unsettled tips", async () => {
    const { applications } = await listApplications({ status: "applied" });
    expect(applications.map((application) => application.email)).toContain(
      "applicant@furlong.test",
    );
    const tipster = await findUserId("tipster");
    expect((await readEarningsSummary(tipster)).payableCents).toBeGreaterThanOrEqual(10_000);
    const { tips } = await readOwnTips(tipster, { at: at("08:15"), state: "to-settle" });
    expect(tips.length).toBeGreaterThan(0);
    const mark = await markResult(tipster, { tipId: tips[0]?.id ?? "", result: "won" });
    expect(mark.ok).toBe(true);
  });

  it("allow the tipster and the analysts to publish for tomorrow", async () => {
    for (const mailbox of ["tipster", "analyst1"])
      for (const slug of ["turffontein", "vaal", "kenilworth"]) {
        const batch = createBatchInput({
          venueId: (await findTestVenue(slug)).id,
          raceDate: addDays(TODAY, 1),
          races: [1, 2, 3, 4, 5, 6, 7, 8],
        });
        expect(await publishBatch(await findUserId(mailbox), batch)).toMatchObject({ ok: true });
      }
  });
});

describe("race cards on sale", () => {
  it.each(["08:15", "12:00", "15:00", "17:00", "20:59", "23:50", "23:59"])(
    "at %s include four race cards at three venues, one with eight races and one with a single tip",
    async (time) => {
      freezeClock(at(time));
      await updateDemo();
      await expectEnoughOnSale(at(time));
    },
  );

  it("are sufficient after midnight, before and after the next update", async () => {
    const tomorrow = addDays(TODAY, 1);
    for (const time of ["00:00", "00:30", "05:39"]) await expectEnoughOnSale(at(time, tomorrow));
    freezeClock(at("00:07", tomorrow));
    await updateDemo();
    await expectEnoughOnSale(at("05:39", tomorrow));
    await expectEnoughOnSale(at("11:59", tomorrow));
  });
});

describe("the history", () => {
  it("covers 60 days of settled tips", async () => {
    const oldestDate = addDays(TODAY, -60);
    const { tips } = await readPublicTips({ at: at("08:15"), raceDate: oldestDate, limit: 100 });
    expect(tips.length).toBeGreaterThan(20);
    expect(tips.every((tip) => tip.result !== null)).toBe(true);
    const { rows } = await pool().query(
      `select count(distinct race_date) as days from race_cards where race_date < $1`,
      [TODAY],
    );
    expect(rows[0].days).toBeGreaterThanOrEqual(60);
  });

  it("gives tipsters plausible records: some high, some low, one without enough tips", async () => {
    const { creators } = await listCreators({ limit: 50 });
    expect(creators.length).toBeGreaterThanOrEqual(13);
    const rated = creators.filter((creator) => creator.record.settled >= 20);
    const rates = rated.map((creator) => creator.winRate ?? 0);
    expect(Math.max(...rates)).toBeLessThanOrEqual(48);
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(12);
    expect(Math.max(...rates) - Math.min(...rates)).toBeGreaterThan(10);
    expect(creators.some((creator) => creator.record.settled < 20)).toBe(true);
  });

  it("reports every race day with the demo as the source", async () => {
    const board = await readVenueBoard(at("12:30"));
    const today = board.filter((venue) => venue.today);
    expect(today.length).toBeGreaterThanOrEqual(3);
    expect(today.every((venue) => venue.today?.source === "Furlong demo")).toBe(true);
    expect(today.some((venue) => venue.status === "racing")).toBe(true);
  });

  it("creates statement lines in chronological order", async () => {
    const { lines } = await readStatement(await findUserId("sibusiso.dube"), { limit: 100 });
    expect(lines.length).toBeGreaterThan(40);
    const times = lines.map((line) => line.movedAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it("leaves an open payout for the admin", async () => {
    expect(await countOpenPayouts()).toBeGreaterThan(0);
  });

  it("passes all integrity checks", async () => {
    const client = await pool().connect();
    try {
      const { invariants, failures } = await runIntegrityChecks(client, { at: at("23:59") });
      expect(failures).toEqual([]);
      expect(invariants).toBeGreaterThan(10);
    } finally {
      client.release();
    }
  });

  it("creates no receipts and no tip notices", async () => {
    const { rows } = await pool().query(
      "select kind from mails where kind in ('receipt', 'tip-notice') and created_at < $1",
      [at("08:15")],
    );
    expect(rows).toEqual([]);
  });
});

describe("updateDemo", () => {
  it("changes nothing when it runs again or twice concurrently", async () => {
    freezeClock(at("08:15", addDays(TODAY, 1)));
    await updateDemo();
    const before = await countAllRows();
    await Promise.all([updateDemo(), updateDemo()]);
    expect(await countAllRows()).toEqual(before);
  });

  it("catches up after a week without updates and pays the tipster on pay day", async () => {
    for (const date of ["2026-11-28", "2026-12-15"]) {
      freezeClock(at("06:07", date));
      await updateDemo();
      await expectEnoughOnSale(at("06:07", date));
      const { payableCents } = await readEarningsSummary(await findUserId("tipster"));
      expect(payableCents).toBeGreaterThanOrEqual(10_000);
    }
    const { rows } = await pool().query(
      `select p.status from payouts p where p.creator_id = $1 and p.requested_at >= $2`,
      [await findUserId("tipster"), at("00:00", "2026-12-15")],
    );
    expect(rows).toEqual([{ status: "paid" }]);
  }, 60_000);
});
