// Public interface of sales: opening a race card, what a buyer has opened, and reversals.
export { countOpened, type OpenedCount } from "./count-opened.server.ts";
export { enterResult, voidRaceCard } from "./enter-result.server.ts";
export { listedRaceCard } from "./listed-race-card.server.ts";
export { type OpenedTip, openedTips } from "./opened-tip.server.ts";
export { raceCards } from "./race-cards.route.ts";
export {
  findOpenedCards,
  type OpenedCard,
  readOpenedCards,
} from "./read-opened-cards.server.ts";
export { refundVoidRaceCards } from "./refund-void-race-card.server.ts";
export {
  type ReversalReason,
  restoreSales,
  reverseEarning,
  reverseNewestSales,
  reverseSaleOfCard,
  tellReversed,
} from "./reverse-sales.server.ts";
export { sumSalesSince } from "./sum-sales.server.ts";
export { earningReversals, earnings, sales } from "./tables.server.ts";
export { unlock } from "./unlock.route.ts";
export {
  type Unlock,
  unlockRaceCardAs,
  unlockRaceCardForGuest,
} from "./unlock-race-card.server.ts";
