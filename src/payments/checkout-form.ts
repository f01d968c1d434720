/** A new name for one opening of a form. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Said by the forms that lead on to the payment page, where alone a card is charged. */
export const NOT_CHARGED = "You have not been charged.";
