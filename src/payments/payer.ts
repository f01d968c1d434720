/**
 * Identifies a payment card by brand, last digits and cardholder; null unless all are known. The name has no case,
 * accents, spaces or punctuation.
 */
export function buildPayer(
  card: { brand?: string | null; last4?: string | null } | null | undefined,
  holder: string | null | undefined,
): string | null {
  const name = (holder ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return card?.last4 && name ? `${card.brand}:${card.last4}:${name}` : null;
}
