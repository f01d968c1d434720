/** The retention periods of personal data in years, as stated in the privacy policy. */
export const RETENTION_YEARS = { usageData: 2, transactions: 7 } as const;

/** Returns the instant that is `years` before `at`. Older data is past its retention period. */
export function subtractYears(at: Date, years: number): Date {
  const result = new Date(at);
  result.setUTCFullYear(result.getUTCFullYear() - years);
  return result;
}
