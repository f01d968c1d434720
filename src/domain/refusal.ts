/**
 * Why a race card does not open, in the order in which the reasons are looked at: the first that
 * holds is the one that is told.
 */
export const UNLOCK_REFUSALS = [
  "not-signed-in",
  "no-such-card",
  "own-card",
  "not-on-sale",
  "races-run",
  "wallet-frozen",
  "owing",
  "too-few-coins",
] as const;

export type UnlockRefusal = (typeof UNLOCK_REFUSALS)[number];
