import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import type { Surface } from "#domain/race-day.ts";
import { parseStartingPrice } from "#domain/race-result.ts";
import { freezeClock } from "#platform/clock.server.ts";
import {
  confirmRaceResult,
  enterRaceResult,
  type RaceResultInput,
  toSecondEntry,
} from "#racing/racing.server.ts";
import { makeAdmin, type Person, reportRaceDay } from "./factories.ts";

// Creates official results through the application: a race day with runners, a result and its confirmation.

/** Reports races one hour apart from 13:00, with runners named 'Horse 1', 'Horse 2' and so on. */
export async function reportRacesWithRunners(
  venueId: string,
  raceDate: CalendarDate,
  {
    races = 4,
    runners = 6,
    surface = "turf",
    distanceMetres = 1200,
  }: { races?: number; runners?: number; surface?: Surface; distanceMetres?: number } = {},
): Promise<void> {
  await reportRaceDay(
    venueId,
    raceDate,
    Array.from({ length: races }, (_, index) => ({
      raceNumber: index + 1,
      time: `${13 + index}:00`,
      surface,
      distanceMetres,
      runners: Array.from({ length: runners }, (__, number) => ({
        number: number + 1,
        horseName: `Horse ${number + 1}`,
        jockey: null,
        trainer: null,
        draw: null,
        isScratched: false,
      })),
    })),
  );
}

/**
 * Returns a function that enters and confirms a result with this finishing order and sets the clock to that time, 20:00
 * of the race date by default.
 */
export async function createResultConfirmer(): Promise<
  (
    race: { venueId: string; raceDate: CalendarDate; raceNumber: number },
    result: {
      /** The horse numbers in finishing order, each with its starting price. */
      order: [number: number, price: string][];
      status?: RaceResultInput["status"];
      /** The actual off; the reported one by default. */
      time?: RaceResultInput["time"];
      winDividendCents?: number | null;
      placeDividendCents?: number | null;
      reason?: string;
      confirmedAt?: Date;
    },
  ) => Promise<void>
> {
  const [first, second]: Person[] = [await makeAdmin(), await makeAdmin("Pieter Botha")];
  return async (
    race,
    { order, status = "official", time = null, reason = "", confirmedAt, ...dividends },
  ) => {
    freezeClock(confirmedAt ?? instantAt(race.raceDate, "20:00"));
    const entered = await enterRaceResult(
      first?.id ?? null,
      race,
      {
        status,
        time,
        starters: null,
        placesPaid: null,
        source: "test",
        sourceUrl: null,
        reason,
        runners: order.map(([number, price], index) => ({
          number,
          outcome: "finished",
          position: index + 1,
          startingPrice: parseStartingPrice(price),
          winDividendCents: index === 0 ? (dividends.winDividendCents ?? null) : null,
          placeDividendCents: index < 2 ? (dividends.placeDividendCents ?? null) : null,
        })),
      },
      { via: "form" },
    );
    if (!entered.ok) throw new Error(JSON.stringify(entered));
    const confirmed = await confirmRaceResult(second?.id ?? "", race, {
      resultId: entered.result.id,
      second: toSecondEntry(entered.result),
    });
    if (!confirmed.ok) throw new Error(JSON.stringify(confirmed));
  };
}
