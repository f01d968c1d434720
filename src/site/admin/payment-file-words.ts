const PROBLEMS: Record<string, string> = {
  "wrong-password": "That is not your password.",
  "too-many-tries": "Too many tries. Please wait a while and try again.",
  busy: "We are very busy right now. Please try again in a few seconds.",
  "nothing-chosen": "Choose the payouts it is for.",
  "not-processing": "It is made of payouts that are being processed, and of no others.",
  "no-bank-details": "Bank details are missing.",
  "bank-details-new": "Bank details have changed in the last 72 hours.",
};

/** Why there is no payment file, in words; whatever else the address says is none of them. */
export function paymentFileProblem(said: string): string {
  return (Object.hasOwn(PROBLEMS, said) && PROBLEMS[said]) || "Please try again.";
}
