/** Matches the characters with which a formula starts in spreadsheets. */
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * Returns one line of CSV. Text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe.
 */
export function formatCsvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

function formatCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const escaped =
    FORMULA_START.test(value.trimStart()) || FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(escaped) || escaped !== escaped.trim()
    ? `"${escaped.replaceAll('"', '""')}"`
    : escaped;
}
