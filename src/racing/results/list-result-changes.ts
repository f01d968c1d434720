import { timeAt } from "#domain/calendar.ts";
import { formatDividend, formatStartingPrice } from "#domain/race-result.ts";
import { formatPosition } from "../format-position.ts";
import type { StoredRaceResult } from "./read-results.server.ts";

/** A value that differs between two versions of a result. Null means that a version does not have it. */
export type ResultChange = { what: string; from: string | null; to: string | null };

/** Returns every difference between two versions of a race's result, prices and dividends included. */
export function listResultChanges(from: StoredRaceResult, to: StoredRaceResult): ResultChange[] {
  const [before, after] = [listValues(from), listValues(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((what) => ({ what, from: before.get(what) ?? null, to: after.get(what) ?? null }))
    .filter((change) => change.from !== change.to);
}

function listValues(result: StoredRaceResult): Map<string, string> {
  const values: [string, string | null | undefined][] = [
    ["Status", result.status],
    ["Off", result.offAt && timeAt(result.offAt)],
    ["Surface", result.surface],
    ["Starters", result.starters?.toString()],
    ["Places paid", String(result.placesPaid)],
    ["Source", result.source],
    ["Link to the source", result.sourceUrl],
  ];
  for (const runner of result.runners) {
    const { number, horseName, startingPrice, winDividendCents, placeDividendCents } = runner;
    const horse = `Horse ${number}`;
    const formatRand = (cents: number | null) =>
      cents === null ? null : `R${formatDividend(cents)}`;
    values.push(
      [`${horse}, name`, horseName],
      [`${horse}, position`, formatPosition(runner, result.runners)],
      [`${horse}, starting price`, startingPrice && formatStartingPrice(startingPrice)],
      [`${horse}, tote win`, formatRand(winDividendCents)],
      [`${horse}, tote place`, formatRand(placeDividendCents)],
    );
  }
  return new Map(values.flatMap(([what, value]) => (value ? [[what, value]] : [])));
}
