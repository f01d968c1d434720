// The door of what is sold: opening a card, what has been opened, and what its creator earns.
export type { BankDetails } from "./bank-details.input.ts";
export { countOpened, type OpenedCount } from "./count-opened.server.ts";
export { countSales } from "./count-sales.server.ts";
export { earningsStatement } from "./earnings-statement.route.ts";
export { enterResult, voidRaceCard } from "./enter-result.server.ts";
export {
  type ExportPayoutsAnswer,
  exportPayouts,
  type PaymentLine,
} from "./export-payouts.server.ts";
export { forgetOldExportedDetails } from "./forget-exported-details.server.ts";
export { holdEarnings, releaseEarnings } from "./hold-earnings.server.ts";
export { type DuePayout, type DuePayouts, listDuePayouts } from "./list-due-payouts.server.ts";
export { countReviews, type HeldEarning, listHeldEarnings } from "./list-held-earnings.server.ts";
export {
  countExportsUpTo,
  listPaymentExports,
  type PaymentExport,
} from "./list-payment-exports.server.ts";
export {
  type ListedPayout,
  listPayouts,
  PAYOUT_ORDERS,
  type PayoutOrder,
} from "./list-payouts.server.ts";
export type { MakePayoutAnswer } from "./make-payout.server.ts";
export { type MarkPayoutPaidAnswer, markPayoutPaid } from "./mark-payout-paid.server.ts";
export { type OpenedTip, openedTips } from "./opened-tip.server.ts";
export { payDayRun } from "./pay-day-run.server.ts";
export {
  readPaymentFileSettings,
  savePaymentFileSettings,
} from "./payment-file-settings.server.ts";
export { raceCards } from "./race-cards.route.ts";
export {
  type BankDetailsHead,
  type OpenBankDetailsAnswer,
  openBankDetails,
  readBankDetails,
} from "./read-bank-details.server.ts";
export { type Earning, type EarningStatus, readEarnings } from "./read-earnings.server.ts";
export { type EarningsOfDay, readEarningsByDay } from "./read-earnings-by-day.server.ts";
export { type EarningsSummary, readEarningsSummary } from "./read-earnings-summary.server.ts";
export {
  areCoinsReturned,
  findOpenedCards,
  type OpenedCard,
  readOpenedCards,
} from "./read-opened-cards.server.ts";
export {
  countOpenPayouts,
  type Payout,
  type PayoutStatus,
  readPayouts,
} from "./read-payouts.server.ts";
export { requestPayout } from "./request-payout.server.ts";
export { returnVoidCard, returnVoidCards } from "./return-void-card.server.ts";
export {
  type ReversalReason,
  restoreSales,
  reverseNewestSales,
  reverseSaleOfCard,
} from "./reverse-sales.server.ts";
export {
  type ReviewEarningAnswer,
  releaseEarning,
  takeEarningBack,
} from "./review-earning.server.ts";
export { keepEarnings, rollUpEarnings } from "./roll-up-earnings.server.ts";
export {
  type SaveBankDetailsAnswer,
  saveBankDetails,
  writeBankDetails,
} from "./save-bank-details.server.ts";
export { type StartPayoutAnswer, startPayout } from "./start-payout.server.ts";
export { sumSalesSince } from "./sum-sales.server.ts";
export { unlock } from "./unlock.route.ts";
export {
  type Unlock,
  unlockRaceCard,
  unlockRaceCardAs,
  unlockRaceCardForGuest,
} from "./unlock-race-card.server.ts";
export { type WithdrawExportAnswer, withdrawExport } from "./withdraw-export.server.ts";
