/** For how many years something is kept that names a person, as the privacy policy promises. */
export const KEPT_YEARS = { usageData: 2, transactions: 7 } as const;

/** The instant so many years before another one: what is older than that has been kept long enough. */
export function yearsBefore(at: Date, years: number): Date {
  const before = new Date(at);
  before.setUTCFullYear(before.getUTCFullYear() - years);
  return before;
}
