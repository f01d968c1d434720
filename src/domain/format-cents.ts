import { formatRand } from "./coins.ts";

/** Formats an earned or paid amount, always with cents: 'R28.00'. */
export function formatCents(cents: number): string {
  const text = formatRand(cents);
  return cents % 100 === 0 ? `${text}.00` : text;
}
