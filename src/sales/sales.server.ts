// Public interface of sales: opening a race card, what a buyer has opened, and reversals.
export { enterResult, voidRaceCard } from "./enter-result.server.ts";
export { toListedRaceCard } from "./listed-race-card.server.ts";
export {
  countOpened,
  findOpenedCards,
  type OpenedCard,
  type OpenedCount,
  type OpenedTip,
  readOpenedCards,
  readOpenedTips,
} from "./opened-cards.server.ts";
export { raceCardsForGuests, serveRaceCards } from "./race-cards.route.ts";
export { refundVoidRaceCards } from "./refund-void-race-card.server.ts";
export {
  notifyReversedCreators,
  type ReversalReason,
  restoreSales,
  reverseEarning,
  reverseNewestSales,
  reverseSaleOfRaceCard,
} from "./reverse-sales.server.ts";
export { sumSalesSince } from "./sales-totals.server.ts";
export { earningReversals, earnings, sales } from "./tables.server.ts";
export { unlock } from "./unlock.route.ts";
export {
  type UnlockResult,
  unlockRaceCardAs,
  unlockRaceCardForGuest,
} from "./unlock-race-card.server.ts";
