import { and, asc, eq } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import type { Surface } from "#domain/race-day.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { raceDays, races, runners } from "./tables.server.ts";

/** A declared runner of a race. Null means that a value was not reported. */
export type Runner = {
  number: number;
  horseName: string;
  jockey: string | null;
  trainer: string | null;
  draw: number | null;
  isScratched: boolean;
};

/** A reported race with its runners. Null means that a value was not reported. */
export type DeclaredRace = {
  raceNumber: number;
  offAt: Date;
  name: string | null;
  distanceMetres: number | null;
  surface: Surface | null;
  /** By number. */
  runners: Runner[];
};

/** Returns the reported races of a venue and date by number, with their runners. */
export async function readDeclaredRaces(
  venueId: string,
  raceDate: CalendarDate,
  tx?: Tx,
): Promise<DeclaredRace[]> {
  const rows = await (tx ?? database())
    .select({
      raceNumber: races.raceNumber,
      offAt: races.offAt,
      name: races.name,
      distanceMetres: races.distanceMetres,
      surface: races.surface,
      number: runners.number,
      horseName: runners.horseName,
      jockey: runners.jockey,
      trainer: runners.trainer,
      draw: runners.draw,
      scratchedAt: runners.scratchedAt,
    })
    .from(raceDays)
    .innerJoin(races, eq(races.raceDayId, raceDays.id))
    .leftJoin(
      runners,
      and(eq(runners.raceDayId, races.raceDayId), eq(runners.raceNumber, races.raceNumber)),
    )
    .where(and(eq(raceDays.venueId, venueId), eq(raceDays.raceDate, raceDate)))
    .orderBy(asc(races.raceNumber), asc(runners.number));
  const declared = new Map<number, DeclaredRace>();
  for (const { raceNumber, offAt, name, distanceMetres, surface, ...runner } of rows) {
    const race = declared.get(raceNumber) ?? {
      raceNumber,
      offAt,
      name,
      distanceMetres,
      surface,
      runners: [],
    };
    declared.set(raceNumber, race);
    const { number, horseName, jockey, trainer, draw, scratchedAt } = runner;
    if (number === null || horseName === null) continue;
    race.runners.push({
      number,
      horseName,
      jockey,
      trainer,
      draw,
      isScratched: scratchedAt !== null,
    });
  }
  return [...declared.values()];
}
