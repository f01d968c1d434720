/** A test payment card with its outcome. */
export type TestCard = { number: string; label: string; outcome: string; declineReason?: string };

/** The provider's test numbers that the fake supports. Any other valid number is charged successfully. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4242424242424242", label: "Visa", outcome: "Pays immediately." },
  {
    number: "5555555555554444",
    label: "Mastercard",
    outcome: "Pays immediately. Use it for a second buyer.",
  },
  {
    number: "4000000000000002",
    label: "Visa",
    outcome: "Declined.",
    declineReason: "Your card was declined. Please try another card.",
  },
  {
    number: "4000000000009995",
    label: "Visa",
    outcome: "Declined: insufficient funds.",
    declineReason: "Your card has insufficient funds. Please try another card.",
  },
];

/** Formats a card number in groups of four digits. */
export function formatCardNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** Returns the digits of a valid card number (Luhn checksum), or null. */
export function parseCardNumber(text: string): string | null {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(digits)) return null;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 ? digits : null;
}
