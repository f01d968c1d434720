import { eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { tips } from "./tables.server.ts";

/** The race card that a tip belongs to, or null for an id that is nobody's. */
export async function findRaceCardOfTip(tipId: string): Promise<string | null> {
  const [tip] = await database()
    .select({ raceCardId: tips.raceCardId })
    .from(tips)
    .where(eq(tips.id, tipId));
  return tip?.raceCardId ?? null;
}
