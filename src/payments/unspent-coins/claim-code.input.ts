import * as v from "valibot";

export const CLAIM_CODE_MAX_LENGTH = 40;

/** A claim code as typed. */
export const claimCodeInput = v.pipe(
  v.string("Please enter the code"),
  v.maxLength(CLAIM_CODE_MAX_LENGTH, "This code is too long"),
  v.trim(),
  v.nonEmpty("Please enter the code"),
);

/** Why a claim code is refused, with the status of the response. */
export const CLAIM_CODE_REFUSALS = {
  "too-many-attempts": ["Too many attempts. Please try again in an hour.", 429],
  "unknown-code": ["We don't know this code. Please check every character.", 422],
  expired: ["This code was valid for three years and has expired.", 409],
  disputed: ["A payment of the closed account is in dispute. Please try again later.", 409],
  "nothing-due": [
    "There is nothing to claim: the refund has not failed, or the coins were claimed before.",
    409,
  ],
} as const;
