import { foldHorseName, isSameHorseName } from "./horse-key.ts";
import { countNamedPositions, type ResultRunner, type StartingPrice } from "./race-result.ts";
import type { Tip } from "./tip.ts";

// The published settlement rules as pure functions. Returns are computed as exact fractions and rounded
// down to the cent once, at the end. The page /rules shows the rules with their sources.

/** The version of these rules; stored with each settlement. */
export const SETTLEMENT_RULES = "2026-12";

/** The stake of a tip. Each-way splits it equally between the win and the place (source: TAB). */
export const TIP_STAKE_CENTS = 1000;

/** The tax on winnings that South African bookmakers deduct. Settlements are recorded before tax. */
export const BETTING_TAX_PERCENT = 6;

/** A runner of a result. Where no runners were declared, the name is the one that was entered, or null. */
export type NamedRunner = ResultRunner & { horseName: string | null };

/** The result that bets are settled on, declared by the "all clear" of the National Horseracing Authority. */
export type OfficialResult = {
  status: "official" | "abandoned" | "void";
  starters: number | null;
  placesPaid: number;
  /** True if no runners were declared, so that only the placed horses are known by number and name. */
  hasEnteredNames: boolean;
  runners: readonly NamedRunner[];
};

/** What the settlement of a tip depends on, besides the result of its race. */
export type TipToSettle = Pick<Tip, "tipType" | "horseNumber" | "horseName"> & {
  /** True if the race was moved to another surface after the tip was published. */
  isMovedToOtherSurface: boolean;
};

export const VOID_REASONS = [
  "abandoned",
  "race-void",
  "walk-over",
  "moved-surface",
  "non-runner",
  "no-places",
  "horse-unclear",
] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

/** A bet with its return, in cents, on each basis. Null if the return on that basis is unknown. */
export type SettledBet = {
  stakeCents: number;
  startingPriceReturnCents: number | null;
  toteReturnCents: number | null;
};

export type Settlement = {
  /** `placed`: an each-way tip whose horse was placed and did not win. */
  outcome: "won" | "placed" | "lost" | "void";
  voidReason: VoidReason | null;
  /** The number of the tip's horse in the result. Null if the tip is void, or if the result does not name its horse. */
  runnerNumber: number | null;
  position: number | null;
  /** The number of horses that share the position. */
  deadHeatCount: number;
  /** Null if the tip has no bet to win, or if it is void. */
  win: SettledBet | null;
  /** Null if the tip has no bet to place, or if it is void. Its starting price return is always null. */
  place: SettledBet | null;
};

/** The largest odds of each band and the percentage deducted, shortest odds first. */
const DEDUCTION_BANDS: readonly { upTo: StartingPrice; percent: number }[] = [
  { upTo: { numerator: 1, denominator: 3 }, percent: 80 },
  { upTo: { numerator: 4, denominator: 10 }, percent: 70 },
  { upTo: { numerator: 5, denominator: 10 }, percent: 65 },
  { upTo: { numerator: 7, denominator: 10 }, percent: 60 },
  { upTo: { numerator: 9, denominator: 10 }, percent: 55 },
  { upTo: { numerator: 1, denominator: 1 }, percent: 50 },
  { upTo: { numerator: 12, denominator: 10 }, percent: 45 },
  { upTo: { numerator: 15, denominator: 10 }, percent: 40 },
  { upTo: { numerator: 2, denominator: 1 }, percent: 35 },
  { upTo: { numerator: 28, denominator: 10 }, percent: 30 },
  { upTo: { numerator: 7, denominator: 2 }, percent: 25 },
  { upTo: { numerator: 11, denominator: 2 }, percent: 20 },
  { upTo: { numerator: 8, denominator: 1 }, percent: 15 },
  { upTo: { numerator: 12, denominator: 1 }, percent: 10 },
  { upTo: { numerator: 20, denominator: 1 }, percent: 5 },
];

/**
 * Returns the percentage of the winnings that bookmakers deduct for a horse withdrawn at this price.
 * A price between two bands of the table takes the lower percentage. Source: South African bookmakers'
 * deduction table (World Sports Betting).
 */
export function findDeductionPercent(price: StartingPrice): number {
  const band = DEDUCTION_BANDS.find(
    ({ upTo }) => price.numerator * upTo.denominator <= upTo.numerator * price.denominator,
  );
  return band?.percent ?? 0;
}

/**
 * Computes the return in cents of a bet that won at fixed odds.
 *
 * - The winnings are the stake times the odds. The return is the stake plus the winnings (Hollywoodbets).
 * - In a dead heat of n horses, one nth of the stake wins at full odds and the rest is lost (British
 *   bookmakers' practice: £10 at 4/1 returns £25).
 * - Deductions for withdrawn horses compound: each one reduces what the previous one left of the winnings
 *   ("separately and not simultaneously", World Sports Betting).
 * - The tax applies to the profit, which is the return less the whole stake.
 */
export function computeReturnAtPrice(bet: {
  stakeCents: number;
  price: StartingPrice;
  deadHeatCount?: number;
  deductionPercents?: readonly number[];
  taxPercent?: number;
}): number {
  const { stakeCents, price, deadHeatCount = 1, deductionPercents = [], taxPercent = 0 } = bet;
  // Numerators and denominators are kept apart so that nothing is rounded before the end.
  let wonNumerator = BigInt(stakeCents) * BigInt(price.numerator);
  let wonDenominator = BigInt(price.denominator);
  for (const percent of deductionPercents) {
    wonNumerator *= BigInt(100 - percent);
    wonDenominator *= 100n;
  }
  const returned = BigInt(stakeCents) * wonDenominator + wonNumerator;
  const returnDenominator = wonDenominator * BigInt(deadHeatCount);
  const profit = returned - BigInt(stakeCents) * returnDenominator;
  const tax = profit > 0n ? profit * BigInt(taxPercent) : 0n;
  return Number((returned * 100n - tax) / (returnDenominator * 100n));
}

/**
 * Computes the return in cents of a bet that won at the tote. The dividend is the total return for R1
 * (TAB). It already accounts for a dead heat, because the tote shares the pool among the winners.
 */
export function computeReturnAtTote(stakeCents: number, dividendCents: number): number {
  return Number((BigInt(stakeCents) * BigInt(dividendCents)) / 100n);
}

/** Settles a tip by the official result of its race. */
export function settleTip(tip: TipToSettle, result: OfficialResult): Settlement {
  const runner = result.hasEnteredNames
    ? findEnteredHorse(tip, result)
    : findRunner(tip, result.runners);
  const raceVoidReason = findVoidReason(tip, result, runner);
  if (raceVoidReason || !runner) return createVoidSettlement(raceVoidReason ?? "non-runner");

  const { position } = runner;
  const deadHeatCount =
    position === null ? 1 : result.runners.filter((each) => each.position === position).length;
  const hasWon = position === 1;
  // All horses in a dead heat for the last place are placed; the tote's dividend accounts for it.
  const isPlaced = position !== null && position <= result.placesPaid;
  // The win and place bets of an each-way tip have equal stakes and are settled separately (TAB).
  const stakeCents = tip.tipType === "each-way" ? TIP_STAKE_CENTS / 2 : TIP_STAKE_CENTS;
  const win =
    tip.tipType === "place"
      ? null
      : settleWin({ stakeCents, runner, hasWon, deadHeatCount, runners: result.runners });
  const place =
    tip.tipType === "win" || result.placesPaid === 0
      ? null
      : settlePlace({ stakeCents, runner, isPlaced, runners: result.runners });
  // With 5 starters or fewer the tote pays no places, so a place tip has no bet left (TAB).
  if (!win && !place) return createVoidSettlement("no-places");

  const isWon = tip.tipType === "place" ? isPlaced : hasWon;
  const outcome = isWon ? "won" : place && isPlaced ? "placed" : "lost";
  return {
    outcome,
    voidReason: null,
    runnerNumber: runner === UNPLACED_HORSE ? null : runner.number,
    position,
    deadHeatCount,
    win,
    place,
  };
}

/**
 * Finds the runner that was tipped: the horse with the tip's name or, if the tip misspells the name, the
 * horse with the tip's number, because bets are placed on numbers (Hollywoodbets). Two horses that differ by country
 * alone are told apart by the number. Returns undefined if that number belongs to a different horse: then the tipped
 * horse did not run.
 */
function findRunner(tip: TipToSettle, runners: readonly NamedRunner[]): NamedRunner | undefined {
  const folded = foldHorseName(tip.horseName);
  const named = runners.filter(
    ({ horseName }) => folded !== "" && foldHorseName(horseName ?? "") === folded,
  );
  const numbered = runners.find(({ number }) => number === tip.horseNumber);
  if (numbered && named.includes(numbered)) return numbered;
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const others = runners.flatMap((runner) => (runner === numbered ? [] : (runner.horseName ?? [])));
  return numbered && isSameHorseName(tip.horseName, numbered.horseName ?? "", others)
    ? numbered
    : undefined;
}

/** A horse of which only is known that it was not placed. */
const UNPLACED_HORSE: NamedRunner = {
  number: 0,
  horseName: null,
  outcome: "finished",
  position: null,
  startingPrice: null,
  winDividendCents: null,
  placeDividendCents: null,
};

/**
 * Finds the horse of a tip in a race without declared runners: the non-runner with its number, the placed horse whose
 * number and name both agree with the tip or, if neither agrees with a placed horse, a horse that was not placed.
 * Returns undefined if only the number or only the name agrees. Compares with what two people entered: the names of
 * other horses do not count. `settle_by_entered_names` in SQL applies the same rule.
 */
function findEnteredHorse(
  tip: TipToSettle,
  { runners, placesPaid }: OfficialResult,
): NamedRunner | undefined {
  const numbered = runners.find(({ number }) => number === tip.horseNumber);
  if (numbered?.outcome === "non-runner") return numbered;
  const placed = runners.filter(
    ({ position }) => position !== null && position <= countNamedPositions(placesPaid),
  );
  const named = placed.filter((runner) =>
    isSameHorseName(
      tip.horseName,
      runner.horseName ?? "",
      placed.flatMap((other) => (other === runner ? [] : (other.horseName ?? []))),
    ),
  );
  if (numbered && named.includes(numbered)) return numbered;
  return named.length > 0 || placed.some((runner) => runner === numbered)
    ? undefined
    : UNPLACED_HORSE;
}

/**
 * Returns why a tip is void, or null. Non-runners, void and abandoned races return the stake
 * (Hollywoodbets). A walk-over and a race under altered conditions are void too (bet365).
 */
function findVoidReason(
  tip: TipToSettle,
  result: OfficialResult,
  runner: NamedRunner | undefined,
): VoidReason | null {
  if (result.status === "abandoned") return "abandoned";
  if (result.status === "void") return "race-void";
  if (tip.isMovedToOtherSurface) return "moved-surface";
  if (!runner && result.hasEnteredNames) return "horse-unclear";
  if (!runner || runner.outcome === "non-runner") return "non-runner";
  return result.starters === 1 ? "walk-over" : null;
}

function settleWin(bet: {
  stakeCents: number;
  runner: NamedRunner;
  hasWon: boolean;
  deadHeatCount: number;
  runners: readonly NamedRunner[];
}): SettledBet {
  const { stakeCents, runner, hasWon, deadHeatCount, runners } = bet;
  const price = runner.startingPrice;
  const startingPriceReturnCents = () => {
    // A loser without a price is unknown too. Counting its lost stake would bias the figures, because
    // a winner without a price cannot be counted.
    if (!price) return null;
    return hasWon ? computeReturnAtPrice({ stakeCents, price, deadHeatCount }) : 0;
  };
  return {
    stakeCents,
    startingPriceReturnCents: startingPriceReturnCents(),
    toteReturnCents: computeToteReturn({
      stakeCents,
      isPaid: hasWon,
      dividendCents: runner.winDividendCents,
      isDeclared: runners.some((each) => each.winDividendCents !== null),
    }),
  };
}

/** Settles a place bet at the tote. South Africa has no starting prices for places. */
function settlePlace(bet: {
  stakeCents: number;
  runner: NamedRunner;
  isPlaced: boolean;
  runners: readonly NamedRunner[];
}): SettledBet {
  const { stakeCents, runner, isPlaced, runners } = bet;
  return {
    stakeCents,
    startingPriceReturnCents: null,
    toteReturnCents: computeToteReturn({
      stakeCents,
      isPaid: isPlaced,
      dividendCents: runner.placeDividendCents,
      isDeclared: runners.some((each) => each.placeDividendCents !== null),
    }),
  };
}

function computeToteReturn(bet: {
  stakeCents: number;
  isPaid: boolean;
  dividendCents: number | null;
  /** True if any dividend of this kind is known. */
  isDeclared: boolean;
}): number | null {
  const { stakeCents, isPaid, dividendCents, isDeclared } = bet;
  if (!isPaid) return isDeclared ? 0 : null;
  return dividendCents === null ? null : computeReturnAtTote(stakeCents, dividendCents);
}

function createVoidSettlement(voidReason: VoidReason): Settlement {
  return {
    outcome: "void",
    voidReason,
    runnerNumber: null,
    position: null,
    deadHeatCount: 1,
    win: null,
    place: null,
  };
}
