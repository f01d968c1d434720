/** The retention periods of personal data in years, as stated in the privacy policy. */
export const RETENTION_YEARS = { usageData: 2, transactions: 7 } as const;

/** Returns the instant `years` before another; older data is past its retention period. */
export function yearsBefore(at: Date, years: number): Date {
  const before = new Date(at);
  before.setUTCFullYear(before.getUTCFullYear() - years);
  return before;
}
