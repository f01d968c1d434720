// The door of payments for pages: what is bought, and how.
export { CoinPacks } from "./coin-packs.ui.tsx";
export { GuestPurchaseForm } from "./guest-purchase-form.ui.tsx";
