export const RESULT_STATUSES = ["unofficial", "official", "abandoned", "void"] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

export const RUNNER_OUTCOMES = [
  "finished",
  "did-not-finish",
  "disqualified",
  "non-runner",
] as const;
export type RunnerOutcome = (typeof RUNNER_OUTCOMES)[number];

/** Fixed odds at the off, to 1: 5/1 pays R5 for each R1. Evens is 1/1. */
export type StartingPrice = { numerator: number; denominator: number };

/** A horse's result in a race. Null means that a value was not reported. */
export type ResultRunner = {
  number: number;
  outcome: RunnerOutcome;
  /** Null for a horse behind the reported positions. Equal positions are a dead heat. */
  position: number | null;
  startingPrice: StartingPrice | null;
  /** The tote's dividends: the total return, with the stake, for R1. */
  winDividendCents: number | null;
  placeDividendCents: number | null;
};

/** The positions that a result has at least, unless fewer horses finished. */
export const ENTERED_POSITIONS = 3;

/** The most places that the tote announces for a race. */
export const MAX_PLACES_PAID = 6;

/** Returns true if the race was run and counts. Only such a result has finishing positions. */
export function isRunStatus(status: ResultStatus): boolean {
  return status === "official" || status === "unofficial";
}

/**
 * Returns the number of places that the tote pays for a number of starters, unless it announces more:
 * 1 to 5 none, 6 and 7 two, 8 to 15 three, 16 and more four
 * (news.tabonline.co.za/LearnBetting/BetTypes).
 */
export function standardPlacesPaid(starters: number): number {
  if (starters >= 16) return 4;
  if (starters >= 8) return 3;
  return starters >= 6 ? 2 : 0;
}

/** Returns the positions whose horses two people enter: as far as places are paid, and at least the winner. */
export function countNamedPositions(placesPaid: number): number {
  return Math.max(placesPaid, 1);
}

type Placed = { number: number; position: number | null };

/** Returns the horses of a finishing order with their positions: after a dead heat of two for first comes third. */
export function toPlaced(
  order: readonly (readonly number[])[],
): { number: number; position: number }[] {
  let position = 1;
  return order.flatMap((numbers) => {
    const placed = numbers.map((number) => ({ number, position }));
    position += numbers.length;
    return placed;
  });
}

/**
 * Returns the horse numbers at each of the first positions. A dead heat has several numbers, and the positions
 * that it takes up have none.
 */
export function listPositions(
  runners: readonly Placed[],
  count: number = ENTERED_POSITIONS,
): number[][] {
  return Array.from({ length: count }, (_, index) =>
    runners
      .filter((runner) => runner.position === index + 1)
      .map((runner) => runner.number)
      .sort((a, b) => a - b),
  );
}

/** Returns true if each position is one more than the number of horses ahead: 1, 1, 3 after a dead heat for first. */
export function isFinishingOrder(runners: readonly Placed[]): boolean {
  const positions = runners
    .flatMap(({ position }) => (position === null ? [] : [position]))
    .sort((a, b) => a - b);
  return positions.every(
    (position, index) => position === index + 1 || position === positions[index - 1],
  );
}

/** The message for an invalid starting price. */
export const INVALID_PRICE_MESSAGE = "Starting price must be a fraction such as 5/1, or evens";

/** Parses a starting price such as `5/1`, `18-10` or `evens`. Returns null for anything else. */
export function parseStartingPrice(text: string): StartingPrice | null {
  // A favourite is marked F, JF (joint) or CF (of several).
  const normalised = text
    .trim()
    .toLowerCase()
    .replace(/ ?[jc]?f$/, "");
  if (/^(evens?|evs)$/.test(normalised)) return { numerator: 1, denominator: 1 };
  const [, numerator, denominator] = /^(\d{1,4})\s*[/-]\s*(\d{1,3})$/.exec(normalised) ?? [];
  const price = { numerator: Number(numerator), denominator: Number(denominator) };
  return price.numerator > 0 && price.denominator > 0 ? price : null;
}

/** Formats a starting price: '5/1', 'evens'. */
export function formatStartingPrice({ numerator, denominator }: StartingPrice): string {
  return numerator === denominator ? "evens" : `${numerator}/${denominator}`;
}

/** The message for an invalid dividend. */
export const INVALID_DIVIDEND_MESSAGE = "Dividend must be an amount for R1 such as 6.40";

/** Parses a dividend such as `6.40`, `R6,4` or `12`. Returns cents, or null for anything else. */
export function parseDividend(text: string): number | null {
  const [, rand, cents = ""] = /^R?\s*(\d{1,6})(?:[.,](\d{1,2}))?$/i.exec(text.trim()) ?? [];
  if (rand === undefined) return null;
  return Number(rand) * 100 + Number(cents.padEnd(2, "0")) || null;
}

/** Formats a dividend in rand: '6.40'. */
export function formatDividend(cents: number): string {
  return (cents / 100).toFixed(2);
}

/**
 * Parses horse numbers in finishing order, such as `4 9=7 2`: separated by spaces or commas, with `=` between
 * the horses of a dead heat. Returns null if a part is not a number.
 */
export function parseFinishingOrder(text: string): number[][] | null {
  const parts = text
    // In two steps, because /\s*=\s*/ takes quadratic time for a long run of spaces.
    .replace(/\s+/g, " ")
    .replace(/ ?= ?/g, "=")
    .split(/[ ,;]+/)
    .filter((part) => part !== "");
  const order = parts.map((part) => part.split("="));
  return order.flat().every((number) => /^\d{1,2}$/.test(number))
    ? order.map((numbers) => numbers.map(Number))
    : null;
}
