/**
 * Returns the ticks and the mapping of a scale with round numbers that includes zero and all
 * values.
 */
export function chartScale(values: readonly number[]) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const range = high - low || 3;
  const rough = range / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const bottom = Math.floor(low / step) * step;
  const top = Math.max(Math.ceil(high / step) * step, bottom + step);
  const count = Math.round((top - bottom) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) =>
      Number((bottom + index * step).toPrecision(12)),
    ),
    heightOf: (value: number) => (value - bottom) / (top - bottom),
  };
}
