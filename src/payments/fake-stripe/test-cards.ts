/** A card of the stand-in's, with what it does. */
export type TestCard = { number: string; label: string; does: string; declineReason?: string };

/** The provider's own test numbers, as far as the stand-in plays them. Any other number pays. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4242424242424242", label: "Visa", does: "Pays immediately." },
  {
    number: "5555555555554444",
    label: "Mastercard",
    does: "Pays immediately. Use it for a second buyer.",
  },
  {
    number: "4000000000000002",
    label: "Visa",
    does: "Declined.",
    declineReason: "Your card was declined. Please try another card.",
  },
  {
    number: "4000000000009995",
    label: "Visa",
    does: "Declined: insufficient funds.",
    declineReason: "Your card has insufficient funds. Please try another card.",
  },
];

/** A card number in groups of four. */
export function spaced(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** The digits of what was typed, when they can be a card's number, else null. */
export function cardNumberOf(text: string): string | null {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(digits)) return null;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 ? digits : null;
}
