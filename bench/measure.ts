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
  const rounds = { ours: [] as Measurement[], theirs: [] as Measurement[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.theirs.push(await theirs());
    rounds.ours.push(await ours());
  }
  return {
    work,
    reference,
    ratio: medianRatio(rounds, (round) => round.perSecond),
    p99Ratio: medianRatio(rounds, (round) => round.p99),
    ours: medianOf(rounds.ours),
    theirs: medianOf(rounds.theirs),
  };
}

function medianRatio(
  rounds: { ours: Measurement[]; theirs: Measurement[] },
  pick: (round: Measurement) => number,
): number {
  return median(rounds.ours.map((ours, index) => pick(ours) / pick(rounds.theirs[index] ?? ours)));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function medianOf(rounds: Measurement[]): Measurement {
  const medianBy = (pick: (round: Measurement) => number) => median(rounds.map(pick));
  return {
    perSecond: medianBy((round) => round.perSecond),
    p50: medianBy((round) => round.p50),
    p99: medianBy((round) => round.p99),
  };
}
