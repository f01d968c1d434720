import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assumedOff } from "#domain/batch.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { calculateEarningOfCoins } from "#domain/coin-return.ts";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { foldHorseName, toHorseKey } from "#domain/horse-key.ts";
import { computeRecordDeadline } from "#domain/proof/verify-log.js";
import { computeSettleableAt } from "#domain/race-day.ts";
import { settleTip } from "#domain/settlement.ts";
import { TIP_TYPES } from "#domain/tip.ts";
import { pool } from "#platform/database.server.ts";
import { findTestVenue, reportRaceDay } from "#test/factories.ts";

it("names each prepared statement once, because PostgreSQL refuses a name with another text", async () => {
  const names: string[] = [];
  const files = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".ts"));
  for (const file of files) {
    const calls = (await readFile(`src/${file}`, "utf8")).matchAll(
      /\bqueryPrepared(?:<[^(]*>)?\(\s*"([^"]+)"/g,
    );
    for (const [, name = ""] of calls) names.push(name);
  }
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

// These rules exist in both TypeScript and SQL. The tests verify that both give the same results.

async function select<T>(expression: string, values: unknown[] = []): Promise<T> {
  const { rows } = await pool().query<{ value: T }>(`select ${expression} as value`, values);
  return rows[0]?.value as T;
}

const DATES: CalendarDate[] = ["2026-02-28", "2026-11-22", "2026-12-31", addDays("2028-02-28", 1)];

it("uses the same price of race cards and first prices of coin packs in SQL and TypeScript", async () => {
  expect(await select("card_price_coins()")).toBe(CARD_PRICE_COINS);
  const { rows } = await pool().query(
    "select subject, value from prices where valid_from = '-infinity' order by id",
  );
  expect(rows).toEqual([
    { subject: "creator-share", value: 70 },
    ...[...COIN_PACKS, GUEST_DEAL].map((pack) => ({
      subject: pack.id,
      value: pack.firstPriceCents,
    })),
  ]);
});

it.each([2800, 2400, 3000, 2450, 1999, 1])(
  "divides an earning of %i cents by its coins alike",
  async (cents) => {
    for (const coins of [0, 1, 2, 3, 4])
      expect(await select("earning_of_coins($1, 4, $2)", [cents, coins])).toBe(
        calculateEarningOfCoins(cents, coins),
      );
  },
);

it.each(DATES)("assumes the same off time on %s for a race without one", async (date) => {
  expect(await select("unknown_off_at($1)", [date])).toEqual(computeSettleableAt(date, null));
});

const TIMES = [null, "12:30", "17:59", "18:00", "18:01", "23:30"];
const OFFS = TIMES.flatMap((reported) => TIMES.map((entered) => ({ reported, entered })));

it.each(OFFS)("assumes the same off for reported $reported and entered $entered", async (off) => {
  const date = "2026-11-22";
  const [reportedOffAt, enteredOffAt] = [off.reported, off.entered].map((time) =>
    time === null ? null : instantAt(date, time),
  ) as [Date | null, Date | null];
  expect(await select("assumed_off_at($1, $2, $3)", [date, reportedOffAt, enteredOffAt])).toEqual(
    assumedOff(date, { reportedOffAt, enteredOffAt }),
  );
});

it.each([null, "10:30", "12:30", "13:00", "13:01", "15:00"])(
  "agrees until when a tip counts whose off is %s",
  async (off) => {
    const date = "2026-11-22";
    const knownOffAt = off === null ? null : instantAt(date, off);
    for (const wasOffKnown of [true, false])
      expect(await select("record_deadline($1, $2, $3)", [date, knownOffAt, wasOffKnown])).toEqual(
        computeRecordDeadline(date, knownOffAt, wasOffKnown),
      );
  },
);

it.each(["Harbour Light", "HARBOUR LIGHT'S", "Sea-Mist (AUS)", "  L’Étoile 2 ", "çé"])(
  "recognises the same horse in SQL and TypeScript by the name %j",
  async (name) => {
    expect(await select("horse_key($1)", [name])).toBe(toHorseKey(name));
  },
);

const RUNNERS = [
  ...["El Niño (SAF)", "Harbour Light (GB)", "Harbour Light (IRE)", "Max", "Nova", "Sea Mist"],
  ...["Table Mountain", "Golden Bay", "Golden Boyy", "Night (The) Star"],
];
const TIPPED = [
  ...[
    "EL NINO",
    "El\u00a0Nin\u0303o (IRE)",
    "Harbour Light",
    "Harbor Light",
    "Sam",
    "Noav",
    "Noae",
    "Sae Mits",
  ],
  ...[
    "Tabel Muontian",
    "Tabel Muontianss",
    "Golden Boys",
    "Night The Star",
    "Æther ½ ﬁn",
    "çé",
    "(SAF)",
  ],
];

it("finds the tipped runner by the same names in SQL and TypeScript", async () => {
  for (const name of [...RUNNERS, ...TIPPED])
    expect(await select("fold_horse_name($1)", [name])).toBe(foldHorseName(name));
  const venue = await findTestVenue();
  const runners = RUNNERS.map((horseName, index) => ({ number: index + 1, horseName }));
  await reportRaceDay(venue.id, "2026-11-22", [
    {
      raceNumber: 1,
      time: "13:00",
      runners: runners.map((runner) => ({
        ...runner,
        jockey: null,
        trainer: null,
        draw: null,
        isScratched: false,
      })),
    },
  ]);
  const result = {
    status: "official" as const,
    starters: runners.length,
    placesPaid: 3,
    hasEnteredNames: false,
    runners: runners.map((runner, index) => ({
      ...runner,
      outcome: "finished" as const,
      position: index + 1,
      startingPrice: null,
      winDividendCents: null,
      placeDividendCents: null,
    })),
  };
  for (const horseName of [...RUNNERS, ...TIPPED])
    for (const { number } of runners) {
      const tip = {
        tipType: "win" as const,
        horseNumber: number,
        horseName,
        isMovedToOtherSurface: false,
      };
      const found = await select(
        "find_tipped_runner((select id from race_days where venue_id = $1), 1::smallint, $2::smallint, $3)",
        [venue.id, number, horseName],
      );
      expect([horseName, number, found]).toEqual([
        horseName,
        number,
        settleTip(tip, result).runnerNumber,
      ]);
    }
});

it.each([
  { raceNumber: 1, starters: 8, placesPaid: 3, positions: [1, 2, 3] },
  { raceNumber: 2, starters: 5, placesPaid: 0, positions: [1, 2, 3] },
  { raceNumber: 3, starters: 16, placesPaid: 4, positions: [1, 2, 2, 4, 4] },
  { raceNumber: 4, starters: 1, placesPaid: 0, positions: [1] },
])(
  "settles by entered names alike in SQL and TypeScript with $starters starters",
  async ({ raceNumber, starters, placesPaid, positions }) => {
    const venue = await findTestVenue();
    const race = { raceNumber, time: "13:00", runners: [] };
    await reportRaceDay(venue.id, `2026-11-1${raceNumber}`, [race]);
    const raceDayId = await select<string>(
      "(select id from race_days where venue_id = $1 and race_date = $2)",
      [venue.id, `2026-11-1${raceNumber}`],
    );
    await pool().query(
      `insert into race_results (race_day_id, race_number, version, status, off_at, starters, places_paid, source, via,
         entered_at, has_entered_names)
       values ($1, $2, 1, 'official', now(), $3, $4, 'test', 'feed', now(), true)`,
      [raceDayId, raceNumber, starters, placesPaid],
    );
    const names = ["Harbour Light (GB)", "Harbour Light (IRE)", "Golden Bay", "Golden Boyy", "Max"];
    const runners = [
      ...positions.map((position, index) => ({
        number: index + 1,
        horseName: names[index] ?? null,
        outcome: "finished" as const,
        position,
      })),
      { number: 9, horseName: null, outcome: "non-runner" as const, position: null },
    ];
    for (const { number, horseName, outcome, position } of runners)
      await pool().query(
        `insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome, position)
         values ($1, $2, 1, $3, $4, $5, $6)`,
        [raceDayId, raceNumber, number, horseName, outcome, position],
      );
    const prices = { startingPrice: null, winDividendCents: null, placeDividendCents: null };
    const result = {
      ...{ status: "official" as const, starters, placesPaid, hasEnteredNames: true },
      runners: runners.map((runner) => ({ ...runner, ...prices })),
    };
    const numbers = [1, 2, 3, 4, 5, 8, 9];
    const tips = [...names, ...TIPPED].flatMap((horseName) =>
      numbers.flatMap((horseNumber) =>
        TIP_TYPES.map((tipType) => ({ tipType, horseNumber, horseName })),
      ),
    );
    const { rows } = await pool().query(
      `select e.outcome, e.void_reason as "voidReason", e.position
       from unnest($3::text[], $4::smallint[], $5::text[]) with ordinality as t (tip_type, number, name, place)
       cross join lateral settle_by_entered_names($1, $2::smallint, 1::smallint, t.tip_type, t.number, t.name) e
       order by t.place`,
      [
        ...[raceDayId, raceNumber, tips.map((tip) => tip.tipType)],
        ...[tips.map((tip) => tip.horseNumber), tips.map((tip) => tip.horseName)],
      ],
    );
    const expected = tips.map((tip) => {
      const settlement = settleTip({ ...tip, isMovedToOtherSurface: false }, result);
      const { outcome, voidReason, position } = settlement;
      return { outcome, voidReason, position };
    });
    expect(rows.map((row, index) => ({ ...tips[index], ...row }))).toEqual(
      expected.map((each, index) => ({ ...tips[index], ...each })),
    );
  },
);
