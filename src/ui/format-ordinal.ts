const rules = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** Formats a position: 1st, 2nd, 3rd, 4th. */
export function formatOrdinal(position: number): string {
  return `${position}${SUFFIXES[rules.select(position)] ?? "th"}`;
}
