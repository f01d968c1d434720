import { formatCents } from "#domain/format-cents.ts";
import { type StartingPrice, standardPlacesPaid } from "#domain/race-result.ts";
import {
  BETTING_TAX_PERCENT,
  computeReturnAtPrice,
  findDeductionPercent,
  type NamedRunner,
  settleTip,
  TIP_STAKE_CENTS,
  type TipToSettle,
} from "#domain/settlement.ts";
import type { TipType } from "#domain/tip.ts";

// The examples on the page of the settlement rules, computed by the functions that settle tips.

/** A line of an example table. Amounts are formatted. */
export type RuleExample = {
  description: string;
  outcome: string;
  returned: string;
  profit: string;
};

const OUTCOME_LABELS = { won: "Won", placed: "Won (placed)", lost: "Lost", void: "Void" } as const;

const price = (numerator: number, denominator = 1): StartingPrice => ({ numerator, denominator });

function formatProfit(cents: number): string {
  return cents > 0 ? `+${formatCents(cents)}` : formatCents(cents);
}

function createExample(
  description: string,
  outcome: string,
  { stakeCents, returnCents }: { stakeCents: number; returnCents: number },
): RuleExample {
  return {
    description,
    outcome,
    returned: formatCents(returnCents),
    profit: formatProfit(returnCents - stakeCents),
  };
}

type ExampleRace = {
  starters: number;
  position: number | null;
  startingPrice?: StartingPrice;
  winDividendCents?: number;
  placeDividendCents?: number;
  /** The number of horses that share the position. */
  deadHeatCount?: number;
  outcome?: NamedRunner["outcome"];
};

/** Settles a tip on horse 1 of a race, in which another horse takes each of the other positions. */
function settleExample(description: string, tipType: TipType, race: ExampleRace): RuleExample {
  const { starters, position, startingPrice = null, deadHeatCount = 1 } = race;
  const { winDividendCents = null, placeDividendCents = null, outcome = "finished" } = race;
  const tip: TipToSettle = {
    tipType,
    horseNumber: 1,
    horseName: "Example",
    isMovedToOtherSurface: false,
  };
  const runners: NamedRunner[] = Array.from({ length: starters }, (_, index) => ({
    number: index + 1,
    horseName: index === 0 ? tip.horseName : `Other ${index}`,
    outcome: index === 0 ? outcome : "finished",
    position: index < deadHeatCount ? position : null,
    startingPrice: index === 0 ? startingPrice : null,
    winDividendCents: index === 0 ? winDividendCents : null,
    placeDividendCents: index === 0 ? placeDividendCents : null,
  }));
  const settlement = settleTip(tip, {
    status: "official",
    starters,
    placesPaid: standardPlacesPaid(starters),
    hasEnteredNames: false,
    runners,
  });
  const { win, place } = settlement;
  if (settlement.outcome === "void")
    return createExample(description, OUTCOME_LABELS.void, {
      stakeCents: TIP_STAKE_CENTS,
      returnCents: TIP_STAKE_CENTS,
    });
  const winReturnCents = win?.startingPriceReturnCents ?? win?.toteReturnCents ?? 0;
  return createExample(description, OUTCOME_LABELS[settlement.outcome], {
    stakeCents: (win?.stakeCents ?? 0) + (place?.stakeCents ?? 0),
    returnCents: winReturnCents + (place?.toteReturnCents ?? 0),
  });
}

export const WIN_EXAMPLES: readonly RuleExample[] = [
  settleExample("Wins at 5/1", "win", { starters: 9, position: 1, startingPrice: price(5) }),
  settleExample("Wins at 8/10", "win", { starters: 9, position: 1, startingPrice: price(8, 10) }),
  settleExample("Wins at 1/3", "win", { starters: 9, position: 1, startingPrice: price(1, 3) }),
  settleExample("Wins at the tote, dividend R4.30", "win", {
    starters: 9,
    position: 1,
    winDividendCents: 430,
  }),
  settleExample("Second at 5/1", "win", { starters: 9, position: 2, startingPrice: price(5) }),
];

export const DEAD_HEAT_EXAMPLES: readonly RuleExample[] = [
  settleExample("Two share first place, 5/1", "win", {
    starters: 9,
    position: 1,
    startingPrice: price(5),
    deadHeatCount: 2,
  }),
  settleExample("Two share first place, 8/10", "win", {
    starters: 9,
    position: 1,
    startingPrice: price(8, 10),
    deadHeatCount: 2,
  }),
  settleExample("Three share first place, 5/1", "win", {
    starters: 9,
    position: 1,
    startingPrice: price(5),
    deadHeatCount: 3,
  }),
];

/** The numbers of starters from which the tote pays another number of places, with that number. */
export const PLACE_TERMS: readonly { starters: string; places: string }[] = [
  [1, 5],
  [6, 7],
  [8, 15],
  [16, null],
].map(([from, to]) => ({
  starters: to ? `${from} to ${to}` : `${from} or more`,
  places: standardPlacesPaid(from ?? 1) === 0 ? "none" : `first ${standardPlacesPaid(from ?? 1)}`,
}));

export const PLACE_EXAMPLES: readonly RuleExample[] = [
  settleExample("Third of 8, place dividend R1.70", "place", {
    starters: 8,
    position: 3,
    placeDividendCents: 170,
  }),
  settleExample("Third of 7", "place", { starters: 7, position: 3 }),
];

export const EACH_WAY_EXAMPLES: readonly RuleExample[] = [
  settleExample("Wins at 8/1, place dividend R2.60", "each-way", {
    starters: 12,
    position: 1,
    startingPrice: price(8),
    placeDividendCents: 260,
  }),
  settleExample("Second of 12, place dividend R2.60", "each-way", {
    starters: 12,
    position: 2,
    startingPrice: price(8),
    placeDividendCents: 260,
  }),
  settleExample("Fourth of 12", "each-way", {
    starters: 12,
    position: 4,
    startingPrice: price(8),
  }),
  settleExample("Wins at 2/1 with 5 starters: only the win half counts", "each-way", {
    starters: 5,
    position: 1,
    startingPrice: price(2),
  }),
];

export const VOID_EXAMPLES: readonly RuleExample[] = [
  settleExample("Any tip, the horse is withdrawn", "win", {
    starters: 9,
    position: null,
    outcome: "non-runner",
  }),
  settleExample("Place tip with 5 starters", "place", { starters: 5, position: 1 }),
];

function deductionExample(description: string, withdrawn: readonly StartingPrice[]): RuleExample {
  return createExample(description, "Won", {
    stakeCents: TIP_STAKE_CENTS,
    returnCents: computeReturnAtPrice({
      stakeCents: TIP_STAKE_CENTS,
      price: price(6),
      deductionPercents: withdrawn.map(findDeductionPercent),
    }),
  });
}

const [FAVOURITE, OUTSIDER] = [price(2), price(7)];

/** What a bookmaker deducts from the winnings for one horse withdrawn at 2/1, and one at 7/1. */
export const DEDUCTION_PERCENTS = [findDeductionPercent(FAVOURITE), findDeductionPercent(OUTSIDER)];

export const DEDUCTION_EXAMPLES: readonly RuleExample[] = [
  deductionExample("Bet at 6/1, then a horse at 2/1 is withdrawn", [FAVOURITE]),
  deductionExample("Bet at 6/1, then horses at 2/1 and 7/1 are withdrawn", [FAVOURITE, OUTSIDER]),
];

export const TAX_EXAMPLES: readonly RuleExample[] = [
  createExample("Wins at 5/1, as we settle it", "Won", {
    stakeCents: TIP_STAKE_CENTS,
    returnCents: computeReturnAtPrice({ stakeCents: TIP_STAKE_CENTS, price: price(5) }),
  }),
  createExample("The same after betting tax", "Won", {
    stakeCents: TIP_STAKE_CENTS,
    returnCents: computeReturnAtPrice({
      stakeCents: TIP_STAKE_CENTS,
      price: price(5),
      taxPercent: BETTING_TAX_PERCENT,
    }),
  }),
];
