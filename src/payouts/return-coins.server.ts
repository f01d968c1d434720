import type { Job } from "#platform/queue.server.ts";
import {
  type CoinReturnParams,
  RETURN_COINS,
  returnCoinsOfRaceCards,
} from "#sales/sales.server.ts";
import { removeFromPayouts, VOID_REASON } from "./remove-from-payouts.server.ts";

/** Returns the coins for void tips, and takes the earnings that they change out of payouts. */
export const returnCoins: Job<CoinReturnParams> = {
  ...RETURN_COINS,
  run: (params) =>
    returnCoinsOfRaceCards(params, (tx, saleIds) =>
      removeFromPayouts(tx, { saleIds, reason: VOID_REASON }),
    ),
};
