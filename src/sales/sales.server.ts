// Public interface of sales: opening a race card, what a buyer has opened, and reversals.

export {
  emailResults,
  readResultsEmailSetting,
  skipResultsEmailsBefore,
} from "./email-results.server.ts";
export {
  emailReturnedCoins,
  skipEmailsForCoinsReturnedBefore,
} from "./email-returned-coins.server.ts";
export { emailScratchings } from "./email-scratchings.server.ts";
export { readListedRaceCards } from "./listed-race-card.server.ts";
export {
  countOpened,
  findOpenedCards,
  readOpenedCards,
  readRaceCardsOfSales,
} from "./opened-cards.server.ts";
export { countSalesOfRaceCards, listNewestSales, readDaySales } from "./read-day-sales.server.ts";
export { countOpenedForDay, readMyDay, readOpenedCreators } from "./read-my-day.server.ts";
export {
  adjustEarnings,
  createReturnCoinsJob,
  enqueueCoinReturns,
  listSalesToAdjust,
  sumCoinReturns,
} from "./return-coins.server.ts";
export { returnSalesAfterRaces } from "./return-sales-after-races.server.ts";
export {
  lockEarning,
  reverseEarning,
  reverseEarningsOfClosedCreators,
} from "./reverse-sales.server.ts";
export { sumSalesSince } from "./sales-totals.server.ts";
export { earnings } from "./tables.server.ts";
export {
  unlockRaceCardAs,
  unlockRaceCardForGuest,
} from "./unlock-race-card.server.ts";
