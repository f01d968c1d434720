/** What one round of load came to: answers a second, and how long they took in milliseconds. */
export type Measurement = { perSecond: number; p50: number; p99: number };

/** One comparison: how often the product does it for each time that the reference does. */
export type Comparison = {
  work: string;
  reference: string;
  ratio: number;
  p99Ratio: number;
  ours: Measurement;
  theirs: Measurement;
};

const ROUNDS = 5;

/** Measures both by turns, so that what else the machine does strikes both, and compares medians. */
export async function compare(
  work: string,
  reference: string,
  ours: () => Promise<Measurement>,
  theirs: () => Promise<Measurement>,
): Promise<Comparison> {
  await theirs(); // warm
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
    ratio: mid.ours.perSecond / mid.theirs.perSecond,
    p99Ratio: mid.ours.p99 / mid.theirs.p99,
    ...mid,
  };
}

function medianOf(rounds: Measurement[]): Measurement {
  const median = (pick: (each: Measurement) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return {
    perSecond: median((each) => each.perSecond),
    p50: median((each) => each.p50),
    p99: median((each) => each.p99),
  };
}
