import { sql } from "drizzle-orm";
import type { SettledTip } from "#domain/figures/figures.ts";
import type { Tx } from "#platform/database.server.ts";
import { BET_COLUMNS, type BetColumns, withBets } from "#tips/tips.server.ts";

type Row = Omit<SettledTip, "outcome" | "offAt" | "win" | "place"> &
  BetColumns & {
    outcome: SettledTip["outcome"] | "void";
    isLate: boolean;
    offAt: string | null;
  };

/**
 * Returns a creator's tips with an official settlement, hidden ones included: those that count in the figures, and the
 * number of those that do not.
 */
export async function readSettledTips(
  tx: Tx,
  creatorId: string,
): Promise<{ counted: SettledTip[]; voidTips: number; lateTips: number }> {
  const { rows } = await tx.execute<Row>(sql`
    select s.id, s.race_card_id as "raceCardId", s.race_date::text as "raceDate",
      s.actual_off_at as "offAt", s.race_number as "raceNumber", v.slug as "venueSlug",
      s.distance_metres as "distanceMetres", s.surface, s.tip_type as "tipType", s.confidence,
      s.is_late as "isLate", s.outcome, ${sql.raw(BET_COLUMNS)}, s.expected_win as "expectedWin",
      s.favourite_return_cents as "favouriteReturnCents"
    from settled_tips s join venues v on v.id = s.venue_id
    where s.creator_id = ${creatorId} and s.outcome is not null`);
  const isVoid = (row: Row) => row.outcome === "void";
  return {
    counted: rows.flatMap((row) => (row.isLate ? [] : toSettledTip(row))),
    voidTips: rows.filter(isVoid).length,
    lateTips: rows.filter((row) => row.isLate && !isVoid(row)).length,
  };
}

/** Returns the tip of a row, or an empty list for a void one. */
function toSettledTip({ isLate: _, outcome, offAt, ...row }: Row): SettledTip[] {
  // Only a result of a race that was not run has no off, and it voids every tip.
  if (outcome === "void" || offAt === null) return [];
  return [{ ...withBets(row), outcome, offAt: new Date(offAt).toISOString() }];
}
