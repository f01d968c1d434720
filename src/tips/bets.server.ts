import type { SettledBet } from "#domain/settlement.ts";

/** The columns that the bets of a settled tip or of a settlement `s` are read from. */
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
