// Public interface of payouts: earnings, bank details, payouts and the payment file.
export { requestPayout } from "./create-payout.server.ts";
export { deleteBankDetails } from "./delete-bank-details.server.ts";
export { rollUpEarnings, rollUpEarningsJob } from "./earning-days.server.ts";
export {
  readEarningsOfCards,
  readEarningsSummary,
} from "./earnings.server.ts";
export { exportPayouts } from "./export-payouts.server.ts";
export { holdEarnings, releaseEarnings } from "./hold-earnings.server.ts";
export { holdGuestDealsJob } from "./hold-guest-deals.server.ts";
export { countReviews, listHeldEarnings } from "./list-held-earnings.server.ts";
export {
  countOpenPayouts,
  listPayouts,
  type Payout,
  readPayouts,
} from "./list-payouts.server.ts";
export { markPayoutPaid } from "./mark-payout-paid.server.ts";
export { payDayRun } from "./pay-day-run.server.ts";
export { deleteOldExportedDetails } from "./payment-exports.server.ts";
export { savePaymentFileSettings } from "./payment-file-settings.server.ts";
export { readBankDetails } from "./read-bank-details.server.ts";
export { CHANGED_REASON, removeFromPayouts } from "./remove-from-payouts.server.ts";
export { writeBankDetails } from "./save-bank-details.server.ts";
export { setLackingCoins } from "./set-lacking-coins.server.ts";
export { startPayout } from "./start-payout.server.ts";
export {
  followTransfers,
  haveTransfers,
  sendTransfer,
  syncTransfer,
} from "./transfers/send-transfer.server.ts";
