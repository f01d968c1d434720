/** Returns a new random key for one rendered form. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Shown when a form fails to send: only the payment page charges a payment card. */
export const NOT_CHARGED_MESSAGE = "You have not been charged.";
