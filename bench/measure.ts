/** The result of one round: responses per second, and latencies in milliseconds. */
export type Measurement = { perSecond: number; p50: number; p99: number };

/** A comparison of the application with the reference: ratios of throughput and latency. */
export type Comparison = {
  work: string;
  reference: string;
  ratio: number;
  p99Ratio: number;
  ours: Measurement;
  theirs: Measurement;
  /** The highest throughput of the client with responses of this size. */
  clientCeiling?: number;
  /** The reference is within 20 % of the client's ceiling, so that the ratio is too favourable. */
  isLimitedByClient?: boolean;
};

const ROUNDS = 5;

/**
 * Measures both in alternating rounds and compares adjacent rounds, so that other load on the machine
 * affects both of a pair. Ratios are medians over the pairs.
 */
export async function compare(
  work: string,
  reference: string,
  ours: () => Promise<Measurement>,
  theirs: () => Promise<Measurement>,
): Promise<Comparison> {
  await theirs(); // warms up
  await ours();
  const of = { ours: [] as Measurement[], theirs: [] as Measurement[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    of.theirs.push(await theirs());
    of.ours.push(await ours());
  }
  const mid = { ours: medianOf(of.ours), theirs: medianOf(of.theirs) };
  return {
    work,
    reference,
    ratio: medianOfPairs(of, (each) => each.perSecond),
    p99Ratio: medianOfPairs(of, (each) => each.p99),
    ...mid,
  };
}

function medianOfPairs(
  of: { ours: Measurement[]; theirs: Measurement[] },
  pick: (each: Measurement) => number,
): number {
  return median(of.ours.map((each, round) => pick(each) / pick(of.theirs[round] ?? each)));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function medianOf(rounds: Measurement[]): Measurement {
  const middle = (pick: (each: Measurement) => number) => median(rounds.map(pick));
  return {
    perSecond: middle((each) => each.perSecond),
    p50: middle((each) => each.p50),
    p99: middle((each) => each.p99),
  };
}
