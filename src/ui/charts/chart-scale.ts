/**
 * Returns the ticks and the mapping of a scale with round numbers that includes zero and all
 * values.
 */
export function createChartScale(values: readonly number[]) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const range = high - low || 3;
  const minStep = range / 3;
  const magnitude = 10 ** Math.floor(Math.log10(minStep));
  const step =
    ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= minStep) ?? 10) * magnitude;
  const bottom = Math.floor(low / step) * step;
  const top = Math.max(Math.ceil(high / step) * step, bottom + step);
  const count = Math.round((top - bottom) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) =>
      Number((bottom + index * step).toPrecision(12)),
    ),
    toHeight: (value: number) => (value - bottom) / (top - bottom),
  };
}
