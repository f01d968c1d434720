import { bindRaceResultSteps } from "#racing/racing.server.ts";
import { enqueueCoinReturns, sumCoinReturns } from "#sales/sales.server.ts";
import {
  countMovedTips,
  readRaceCardsOfRace,
  readRaceCardsOfTips,
  settleRace,
} from "#tips/tips.server.ts";

// Binds what follows from a confirmed result: tips are settled by it, and sales return coins. Racing cannot import
// either. `jobs.server.ts` imports this file, and every process that confirms results imports that.
bindRaceResultSteps(
  {
    async settle(tx, result) {
      const { newlyVoidTipIds, restoredTipIds } = await settleRace(tx, result);
      const tipIds = [...newlyVoidTipIds, ...restoredTipIds];
      await enqueueCoinReturns(tx, await readRaceCardsOfTips(tx, tipIds));
    },
    async retryCoinReturns(tx, race) {
      await enqueueCoinReturns(tx, await readRaceCardsOfRace(tx, race));
    },
    async preview(tx, result) {
      const { tipIds, changes, newlyVoidTipIds, restoredTipIds } = await settleRace(tx, result);
      const changed = changes.reduce((sum, { count }) => sum + count, 0);
      return {
        tips: changes,
        unchangedTips: tipIds.length - changed,
        ...(await sumCoinReturns(tx, [...newlyVoidTipIds, ...restoredTipIds])),
      };
    },
  },
  countMovedTips,
);
