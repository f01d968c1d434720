/** Spreadsheets treat text that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns one line of CSV. Text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value.trimStart()) || FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
