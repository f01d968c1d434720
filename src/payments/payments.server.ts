// The door of payments: coins for money, from the order to the receipt, and what comes after.
export { deleteOldBuyers, deleteOldOrders } from "./forget-buyers.server.ts";
export { type ListedOrder, listOrders } from "./list-orders.server.ts";
export type {
  ListedPurchase,
  PurchaseOrder,
  PurchaseState,
} from "./list-purchases.server.ts";
export {
  type AwaitedOrder,
  type Purchase,
  readAwaitedOrders,
  readPurchases,
} from "./read-purchases.server.ts";
export {
  readSalesSummary,
  type SalesOfDay,
  type SalesSummary,
} from "./read-sales-summary.server.ts";
export { reconcilePayments } from "./reconcile-payments.server.ts";
export { rollUpPurchasesJob } from "./roll-up-purchases.server.ts";
export { sendPurchaseMail } from "./send-purchase-mail.server.ts";
export type { SendReceiptAnswer } from "./send-receipt-again.server.ts";
export { createFakeStripeTables } from "./stand-in/create-fake-stripe-tables.server.ts";
export { fakeStripe, fakeStripeJobs } from "./stand-in/fake-stripe.server.ts";
export { makeDemoPurchase } from "./stand-in/make-demo-purchase.server.ts";
