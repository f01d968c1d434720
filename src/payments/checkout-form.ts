/** Returns a new random key for one rendered form. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Shown when a form fails to send: only the payment page charges a payment card. */
export const NOT_CHARGED_MESSAGE = "You have not been charged.";

/** Returns the name of the field with the price of a coin pack, in cents, that a form shows. */
export function shownPriceField(coinPackId: string): string {
  return `shownCents.${coinPackId}`;
}

/** Returns the price that the form showed for a coin pack; undefined if it names none. */
export function readShownCents(form: FormData, coinPackId: string): number | undefined {
  const value = form.get(shownPriceField(coinPackId));
  return typeof value === "string" ? Number(value) : undefined;
}
