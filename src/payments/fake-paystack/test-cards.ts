import type { TestCard } from "../fake-provider/fake-provider.ts";

/** The card whose refunds fail, and the one whose refunds need the customer's bank account. */
export const FAILING_REFUND = "4084080000671803";
export const STUCK_REFUND = "4084080000671902";

/** Paystack's test numbers. Any other valid number is charged successfully. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4084084084084081", label: "Visa", outcome: "Pays immediately." },
  {
    number: "4084080000005408",
    label: "Visa",
    outcome: "Declined.",
    declineReason: "Your card was declined. Please try another card.",
  },
  {
    number: "4084080000670037",
    label: "Visa",
    outcome: "Declined: insufficient funds.",
    declineReason: "Your card has insufficient funds. Please try another card.",
  },
  { number: FAILING_REFUND, label: "Visa", outcome: "Pays immediately. Its refunds fail." },
  {
    number: STUCK_REFUND,
    label: "Visa",
    outcome: "Pays immediately. Its refunds need attention.",
  },
];
