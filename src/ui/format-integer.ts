/** Formats an integer; from five digits, spaces separate the thousands: 1080, 12 480. */
export function formatInteger(value: number): string {
  const digits = String(Math.abs(value));
  const grouped = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u00a0") : digits;
  return value < 0 ? `\u2212${grouped}` : grouped;
}
