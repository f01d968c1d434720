import { CHANGED_REASON, removeFromPayouts } from "#payouts/payouts.server.ts";
import { createReturnCoinsJob } from "#sales/sales.server.ts";
import { syncLostCoins } from "./sync-lost-coins.server.ts";

/**
 * Returns the coins for void tips, takes the earnings that they change out of payouts, and pays with them for sales
 * whose payments were lost.
 */
export const returnCoins = createReturnCoinsJob({
  removeFromPayouts: (tx, saleIds) => removeFromPayouts(tx, { saleIds, reason: CHANGED_REASON }),
  syncLostCoins,
});
