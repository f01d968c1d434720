import { sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import type { RaceReference } from "./read-results.server.ts";

/** The admins who may enter and confirm the result of a race. */
export type ResultAuthors = {
  /** The admins without a tip in the race, hidden tips included, or all admins if each of them has one. */
  ids: string[];
  /** True if fewer than two admins have no tip. One person may then do both, and the result is marked. */
  isOnePerson: boolean;
};

/** Returns who may enter and confirm the result of a race. */
export async function readResultAuthors(
  { venueId, raceDate, raceNumber }: RaceReference,
  tx?: Tx,
): Promise<ResultAuthors> {
  const { rows } = await (tx ?? database()).execute<{ id: string; isOnePerson: boolean }>(sql`
    select a.user_id as id, a.is_one_person as "isOnePerson"
    from list_result_authors(${venueId}::uuid, ${raceDate}::date, array[${raceNumber}]::smallint[]) a`);
  return { ids: rows.map(({ id }) => id), isOnePerson: rows.every((row) => row.isOnePerson) };
}

/** Returns why an admin may not confirm a result, or null. Unofficial results are refused separately. */
export function findAuthorRefusal(
  { ids, isOnePerson }: ResultAuthors,
  actorId: string,
  result: { enteredBy: string | null },
): "has-tips" | "same-admin" | null {
  if (!ids.includes(actorId)) return "has-tips";
  return result.enteredBy === actorId && !isOnePerson ? "same-admin" : null;
}
