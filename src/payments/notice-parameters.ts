// Query parameters of the page that follows a payment.

/** The payment was cancelled. */
export const CANCELLED_PARAMETER = "cancelled";
/** The payment has opened this race card. The value is the id of the checkout session. */
export const PAID_PARAMETER = "paid";
