import {
  ACTION_CODE_REQUIRED,
  TWO_STEP_OFF,
  tooManyAttemptsMessage,
  WRONG_CODE,
} from "#accounts/accounts.ui.tsx";

const PROBLEM_MESSAGES: Record<string, string> = {
  "code-required": ACTION_CODE_REQUIRED,
  "wrong-code": WRONG_CODE,
  "too-many-attempts": tooManyAttemptsMessage(),
  "two-step-off": TWO_STEP_OFF,
  yourself: "Your own payout can't be in a file that you make. Another admin must make it.",
  "nothing-chosen": "Select at least one payout.",
  "not-processing": "Only payouts with status Processing can be in the payment file.",
  "results-changed":
    "The result of a race has just changed what a payout contains. Check the amounts and try again.",
  "no-bank-details": "Bank details are missing.",
  "bank-details-new": "Bank details have changed in the last 72 hours.",
  "bank-details-unusable":
    "The account holder or bank contains line breaks or characters that no bank accepts. Ask the tipster to enter the bank details again.",
  "transfer-in-progress": "These payouts are already being transferred.",
  "transfer-contradicted":
    "An earlier transfer to the tipster counts as failed, but Paystack reports it as paid or in progress. If it was paid, claim the money back, then resolve the transfer.",
  unreachable:
    "Paystack gave no answer about an earlier transfer. Please try again, or leave the payout out.",
  "account-not-checked":
    "The bank account was not checked. Ask the tipster to save the bank details again with their document number, or pay with a payment file.",
  "action-date": "The action date must be from today to 31 days ahead.",
  "no-bank-day":
    "Banks make no transfers on the action date: it is a weekend or a public holiday. Choose another day.",
  "no-debit-account":
    "The account to debit is missing. Enter it under Payment files, Payment file settings.",
};

/** Returns the message for a problem from the URL; a general one for unknown values. */
export function paymentFileProblemMessage(problem: string): string {
  return (
    (Object.hasOwn(PROBLEM_MESSAGES, problem) && PROBLEM_MESSAGES[problem]) || "Please try again."
  );
}

/** Display names of the payment file formats. */
export const FORMAT_LABELS: Record<string, string> = {
  generic: "CSV with your own columns",
  absa: "Absa Business Integrator Online (CSV)",
  "acb-transfers": "ACB Transfers (CSV)",
  bankserv: "Bankserv ACB (FNB, Nedbank, Capitec)",
  paystack: "Transfers through Paystack, no file",
  unrecorded: "Not recorded",
};
