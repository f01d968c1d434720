import { formatRand } from "#domain/coins.ts";

/** Formats a profit or loss in whole rand: '+R248', '−R52', 'R0'. */
export function formatProfit(cents: number): string {
  const rounded = Math.round(cents / 100) * 100;
  const amount = formatRand(Math.abs(rounded));
  if (rounded === 0) return "R0";
  return `${rounded > 0 ? "+" : "\u2212"}${amount}`;
}

/** Formats a rate that can be negative, without decimals: '+7%', '−19%'. */
export function formatYield(percent: number): string {
  const rounded = Math.round(percent);
  if (rounded === 0) return "0%";
  return `${rounded > 0 ? "+" : "\u2212"}${Math.abs(rounded)}%`;
}

/** Describes how many of many would have as good a record by luck: 'about one in 65'. */
export function describeChance(chance: number): string {
  if (chance < 0.0001) return "fewer than one in 10 000";
  if (chance > 0.95) return "nearly all";
  if (chance >= 0.25) return `about ${Math.round(chance * 10)} in 10`;
  return `about one in ${new Intl.NumberFormat("en-ZA", { useGrouping: "min2" }).format(Math.round(1 / chance))}`;
}
