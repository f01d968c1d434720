/** The result of one round: responses per second, and latencies in milliseconds. */
export type Measurement = { perSecond: number; p50: number; p99: number };

/** A comparison of the application with a reference: ratios of throughput and latency. */
export type Comparison = {
  work: string;
  reference: string;
  ratio: number;
  p99Ratio: number;
  applicationResult: Measurement;
  referenceResult: Measurement;
  /** The highest throughput of the client with responses of this size. */
  clientCeiling?: number;
  /** True if the reference is within 20 % of the client's ceiling, so that the ratio is too favourable. */
  isLimitedByClient?: boolean;
};

const ROUNDS = 5;

/**
 * Measures the application and the reference in alternating rounds and compares adjacent rounds, so that other
 * load on the machine affects both rounds of a pair. Ratios are medians over the pairs.
 */
export async function compare(
  work: string,
  reference: string,
  measureApplication: () => Promise<Measurement>,
  measureReference: () => Promise<Measurement>,
): Promise<Comparison> {
  await measureReference(); // warms up
  await measureApplication();
  const rounds = { application: [] as Measurement[], reference: [] as Measurement[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.reference.push(await measureReference());
    rounds.application.push(await measureApplication());
  }
  return {
    work,
    reference,
    ratio: medianRatio(rounds, (round) => round.perSecond),
    p99Ratio: medianRatio(rounds, (round) => round.p99),
    applicationResult: medianOf(rounds.application),
    referenceResult: medianOf(rounds.reference),
  };
}

function medianRatio(
  rounds: { application: Measurement[]; reference: Measurement[] },
  pick: (round: Measurement) => number,
): number {
  return median(
    rounds.application.map((round, index) => pick(round) / pick(rounds.reference[index] ?? round)),
  );
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
