/** Every kind of alert, with the label that the operator reads. */
export const ALERT_LABELS = {
  integrity: "Integrity check failed",
  "job-failed": "Background job failed",
  "log-stopped": "Public log stopped",
  "log-not-timestamped": "Public log without outside timestamps",
  "log-checkpoint-failed": "Newest checkpoint of the public log not kept",
  dispute: "Dispute",
  "dispute-lost": "Dispute lost",
  "dispute-reinstated": "Disputed money returned",
  "refund-failed": "Refund failed",
  "refund-exceeds-payment": "Refund exceeds the payment",
  "payment-currency": "Payment in another currency",
  "payment-mismatch": "Payment does not match",
  "payment-without-order": "Payment without an order",
  "payment-of-closed-account": "Payment for a closed account",
  "coins-of-closed-account": "Coins for a closed account",
  "earnings-of-closed-account": "Earnings of a closed account",
  "payout-reduced": "Payout reduced",
  "payout-stopped": "Payout stopped",
  "exported-payout-disputed": "Disputed sale in a payment file",
  "event-unprocessed": "Unprocessed payment event",
  "event-unreadable": "Unreadable event",
  "order-unreadable": "Unreadable order",
  "webhook-signature-invalid": "Invalid webhook signature",
  "unconfirmed-account-removed": "Unconfirmed account removed",
} as const;

export type AlertKind = keyof typeof ALERT_LABELS;
