import type { Surface } from "../race-day.ts";
import type { SettledBet } from "../settlement.ts";
import type { Tip } from "../tip.ts";
import { computeLuck, type Luck } from "./luck.ts";
import {
  type AgainstFavourite,
  computeAgainstFavourite,
  computeReturns,
  type Returns,
} from "./returns.ts";
import {
  computeLongestLosingRun,
  computeProfitSeries,
  computeWorstDrawdown,
  type Drawdown,
  type ProfitPoint,
} from "./runs.ts";
import { computeSlices, type Slices } from "./slices.ts";
import { computeStrikeRate, type StrikeRate } from "./strike-rate.ts";

// The figures (statistics) of a track record, as pure functions. docs/figures.md explains them, and anyone can
// recompute them from the downloaded record. Amounts are integer cents, rates are unrounded percentages, and
// each figure states the number of tips that it is based on.

/**
 * A tip that counts in the figures: settled by the official result of its race, and neither void nor late.
 * Excludes tips whose result is a tipster's claim or was entered by an admin for that tip only.
 */
export type SettledTip = Pick<
  Tip,
  "id" | "raceCardId" | "raceDate" | "raceNumber" | "tipType" | "confidence"
> & {
  /**
   * The actual off in the official result, formatted by `toISOString` so that text order is time order.
   * Figures are computed in this order.
   */
  offAt: string;
  venueSlug: string;
  /** Null if it was not reported. */
  distanceMetres: number | null;
  surface: Surface | null;
  /** `placed`: an each-way tip whose horse was placed and did not win. It counts as won in the strike rate. */
  outcome: "won" | "placed" | "lost";
  /** The bets as settled by the published rules. Null if the tip has no such bet. */
  win: SettledBet | null;
  place: SettledBet | null;
  /**
   * The horse's chance of winning implied by the starting prices. Null for a tip without a bet to win, or
   * if the price of any starter is unknown.
   */
  expectedWin: number | null;
  /** The return if the stake of the win bet had been on the favourite. Null where expectedWin is null. */
  favouriteReturnCents: number | null;
};

/** The cost of the race cards and the profit after deducting it. */
export type AfterCards = {
  /** The race cards with a counted tip. */
  cards: number;
  costCents: number;
  startingPriceProfitCents: number;
  toteProfitCents: number;
};

/** The figures of a track record. */
export type Figures = {
  /** The counted tips. */
  settled: number;
  /** Won, or placed each-way. */
  won: number;
  strikeRate: StrikeRate | null;
  /** Bets to win at the starting price. South Africa has no starting prices for places. */
  startingPrice: Returns;
  /** Whole tips at the dividends of the tote. */
  tote: Returns;
  afterCards: AfterCards;
  /** Null if no tip is for a race in which all prices are known. */
  luck: Luck | null;
  /** The largest number of tips in a row that neither won nor were placed each-way. */
  longestLosingRun: number;
  worstDrawdown: Drawdown;
  againstFavourite: AgainstFavourite;
  /** The running profit at the starting price, by race date: at most 400 points. */
  series: ProfitPoint[];
  /** The outcomes of the last 20 tips, oldest first. */
  form: SettledTip["outcome"][];
  slices: Slices;
};

/** The number of tips in `form`. */
export const FORM_LENGTH = 20;
/** The price of a race card that all figures assume, in cents, so that they stay comparable when prices change. */
export const ASSUMED_CARD_CENTS = 4000;

/** Returns the figures of a track record. The tips may be in any order. */
export function computeFigures(tips: readonly SettledTip[]): Figures {
  const ordered = tips.toSorted(compareByOff);
  const startingPrice = computeReturns(ordered, "starting-price");
  const tote = computeReturns(ordered, "tote");
  const won = ordered.filter((tip) => tip.outcome !== "lost").length;
  const cards = new Set(ordered.map((tip) => tip.raceCardId)).size;
  const costCents = cards * ASSUMED_CARD_CENTS;
  return {
    settled: ordered.length,
    won,
    strikeRate: computeStrikeRate({ settled: ordered.length, won }),
    startingPrice,
    tote,
    afterCards: {
      cards,
      costCents,
      startingPriceProfitCents: startingPrice.profitCents - costCents,
      toteProfitCents: tote.profitCents - costCents,
    },
    luck: computeLuck(ordered),
    longestLosingRun: computeLongestLosingRun(ordered),
    worstDrawdown: computeWorstDrawdown(ordered),
    againstFavourite: computeAgainstFavourite(ordered),
    series: computeProfitSeries(ordered),
    form: ordered.slice(-FORM_LENGTH).map((tip) => tip.outcome),
    slices: computeSlices(ordered),
  };
}

/** Compares tips by the actual off of their races, then by venue, race number and id. */
export function compareByOff(a: SettledTip, b: SettledTip): number {
  return (
    compareText(a.offAt, b.offAt) ||
    compareText(a.venueSlug, b.venueSlug) ||
    a.raceNumber - b.raceNumber ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
