import { sql } from "drizzle-orm";
import type { SettledTip } from "#domain/figures/figures.ts";
import type { SettledBet } from "#domain/settlement.ts";
import type { Tx } from "#platform/database.server.ts";

/** The columns that the bets of a settlement `s` are read from. */
export const BET_COLUMNS = `s.win_stake_cents as "winStakeCents",
  s.win_starting_price_return_cents as "winStartingPriceReturnCents",
  s.win_tote_return_cents as "winToteReturnCents", s.place_stake_cents as "placeStakeCents",
  s.place_tote_return_cents as "placeToteReturnCents"`;

/** A row selected with BET_COLUMNS. */
export type BetColumns = {
  winStakeCents: number | null;
  winStartingPriceReturnCents: number | null;
  winToteReturnCents: number | null;
  placeStakeCents: number | null;
  placeToteReturnCents: number | null;
};

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
    select t.id, c.id as "raceCardId", c.race_date::text as "raceDate", q.off_at as "offAt",
      t.race_number as "raceNumber", v.slug as "venueSlug", r.distance_metres as "distanceMetres", r.surface,
      t.tip_type as "tipType", t.confidence, t.is_late as "isLate", s.outcome,
      ${sql.raw(BET_COLUMNS)}, s.expected_win as "expectedWin",
      s.favourite_return_cents as "favouriteReturnCents"
    from race_cards c
    join venues v on v.id = c.venue_id
    join tips t on t.race_card_id = c.id and t.settlement_version is not null
    join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
    join race_results q on q.race_day_id = s.race_day_id and q.race_number = s.race_number
      and q.version = s.version
    join races r on r.race_day_id = s.race_day_id and r.race_number = s.race_number
    where c.creator_id = ${creatorId}`);
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

/** The bets of a settled tip. Null if it has no such bet, or if it is void. */
export type Bets = { win: SettledBet | null; place: SettledBet | null };

/** Returns a row with its bets instead of their columns. */
export function withBets<Row extends BetColumns>(row: Row): Omit<Row, keyof BetColumns> & Bets {
  const {
    winStakeCents,
    winStartingPriceReturnCents,
    winToteReturnCents,
    placeStakeCents,
    placeToteReturnCents,
    ...rest
  } = row;
  return {
    ...rest,
    win:
      winStakeCents === null
        ? null
        : {
            stakeCents: winStakeCents,
            startingPriceReturnCents: winStartingPriceReturnCents,
            toteReturnCents: winToteReturnCents,
          },
    place:
      placeStakeCents === null
        ? null
        : {
            stakeCents: placeStakeCents,
            startingPriceReturnCents: null,
            toteReturnCents: placeToteReturnCents,
          },
  };
}
