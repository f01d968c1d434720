// Public interface of payments: orders, purchases, receipts, reconciliation, anonymisation and the fake providers.
export { anonymiseOldBuyers, anonymiseOldOrders } from "./anonymise-old-data.server.ts";
export { remindOfDispute } from "./dispute-alerts.server.ts";
export { createFakeTables } from "./fake-provider/create-fake-tables.server.ts";
export { fakeProviderJobs } from "./fake-provider/fake-providers.server.ts";
export { makeDemoPurchase } from "./fake-provider/make-demo-purchase.server.ts";
export { describePaymentProvider, listCheckoutOrigins } from "./gateways.server.ts";
export { findPayments, type ListedOrder, listOrders } from "./orders.server.ts";
export { sendPurchaseEmails } from "./purchase-emails.server.ts";
export {
  readDayTakings,
  readPurchaseSummary,
  rollUpPurchasesJob,
} from "./purchase-summary.server.ts";
export {
  type ListedPurchase,
  listPurchases,
  readPurchases,
  readPurchasesById,
} from "./purchases.server.ts";
export { reconcilePayments } from "./reconcile-payments.server.ts";
export { sendPurchaseRefund } from "./refunds/refund-purchase.server.ts";
export { hasJustPaid } from "./resolve-checkout.server.ts";
export { returnCoins } from "./return-coins.server.ts";
export { syncLostCoinsJob } from "./sync-lost-coins.server.ts";
export { syncPaymentJob } from "./sync-payment.server.ts";
export { findCustomersMoney, sumCustomersMoney } from "./unspent-coins/customers-money.server.ts";
export {
  type CoinsAtClosing,
  listUnspentCoins,
  previewCoinsAtClosing,
} from "./unspent-coins/list-unspent-coins.server.ts";
export {
  type ClosingResult,
  refundUnspentCoins,
  sendUnspentCoinRefund,
} from "./unspent-coins/refund-unspent-coins.server.ts";
