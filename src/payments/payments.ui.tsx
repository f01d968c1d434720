// Public interface of payments for pages.
export { PurchaseStatus } from "./admin/purchase-status.ui.tsx";
export { CoinPacks } from "./coin-packs.ui.tsx";
export { GuestPurchaseForm } from "./guest-purchase-form.ui.tsx";
export { CANCELLED_PARAMETER, PAID_PARAMETER } from "./notice-parameters.ts";
export { PaymentNotice } from "./payment-notice.ui.tsx";
