/**
 * The reasons why a race card cannot be opened, in the order of the checks. The first one that
 * applies is returned.
 */
export const UNLOCK_REFUSALS = [
  "not-signed-in",
  "race-card-not-found",
  "own-card",
  "not-on-sale",
  "races-run",
  "wallet-frozen",
  "owing",
  "too-few-coins",
] as const;

export type UnlockRefusal = (typeof UNLOCK_REFUSALS)[number];
