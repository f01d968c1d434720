import { formatRand } from "./coins.ts";

/** An amount that is earned or paid, always to the cent: R28.00. */
export function formatCents(cents: number): string {
  const text = formatRand(cents);
  return cents % 100 === 0 ? `${text}.00` : text;
}
