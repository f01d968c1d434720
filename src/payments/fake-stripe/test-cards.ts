import type { TestCard } from "../fake-provider/fake-provider.ts";

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
