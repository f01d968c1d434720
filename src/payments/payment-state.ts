/**
 * The state of a payment: of a checkout as its provider reports it, of the order that it pays for, and of the pages that
 * show either. Each gateway translates its provider's words, and `tables.server.ts` those of the column `orders.status`.
 */
export type PaymentState =
  /**
   * Nothing is paid, and the payment page is open. Stripe: the session is `open`. Paystack: `abandoned` or a declined card
   * within an hour.
   */
  | "unpaid"
  /**
   * The buyer chose a payment method whose money arrives later. Stripe: the session is `complete` but `unpaid`. Paystack:
   * `pending`, `processing` or `queued`, not by card.
   */
  | "delayed"
  /**
   * The provider has the money, and an order has its coins. Stripe: the session's payment status is `paid`. Paystack:
   * `success`, also when it was `reversed` afterwards.
   */
  | "paid"
  /**
   * A delayed payment did not arrive. Stripe: the payment intent of a `complete` session is `canceled` or
   * `requires_payment_method`. Paystack: `failed`, not by card.
   */
  | "failed"
  /**
   * The payment page closed before anything was paid; a later payment is still credited. Stripe: the session is `expired`.
   * Paystack: unpaid after an hour.
   */
  | "expired";

/** The state of a payment that has not arrived. */
export type UnpaidState = Exclude<PaymentState, "paid">;
