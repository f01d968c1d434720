import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUserByEmail, signIn } from "#accounts/accounts.server.ts";
import { listApplications, listCreators } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { countOpenPayouts, readEarningsSummary } from "#payouts/payouts.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { runIntegrityChecks } from "#platform/integrity/integrity.server.ts";
import {
  ensureVenues,
  enterRaceResult,
  listRacesWithoutResult,
  listUnconfirmedResults,
  readDeclaredRaces,
  readVenueSummaries,
} from "#racing/racing.server.ts";
import { readMyDay } from "#sales/sales.server.ts";
import { createBatchInput, findTestVenue } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { readOwnTips } from "#tips/own-tips.server.ts";
import { listRaceCardsOnSale, publishBatch, readPublicTips } from "#tips/tips.server.ts";
import { readStatement, readWallet } from "#wallet/wallet.server.ts";
import { updateDemo } from "./update-demo.server.ts";

const TODAY = "2026-11-21";
const at = (time: string, date: CalendarDate = TODAY) => instantAt(date, time);

async function findUserId(accountName: string): Promise<string> {
  return (await findUserByEmail(`${accountName}@furlong.test`))?.id ?? "";
}

async function countRows(table: string): Promise<number> {
  return (await pool().query(`select count(*) as n from ${table}`)).rows[0].n;
}

const TABLES = [
  "users",
  "race_cards",
  "tips",
  "sales",
  "coin_purchases",
  "payouts",
  "race_days",
  "race_results",
  "tip_settlements",
  "coin_returns",
];

async function countAllRows(): Promise<Record<string, number>> {
  const entries: [string, number][] = [];
  for (const table of TABLES) entries.push([table, await countRows(table)]);
  return Object.fromEntries(entries);
}

/** Updates the demo as its hourly job does, which is faster than the update at a start. */
const updateHourly = () => updateDemo({ daysBack: 5 });

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
}, 600_000);
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
    ["second.admin", "admin"],
  ] as const)("%s signs in with the demo password", async (accountName, role) => {
    const result = await signIn({
      email: `${accountName}@furlong.test`,
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
    for (const accountName of ["tipster", "analyst1"])
      for (const slug of ["turffontein", "vaal", "kenilworth"]) {
        const venueId = (await findTestVenue(slug)).id;
        const raceDate = addDays(TODAY, 1);
        const declaredRaces = await readDeclaredRaces(venueId, raceDate);
        const races = [1, 2, 3, 4, 5, 6, 7, 8].map((raceNumber) => {
          const race = declaredRaces.find((each) => each.raceNumber === raceNumber);
          const [runner] = race?.runners ?? [];
          return runner
            ? { raceNumber, horseNumber: runner.number, horseName: runner.horseName }
            : raceNumber;
        });
        const batch = createBatchInput({ venueId, raceDate, races });
        expect(await publishBatch(await findUserId(accountName), batch)).toMatchObject({
          ok: true,
        });
      }
  });
});

describe("race cards on sale", () => {
  it.each(["08:15", "12:00", "15:00", "17:00", "20:59", "23:50", "23:59"])(
    "at %s include four race cards at three venues, one with eight races and one with a single tip",
    async (time) => {
      freezeClock(at(time));
      await updateHourly();
      await expectEnoughOnSale(at(time));
    },
  );

  it("are sufficient after midnight, before and after the next update", async () => {
    const tomorrow = addDays(TODAY, 1);
    for (const time of ["00:00", "00:30", "05:39"]) await expectEnoughOnSale(at(time, tomorrow));
    freezeClock(at("00:07", tomorrow));
    await updateHourly();
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
    const summaries = await readVenueSummaries(at("12:30"));
    const today = summaries.filter((venue) => venue.today);
    expect(today.length).toBeGreaterThanOrEqual(3);
    expect(today.every((venue) => venue.today?.source === "Furlong demo")).toBe(true);
    expect(today.some((venue) => venue.status === "racing")).toBe(true);
  });

  it.each(["sibusiso.dube", "punter"])(
    "creates statement lines of %s in chronological order",
    async (accountName) => {
      const { lines } = await readStatement(await findUserId(accountName), { limit: 100 });
      expect(lines.length).toBeGreaterThan(40);
      const times = lines.map((line) => line.movedAt.getTime());
      expect(times).toEqual([...times].sort((a, b) => b - a));
    },
  );

  it("gives the punter a day of their own, on which tipsters agree, and a past", async () => {
    const punter = await findUserId("punter");
    const { raceCards, selections } = await readMyDay(punter, TODAY);
    expect(raceCards).toHaveLength(3);
    const horses = selections.map(
      ({ venueName, raceNumber, horseNumber }) => `${venueName} ${raceNumber} ${horseNumber}`,
    );
    expect(new Set(horses).size).toBeLessThan(horses.length);
    const { rows } = await pool().query(
      `select count(distinct c.race_date) as days, count(*) filter (where t.result = 'won') as won
       from sales s join race_cards c on c.id = s.race_card_id join tips t on t.race_card_id = c.id
       where s.buyer_id = $1 and c.race_date < $2`,
      [punter, TODAY],
    );
    expect(rows[0].days).toBeGreaterThan(8);
    expect(rows[0].won).toBeGreaterThan(10);
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
      "select kind from emails where kind in ('receipt', 'tip-notice') and created_at < $1",
      [at("08:15")],
    );
    expect(rows).toEqual([]);
  });
});

describe("official results", () => {
  it("exist for each of 60 days, entered and confirmed by different admins", async () => {
    const { rows } = await pool().query(
      `select count(distinct d.race_date) as days,
         count(*) filter (where r.confirmed_by = r.entered_by or r.is_entered_by_one_person) as alone
       from race_results r join race_days d on d.id = r.race_day_id
       where r.confirmed_at is not null and d.race_date < $1`,
      [TODAY],
    );
    expect(rows[0].days).toBeGreaterThanOrEqual(60);
    expect(rows[0].alone).toBe(0);
  });

  it("include dead heats, non-runners, an abandoned meeting and corrections with a reason", async () => {
    const count = async (condition: string) =>
      (
        await pool().query(
          `select count(distinct (r.race_day_id, r.race_number)) as n from race_results r
           left join result_runners u using (race_day_id, race_number, version) where ${condition}`,
        )
      ).rows[0].n;
    const deadHeat = await pool().query(
      "select from result_runners group by race_day_id, race_number, version, position having count(position) = 2",
    );
    expect(deadHeat.rowCount).toBeGreaterThan(5);
    expect(await count("u.outcome = 'non-runner'")).toBeGreaterThan(20);
    expect(await count("r.status = 'abandoned'")).toBeGreaterThanOrEqual(8);
    expect(await count("r.version = 2 and r.reason <> ''")).toBeGreaterThanOrEqual(4);
  });

  it("settle the tips, and keep claims that they contradict", async () => {
    const { rows } = await pool().query(
      `select count(*) filter (where claimed_result = result) as confirmed,
         count(*) filter (where claimed_result = 'won' and result = 'lost') as contradicted,
         count(*) filter (where is_claim) as claims
       from tips where settlement_version is not null`,
    );
    expect(rows[0].confirmed).toBeGreaterThan(100);
    expect(rows[0].contradicted).toBeGreaterThan(3);
    expect(rows[0].claims).toBe(0);
  });

  it("have declared runners that include the horses of the tips", async () => {
    const { rows } = await pool().query(
      `select t.id from tips t
       join race_cards c on c.id = t.race_card_id
       join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date
       join races r on r.race_day_id = d.id and r.race_number = t.race_number
       left join runners u on u.race_day_id = d.id and u.race_number = t.race_number
         and u.number = t.horse_number and u.horse_name = t.horse_name
       where u.number is null and exists (select from runners x where x.race_day_id = d.id)`,
    );
    expect(rows).toEqual([]);
    const today = await readDeclaredRaces((await findTestVenue("turffontein")).id, TODAY);
    expect(today.every(({ runners }) => runners.length >= 8)).toBe(true);
  });

  it("include unconfirmed results of the second admin from the last two days", async () => {
    const unconfirmed = await listUnconfirmedResults();
    const entered = new Set(unconfirmed.map(({ enteredBy }) => enteredBy));
    expect(entered).toContain(await findUserId("second.admin"));
    expect(unconfirmed.length).toBeLessThan(60);
    for (const { raceDate } of unconfirmed) expect(raceDate >= addDays(TODAY, -2)).toBe(true);
  });

  it("change during the day from unofficial to unconfirmed to official", async () => {
    const raceDate = addDays(TODAY, 1);
    const readStates = async (time: string) => {
      freezeClock(at(time, raceDate));
      await updateHourly();
      await expectInvariantsToHold();
      const { rows } = await pool().query(
        `select distinct r.status || case when r.confirmed_at is null then ', unconfirmed' else '' end as state
         from race_results r join race_days d on d.id = r.race_day_id where d.race_date = $1 order by 1`,
        [raceDate],
      );
      return rows.map(({ state }) => state);
    };
    expect(await readStates("11:55")).toEqual([]);
    const states = new Set<string>();
    for (const time of ["12:30", "13:07", "14:07", "15:07", "16:07", "17:07", "18:07"])
      for (const state of await readStates(time)) states.add(state);
    expect(states).toEqual(
      new Set(["official", "official, unconfirmed", "unofficial, unconfirmed"]),
    );
    expect(await readStates("21:07")).not.toContain("unofficial, waits");
    const confirmed = async () =>
      (
        await pool().query(
          `select count(*) as n from race_results r join race_days d on d.id = r.race_day_id
           where d.race_date = $1 and r.confirmed_at is not null`,
          [raceDate],
        )
      ).rows[0].n;
    const onTheDay = await confirmed();
    freezeClock(at("07:07", addDays(raceDate, 1)));
    await updateHourly();
    expect(await confirmed()).toBeGreaterThan(onTheDay);
    await expectInvariantsToHold();
  });

  it("do not overwrite a result that a visitor entered", async () => {
    const raceDate = addDays(TODAY, 2);
    freezeClock(at("15:00", raceDate));
    const [race] = await listRacesWithoutResult(raceDate, at("15:00", raceDate));
    if (!race) throw new Error("no race without a result");
    const entry = {
      status: "void" as const,
      time: null,
      starters: null,
      placesPaid: null,
      source: "A visitor",
      sourceUrl: null,
      runners: [],
      reason: "",
    };
    const admin = await findUserId("admin");
    expect(await enterRaceResult(admin, race, entry, { via: "form" })).toMatchObject({ ok: true });
    freezeClock(at("16:07", addDays(raceDate, 1)));
    await updateHourly();
    const unconfirmed = await listUnconfirmedResults();
    expect(unconfirmed.filter(({ status }) => status === "void")).toMatchObject([
      { venueId: race.venueId, raceNumber: race.raceNumber, enteredBy: admin, version: 1 },
    ]);
  });
});

describe("updateDemo", () => {
  it("changes nothing when it runs again or twice concurrently", async () => {
    freezeClock(at("08:15", addDays(TODAY, 4)));
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
  });
});
